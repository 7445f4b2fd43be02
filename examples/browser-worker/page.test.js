import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { html: "text/html", js: "text/javascript" };
const skip = existsSync(BROWSER) ? false : `no browser at ${BROWSER}`;

let server;
let browser;
before(async () => {
  if (skip) return;
  const options = { bundle: true, format: "esm", outfile: "worker.bundle.js", minify: true };
  await build({ entryPoints: ["worker.js"], ...options });
  server = createServer(async ({ url }, response) => {
    const name = url === "/" ? "index.html" : url.slice(1);
    if (!existsSync(name)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[name.split(".").at(-1)] });
    response.end(await readFile(name));
  }).listen(0, "127.0.0.1");
  browser = await chromium.launch({
    executablePath: BROWSER,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("the page shows what the engine in the worker answers", { skip }, async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const cities = page.locator("#cities li");
  await cities.first().waitFor();
  assert.deepEqual(await cities.allTextContents(), ["Berlin", "Wien"]);

  await page.locator("#least").fill("200000");
  await page.locator("#cities li:nth-child(3)").waitFor();
  assert.deepEqual(await cities.allTextContents(), ["Berlin", "Wien", "Graz"]);

  await page.locator("#least").fill("");
  await page.locator("#fault:not(:empty)").waitFor();
  assert.match(await page.locator("#fault").textContent(), /population/);
});
