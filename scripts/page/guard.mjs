// What must not happen: a look without a key, a value that runs, a frame that hangs.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { checkAccess, openPage, placeOf, serveEngine } from "./open.mjs";

/** In closed mode nothing is seen before a key is given that the service knows. */
export async function closed({ browser }) {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("secret").createDatabase("vault").branch("main");
  main.createTable("gems", [{ name: "name", type: "string" }]).insert({ name: "Ruby" });
  const users = [{ email: "a@b.c", fullname: "A", keys: ["open-sesame"], workspaces: ["secret"] }];
  const { server, url } = await serveEngine(engine, { users });
  const page = await openPage(browser, url, placeOf("secret/vault/main/gems"));
  const field = page.getByLabel("API key");
  await field.waitFor();
  await checkAccess(page, "the place for a key");
  assert.equal(
    (await page.locator("body").innerText()).replace(/\s+/g, " "),
    "Twinbase API key Open",
  );
  await field.fill("wrong");
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByText("does not know this key").waitFor();
  await field.fill("open-sesame");
  await page.keyboard.press("Enter");
  await page.getByRole("grid").getByText("Ruby").waitFor();
  assert.ok(!page.url().includes("sesame"));
  await page.reload();
  await page.getByRole("grid").getByText("Ruby").waitFor();
  await page.getByRole("button", { name: "Forget key" }).click();
  await field.waitFor();
  await page.finish();
  for (const path of ["health", "counts", "service/workspaces", "journal"]) {
    assert.equal((await fetch(`${url}/_twinbase/${path}`)).status, 401, path);
  }
  await server.close();
}

/** Names and values of every bad kind are shown as they are, and run nowhere. */
export async function hostile({ browser }) {
  const values = [
    '<img src=x onerror="document.title=1">',
    "<script>window.ran = 1</script>",
    "javascript:window.ran=1",
    "a\u0000b\u001b[31mc",
    "\u202egnp.exe",
    "long ".repeat(20_000),
    "{{constructor.constructor('window.ran=1')()}}",
    "\u05e9\u05dc\u05d5\u05dd",
  ];
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("bad").branch("main");
  const table = main.createTable("__proto__", [
    { name: "constructor", type: "text" },
    { name: "any", type: "json" },
    { name: "list", type: "multiple" },
  ]);
  values.forEach((value, i) => {
    table.insert({
      id: `r${i}`,
      constructor: value,
      any: { [value.slice(0, 50)]: value },
      list: [value],
    });
  });
  const { server, url } = await serveEngine(engine);
  const page = await openPage(browser, url, placeOf("demo/bad/main/__proto__"));
  const grid = page.getByRole("grid");
  await grid.getByText('<img src=x onerror="document.title=1">', { exact: true }).waitFor();
  await grid.getByText("a␀b␛[31mc", { exact: true }).waitFor();
  await grid.getByText("[U+202E]gnp.exe", { exact: true }).waitFor();
  for (let i = 0; i < values.length; i++) {
    await grid.getByRole("button", { name: `r${i}`, exact: true }).click();
    await page.getByRole("complementary", { name: `Record r${i}` }).waitFor();
  }
  await checkAccess(page, "hostile values");
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator("img, iframe, object, script:not([src])").count(), 0);
  assert.equal(await page.title(), "__proto__ · bad – Twinbase");
  await page.finish();

  // An address somebody sent is only read.
  const sent = placeOf(`demo/bad/main/${encodeURIComponent("<img src=x onerror=alert(1)>")}`, {
    filter: '{"a":"<script>window.ran=1</script>"',
    sort: "<b>",
    columns: "<i>",
    view: "records",
  });
  const other = await openPage(browser, url, sent);
  await other.getByText("There is no table <img").waitFor();
  assert.equal(await other.evaluate(() => window.ran), undefined);
  await other.finish();

  const answer = await fetch(`${url}/_twinbase/`);
  const policy = answer.headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'/);
  assert.ok(!/unsafe|\*|https?:|data:|blob:/.test(policy), policy);
  assert.ok(!/<script>|<style|style=|onload=/.test(await answer.text()));
  await server.close();
}

