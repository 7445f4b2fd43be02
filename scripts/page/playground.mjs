// The playground of the docs site, served as files.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPlayground } from "../build-playground.mjs";
import { becomes, dropFile, enter, goLive } from "./open.mjs";

const FILES = {
  "": ["index.html", "text/html"],
  "app.js": ["app.js", "text/javascript"],
  "shell.js": ["shell.js", "text/javascript"],
  "worker.js": ["worker.js", "text/javascript"],
  "app.css": ["app.css", "text/css"],
  "icon.svg": ["icon.svg", "image/svg+xml"],
};

/** Browses, edits, undoes, searches and imports in the browser alone: only its files are loaded. */
export async function playground({ open }) {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-playground-"));
  await buildPlayground(folder);
  const asked = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    const [file, type] = FILES[url.replace("/site/playground/", "")] ?? [];
    if (file === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": type }).end(readFileSync(join(folder, file)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const page = await open(`http://127.0.0.1:${server.address().port}`, "", {
      at: "site/playground/",
    });
    await page.getByRole("region", { name: "Table cities" }).waitFor();
    await goLive(page);
    const menu = page.getByRole("navigation", { name: "Views" });
    await menu.getByRole("link", { name: "cities" }).click();
    const grid = page.getByRole("grid", { name: "Records of cities" });
    await page.getByLabel("Find in cities").fill("Ürümqi");
    await page.getByText("1 record", { exact: true }).waitFor();
    await grid.getByText("Ürümqi", { exact: true }).dblclick();
    await enter(page.getByLabel("name: string"), "Urumqi");
    await page.getByText(/name of .* was saved; the record no longer matches/).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText(/^Undone: /).waitFor();
    await grid.getByText("Ürümqi", { exact: true }).waitFor();
    await menu.getByRole("link", { name: "Search" }).click();
    await enter(page.getByLabel("Search for"), "vienna");
    await page.locator(".found h2").first().waitFor();
    await menu.getByRole("link", { name: "Schema" }).click();
    await dropFile(page, ".schema-view", { name: "notes.csv", text: "text\nHello\n" });
    await page.getByRole("button", { name: "Import 1 record" }).click();
    await page.getByRole("grid", { name: "Records of notes" }).getByText("Hello").waitFor();
    const loaded = Object.keys(FILES).map((name) => `GET /site/playground/${name}`);
    await becomes(
      () => [...new Set(asked)].toSorted(),
      loaded.toSorted(),
      "other requests were sent",
    );
    // No connect-src: the browser refuses every call.
    const policy = page.locator("meta[http-equiv=content-security-policy]");
    assert.match(await policy.getAttribute("content"), /^default-src 'none';(?!.*connect-src)/);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}
