// A browser with pages of the explorer, whose log, requests and accessibility are checked.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { createControl } from "../../dist/http.js";
import { createEngine } from "../../dist/index.js";
import { serve } from "../../dist/node.js";
import { CITY_COLUMNS, COUNTRY_COLUMNS, cityRecords, countryRecords } from "../demo/world.mjs";

const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
/** Timeout of all waits, in milliseconds: the machine may be busy. */
const PATIENCE_MS = 60_000;
const NARROW = { width: 400, height: 800 };
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the browser of this machine, or undefined. */
export async function launchBrowser(...flags) {
  const executablePath = BROWSERS.find((path) => existsSync(path));
  return executablePath && chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}

/** Serves the countries and cities of the world, with a second branch. */
export async function serveWorld(serve = serveEngine) {
  const engine = createEngine({ seed: 1, now: Date.UTC(2030, 0, 1) });
  const world = engine.createWorkspace("demo").createDatabase("world");
  const main = world.branch("main");
  main.createTable("countries", COUNTRY_COLUMNS).load(countryRecords());
  main.createTable("cities", CITY_COLUMNS).load(cityRecords());
  world.createBranch("what-if", { from: "main" });
  return serve(engine);
}

/** Serves an engine with its explorer. */
export async function serveEngine(engine, options = {}) {
  engine.setBaseline();
  const server = await serve(engine, { control: createControl(), ...options });
  return { engine, server, url: server.url };
}

/**
 * Opens the explorer at a place; `page.finish()` throws if it logged errors or sent requests elsewhere. With a
 * folder for pictures, `checkAccess` takes some.
 */
export async function openPage({ browser, pictures }, url, hash = "", options = {}) {
  const { at = "_twinbase/", ...looks } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // Contrasts differ during transitions.
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...looks,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults = [];
  const pending = new Set();
  page.on("console", (message) => {
    // The browser logs failed responses itself; the page shows them.
    const isAnswer = /^Failed to load resource: the server responded/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isAnswer) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error.stack)));
  page.on("dialog", (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    // The streams of changes stay open.
    if (!/\/_twinbase\/(?:events|.*\/live)$/.test(request.url())) pending.add(request);
    if (!request.url().startsWith(`${url}/`)) faults.push(`asked ${request.url()}`);
  });
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
  const visit = (place) => page.goto(`${url}/${at}${place}`);
  await visit(hash);
  return Object.assign(page, {
    pending,
    pictures,
    visit,
    finish: async () => {
      await context.close();
      assert.deepEqual(faults, []);
    },
  });
}

/** Waits until `read` returns the expected value. */
export async function becomes(read, expected, message) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(20)) {
    if (isDeepStrictEqual(await read(), expected)) return;
  }
  assert.deepEqual(await read(), expected, message);
}

/** Waits until an element has the focus. */
export async function focused(element) {
  await element.and(element.page().locator(":focus")).waitFor();
}

/** Fills in a field, and presses a key there. */
export async function enter(field, text, key = "Enter") {
  await field.fill(text);
  await field.press(key);
}

/** Presses keys one after the other. */
export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** Waits until a page receives the changes of others. */
export async function goLive(page) {
  await page.getByText("Live", { exact: true }).waitFor();
}

/** Drags a file over an element, or drops it there. */
export async function dropFile(page, at, file, event = "drop") {
  await page.locator(at).evaluate(
    (element, [name, text, kind]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], name));
      element.dispatchEvent(new DragEvent(kind, { bubbles: true, dataTransfer }));
    },
    [file.name, file.text, event],
  );
}

/** Waits until a page has no pending request and has rendered the answers. */
export async function settle(page) {
  for (let quiet = 0; quiet < 3; quiet = page.pending.size === 0 ? quiet + 1 : 0) {
    // Effects run after a frame, in a separate task.
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 5))));
  }
}

/** Requires that axe finds nothing in a view. */
export async function checkAccess(page, view) {
  if (page.pictures !== undefined) await takePictures(page, view);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} (${nodes.length})`);
  });
  assert.deepEqual(found, [], `axe in ${view}`);
}

/** Takes pictures of a view: wide and narrow, light and dark. */
async function takePictures(page, view) {
  const name = view.replaceAll(/\W+/g, "-").slice(0, 100);
  const size = page.viewportSize();
  for (const [width, viewport] of Object.entries({ wide: size, narrow: NARROW })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      await page.screenshot({ path: join(page.pictures, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize(size);
  await settle(page);
}

/** Returns the hash of a place in the explorer. */
export function placeOf(path, params = {}) {
  const search = new URLSearchParams(params).toString();
  return `#/${path}${search && `?${search}`}`;
}