/** A million records are scrolled; the work of each frame is bounded. */
export async function million({ browser, tell }) {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("big").branch("main");
  const table = main.createTable("rows", [
    { name: "number", type: "int" },
    { name: "name", type: "string" },
    { name: "half", type: "float" },
    { name: "even", type: "bool" },
    { name: "time", type: "datetime" },
    { name: "words", type: "text" },
  ]);
  table.load(
    Array.from({ length: 1_000_000 }, (_, i) => ({
      id: `r${String(i).padStart(7, "0")}`,
      number: i,
      name: `name ${i}`,
      half: i / 2,
      even: i % 2 === 0,
      time: new Date(1e12 + i * 1e6).toISOString(),
      words: `some words about ${i}, and a few more of them`,
    })),
  );
  const { server, url } = await serveEngine(engine);
  const page = await openPage(browser, url, placeOf("demo/big/main/rows"));
  await page.getByText("1,000,000 records").waitFor();
  await page.getByRole("grid").getByText("r0000000").waitFor();
  const measure = await measureFrames(page);
  await measure(100, 20); // the code is warm
  for (const [name, step, count] of [
    ["rows by rows", 96, 200],
    ["pages", 800, 200],
    ["with the scrollbar", 60_000, 120],
  ]) {
    const plain = middle(await measure(undefined, 30));
    const frames = await measure(step, count);
    const most = (of) => Math.max(...frames.map((frame) => frame[of]));
    const asked = frames.reduce((sum, { requests }) => sum + requests, 0);
    tell(
      `${name}: of the processor a frame takes ${middle(frames).toFixed(1)} ms, ` +
        `at most ${most("ms").toFixed(1)} ms (as many plain cells ${plain.toFixed(1)} ms); ` +
        `puts in at most ${most("added")} rows of ${most("rows")}; ${asked} requests in ${count} frames`,
    );
    // A slow machine is slow at both.
    assert.ok(middle(frames) < 4 * plain, `${name}: a frame is too much work`);
    assert.ok(most("ms") < 15 * plain, `${name}: the longest frame is too much work`);
    assert.ok(most("rows") < 60 && most("added") < 60, `${name}: too many rows`);
    assert.ok(asked <= 2 * count, `${name}: too many requests`);
  }
  await page.waitForFunction(() => document.querySelector(".waiting") === null);
  const row = await page.evaluate(() => {
    const found = document.querySelector(".body [role=row]");
    return [found.ariaRowIndex, found.textContent];
  });
  assert.ok(row[1].includes(`name ${Number(row[0]) - 2}`), row.join(": "));
  assert.ok((await page.locator("[role=row]").count()) < 60);
  await page.finish();
  await server.close();
}

/** The middle one of the times of frames. */
function middle(frames) {
  return frames.map(({ ms }) => ms).sort((a, b) => a - b)[frames.length >> 1];
}

/**
 * Scrolls the grid frame by frame, and tells of each how long its thread ran on the processor (script,
 * style and layout: what waits for other programs does not count), which rows it put in, and what it
 * asked for. Without a step it replaces plain cells, as many as the grid shows, to compare with.
 */
async function measureFrames(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpuSeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration").value;
  };
  let requests = 0;
  page.on("request", () => requests++);
  return async (step, count) => {
    const frames = [];
    let before = await cpuSeconds();
    for (let i = 0; i < count; i++) {
      requests = 0;
      const seen = await page.evaluate(turnFrame, step);
      const after = await cpuSeconds();
      frames.push({ ...seen, requests, ms: (after - before) * 1000 });
      before = after;
    }
    await page.evaluate(() => document.querySelector("#plain")?.remove());
    return frames;
  };
}

/** In the page: one step, until it was drawn. */
async function turnFrame(step) {
  const grid = document.querySelector("[role=grid]");
  let added = 0;
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node.role === "row") added++;
    }
  });
  observer.observe(grid, { childList: true, subtree: true });
  if (step !== undefined) grid.scrollTop += step;
  else {
    const box = document.querySelector("#plain") ?? document.createElement("div");
    box.id = "plain";
    box.style = "position: fixed; inset: 0; z-index: 99; overflow: hidden; background: white";
    const rows = [...grid.querySelectorAll("[role=row]")].map((row) => {
      const copy = document.createElement("div");
      copy.style = `display: grid; grid-template-columns: repeat(${row.children.length}, 1fr)`;
      for (let i = 0; i < row.children.length; i++) {
        copy.append(Object.assign(document.createElement("span"), { textContent: Math.random() }));
      }
      return copy;
    });
    box.replaceChildren(...rows);
    document.body.append(box);
  }
  await new Promise(requestAnimationFrame);
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  observer.disconnect();
  return { added, rows: grid.querySelectorAll("[role=row]").length };
}
