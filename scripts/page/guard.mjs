// What must not happen: a look without a key, a value that runs, a frame that hangs.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createEngine } from "../../dist/index.js";
import { at, FRAME_MS, leastOfThree, traceFrames } from "./frames.mjs";
import { becomes, checkAccess, launchBrowser, openPage, placeOf, serveEngine } from "./open.mjs";

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
  const text = async () => (await page.locator("body").innerText()).replace(/\s+/g, " ");
  await becomes(text, "Twinbase API key Sign in");
  await field.fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("does not know this key").waitFor();
  await field.fill("open-sesame");
  await page.keyboard.press("Enter");
  await page.getByRole("grid").getByText("Ruby").waitFor();
  assert.ok(!page.url().includes("sesame"));
  await page.reload();
  await page.getByRole("grid").getByText("Ruby").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
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
  const edges = await grid
    .getByRole("row")
    .evaluateAll((rows) =>
      rows.map(({ children }) => Array.from(children, (cell) => cell.getBoundingClientRect().left)),
    );
  for (const edge of edges) assert.deepEqual(edge, edges[0], "cells are below their column");
  for (let i = 0; i < values.length; i++) {
    await grid.getByRole("button", { name: `r${i}`, exact: true }).click();
    await page.getByRole("complementary", { name: `Record r${i}` }).waitFor();
  }
  await checkAccess(page, "hostile values");
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator("img, iframe, object, script:not([src])").count(), 0);
  await becomes(() => page.title(), "__proto__ · bad – Twinbase");
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

/** A page of another origin, and one whose name leads to this machine, read and change nothing. */
export async function foreign() {
  // A browser in which the attacker's names lead to this machine.
  const browser = await launchBrowser("--host-resolver-rules=MAP *.evil.test 127.0.0.1");
  const attacker = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>evil</title>");
  });
  await new Promise((resolve) => attacker.listen(0, "127.0.0.1", resolve));
  const from = `http://page.evil.test:${attacker.address().port}`;
  const open = async (options) => {
    const engine = createEngine({ seed: 1 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    const table = main.createTable("gems", [{ name: "name", type: "string" }]);
    table.insert({ id: "a", name: "Ruby" });
    const { server, url } = await serveEngine(engine, { workspace: "acme", ...options });
    return { table, server, url };
  };
  const attack = async (page, url) =>
    page.evaluate(async (base) => {
      const body = JSON.stringify({ operations: [{ delete: { table: "gems", id: "a" } }] });
      const at = `${base}/db/shop:main`;
      const read = [];
      const send = async (path, init) => {
        const answer = await fetch(path, init).catch(() => undefined);
        const text = await answer?.text().catch(() => "");
        if (answer?.ok && text) read.push(text);
      };
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
        for (const mode of ["no-cors", "cors"]) {
          const headers = { "content-type": type };
          await send(`${at}/transaction`, { method: "POST", mode, headers, body });
          await send(`${base}/_twinbase/reset`, { method: "POST", mode, headers });
          await send(`${at}/tables/gems/query`, { method: "POST", mode, headers, body: "{}" });
        }
      }
      navigator.sendBeacon(`${at}/transaction`, body);
      await send(`${at}/tables/gems/data/a`, { method: "DELETE" });
      for (const path of ["/_twinbase/journal", "/_twinbase/counts", "/db/shop:main", "/user"]) {
        await send(`${base}${path}`);
      }
      const form = Object.assign(document.createElement("form"), {
        ...{ action: `${at}/transaction`, method: "post", enctype: "text/plain", target: "out" },
      });
      const input = Object.assign(document.createElement("input"), {
        ...{ name: `${body.slice(0, -1)},"x":"`, value: '"}' },
      });
      const frame = Object.assign(document.createElement("iframe"), { name: "out" });
      const isAnswered = new Promise((resolve) => {
        frame.onload = resolve;
      });
      form.append(input);
      document.body.append(frame, form);
      form.submit();
      await isAnswered;
      return read;
    }, url);
  const page = await (await browser.newContext()).newPage();

  const other = await open();
  await page.goto(from);
  assert.deepEqual(await attack(page, other.url), [], "read by a page of another origin");
  assert.equal(other.table.count(), 1, "deleted by a page of another origin");
  await other.server.close();

  // The name led to the attacker when the page was loaded, and leads to the service now.
  const rebound = await open();
  const { port } = rebound.server;
  const name = `http://page.evil.test:${port}`;
  await page.route(`${name}/`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>evil</title>" }),
  );
  await page.goto(`${name}/`);
  assert.deepEqual(await attack(page, name), [], "read by a page whose name leads here");
  assert.equal(rebound.table.count(), 1, "deleted by a page whose name leads here");
  await rebound.server.close();

  // What the attacks send is good: it does its work where the origin is let in.
  const trusting = await open({ cors: [from] });
  await page.goto(from);
  assert.notDeepEqual(await attack(page, trusting.url), []);
  assert.equal(trusting.table.count(), 0);
  await trusting.server.close();
  const known = await open({ hosts: ["evil.test"] });
  const own = `http://page.evil.test:${known.server.port}`;
  await page.goto(`${own}/_twinbase/`);
  await page.getByText("Twinbase").first().waitFor();
  await known.server.close();
  await browser.close();
  attacker.close();
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
  let asked = 0;
  page.on("request", () => asked++);
  await traceFrames(page, 100, 20); // the code is warm
  for (const [name, step, count] of [
    ["by the key PageDown", "PageDown", 200],
    ["rows by rows", 96, 200],
    ["pages", 800, 200],
    ["with the scrollbar", 30_000, 120],
  ]) {
    const plain = at(0.5, (await traceFrames(page, undefined, 30)).times);
    const longest = await leastOfThree(FRAME_MS, async () => {
      asked = 0;
      const { times, rows, added } = await traceFrames(page, step, count);
      tell(
        `${name}: of the processor ${times.length} frames take ${at(0.5, times).toFixed(1)} ms each ` +
          `(as many plain cells ${plain.toFixed(1)} ms), 99 of 100 at most ` +
          `${at(0.99, times).toFixed(1)} ms, the longest ${at(1, times).toFixed(1)} ms; ` +
          `puts in at most ${added} rows of ${rows}; ${asked} requests`,
      );
      // A slow machine is slow at both.
      assert.ok(at(0.5, times) < 4 * plain, `${name}: a frame is too much work`);
      assert.ok(rows < 60 && added < 60, `${name}: too many rows`);
      assert.ok(asked <= 2 * count, `${name}: too many requests`);
      return at(1, times);
    });
    assert.ok(longest <= FRAME_MS, `${name}: a frame of ${longest.toFixed(1)} ms in each scroll`);
  }
  const isRight = () =>
    page.evaluate(() => {
      const row = document.querySelector(".body [role=row]:not(.waiting)");
      return row?.textContent.includes(`name ${Number(row.ariaRowIndex) - 2}`);
    });
  await becomes(isRight, true, "a row shows the record of its place");
  await page.waitForFunction(() => document.querySelector(".waiting") === null);
  await page.finish();
  await server.close();
}
