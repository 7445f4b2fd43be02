// Attacks: reading without a key, values that are code, pages of other origins.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createEngine } from "../../dist/index.js";
import { becomes, checkAccess, enter, launchBrowser, placeOf } from "./open.mjs";

/** In closed mode the page shows nothing before it has a valid key. */
export async function closed({ open, serve }) {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("secret").createDatabase("vault").branch("main");
  main.createTable("gems", [{ name: "name", type: "string" }]).insert({ name: "Ruby" });
  const users = [{ email: "a@b.c", fullname: "A", keys: ["open-sesame"], workspaces: ["secret"] }];
  const { url } = await serve(engine, { users });
  const page = await open(url, placeOf("secret/vault/main/gems"));
  const field = page.getByLabel("API key");
  await field.waitFor();
  await checkAccess(page, "the form for a key");
  const text = async () => (await page.locator("body").innerText()).replace(/\s+/g, " ");
  await becomes(text, "Twinbase API key Sign in");
  await field.fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Unknown key.").waitFor();
  await enter(field, "open-sesame");
  await page.getByRole("grid").getByText("Ruby").waitFor();
  assert.ok(!page.url().includes("sesame"));
  await page.reload();
  await page.getByRole("grid").getByText("Ruby").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await field.waitFor();
  for (const path of ["health", "counts", "service/workspaces", "journal"]) {
    assert.equal((await fetch(`${url}/_twinbase/${path}`)).status, 401, path);
  }
}

/** Hostile names and values are shown as text, and never run. */
export async function hostile({ open, serve }) {
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
  const { url } = await serve(engine);
  const page = await open(url, placeOf("demo/bad/main/__proto__"));
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

  // A hostile address runs nothing either.
  const sent = placeOf(`demo/bad/main/${encodeURIComponent("<img src=x onerror=alert(1)>")}`, {
    filter: '{"a":"<script>window.ran=1</script>"',
    sort: "<b>",
    columns: "<i>",
    view: "records",
  });
  const other = await open(url, sent);
  await other.getByText("No table <img").waitFor();
  assert.equal(await other.evaluate(() => window.ran), undefined);

  const answer = await fetch(`${url}/_twinbase/`);
  const policy = answer.headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'/);
  assert.ok(!/unsafe|\*|https?:|data:|blob:/.test(policy), policy);
  assert.ok(!/<script>|<style|style=|onload=/.test(await answer.text()));
}

const EVIL = "<!doctype html><title>evil</title>";

/** Pages of other origins, or with a name that resolves to this machine, cannot read or write. */
export async function foreign({ serve }) {
  // The attacker's names resolve to this machine.
  const browser = await launchBrowser("--host-resolver-rules=MAP *.evil.test 127.0.0.1");
  const attacker = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(EVIL);
  });
  await new Promise((resolve) => attacker.listen(0, "127.0.0.1", resolve));
  const from = `http://page.evil.test:${attacker.address().port}`;
  const serveGem = async (options) => {
    const engine = createEngine({ seed: 1 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    const table = main.createTable("gems", [{ name: "name", type: "string" }]);
    table.insert({ id: "a", name: "Ruby" });
    return { table, ...(await serve(engine, { workspace: "acme", ...options })) };
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
        action: `${at}/transaction`,
        method: "post",
        enctype: "text/plain",
        target: "out",
      });
      const input = Object.assign(document.createElement("input"), {
        name: `${body.slice(0, -1)},"x":"`,
        value: '"}',
      });
      const frame = Object.assign(document.createElement("iframe"), { name: "out" });
      form.append(input);
      document.body.append(frame, form);
      form.submit();
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      return read;
    }, url);
  const page = await (await browser.newContext()).newPage();

  const other = await serveGem();
  await page.goto(from);
  assert.deepEqual(await attack(page, other.url), [], "read by a page of another origin");
  assert.equal(other.table.count(), 1, "deleted by a page of another origin");

  // DNS rebinding: the name resolved to the attacker when the page was loaded, and to the service now.
  const rebound = await serveGem();
  const name = `http://page.evil.test:${rebound.server.port}`;
  await page.route(`${name}/`, (route) => route.fulfill({ contentType: "text/html", body: EVIL }));
  await page.goto(`${name}/`);
  assert.deepEqual(await attack(page, name), [], "read by a page whose name leads here");
  assert.equal(rebound.table.count(), 1, "deleted by a page whose name leads here");

  // The attacks work where the origin is allowed.
  const trusting = await serveGem({ cors: [from] });
  await page.goto(from);
  assert.notDeepEqual(await attack(page, trusting.url), []);
  assert.equal(trusting.table.count(), 0);
  const known = await serveGem({ hosts: ["evil.test"] });
  const own = `http://page.evil.test:${known.server.port}`;
  await page.goto(`${own}/_twinbase/`);
  await page.getByText("Twinbase").first().waitFor();
  await browser.close();
  attacker.close();
}
