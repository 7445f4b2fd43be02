// Checks the built site in a browser: what is typed before the search has loaded is searched, and the
// playground opens. Does nothing without a browser: node check-site.mjs
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../scripts/page/open.mjs";

const DIST = fileURLToPath(new URL("dist", import.meta.url));
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
/** Parts of the search that arrive only when `release` is called. */
const LATE = /VPLocalSearchBox|localSearchIndexroot/;

let release;
const released = new Promise((resolve) => {
  release = resolve;
});
const server = createServer(async ({ url }, response) => {
  const path = url.endsWith("/") ? `${url}index.html` : url;
  const file = [path, `${path}.html`].map((name) => join(DIST, name)).find(existsSync);
  if (file === undefined) return response.writeHead(404).end();
  if (LATE.test(url)) await released;
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/html" });
  response.end(readFileSync(file));
});
const browser = await launchBrowser();
if (browser === undefined) console.log("check-site: no browser found; the site was not checked");
else {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const page = await browser.newPage();
    const asked = page.waitForRequest(LATE);
    await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "networkidle" });
    await page.keyboard.press("/");
    await asked;
    await page.keyboard.type("encodingx");
    await page.keyboard.press("Backspace");
    release();
    const found = page.locator(".VPLocalSearchBox a.result");
    await found.first().waitFor();
    assert.equal(await page.locator("#localsearch-input").inputValue(), "encoding");
    assert.match(await found.first().getAttribute("href"), /file-formats/);
    console.log("check-site: a search typed early is answered");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Playground" }).first().click();
    await page.getByRole("region", { name: "Table cities" }).waitFor();
    console.log("check-site: the playground opens");
  } finally {
    await browser.close();
    server.close();
  }
}
