// Pictures of each view of the explorer, light, dark and narrow, to be looked at.
// Runs on the built package: node scripts/shoot-page.mjs <folder> [view …]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, openPage, placeOf, serveWorld, settle } from "./page/open.mjs";

const MAIN = "demo/world/main";
const LARGE = JSON.stringify({ population: { $gt: 1_000_000 }, "country.region": "Asia" });
const BOOSTERS = JSON.stringify([
  { numericBooster: { column: "population", factor: 2, modifier: "log1p" } },
  { valueBooster: { column: "country.region", value: "Europe", factor: 5 } },
]);
const VIEWS = {
  databases: "",
  schema: placeOf(MAIN),
  records: placeOf(`${MAIN}/cities`, { sort: "population:desc", record: "1796236" }),
  filter: placeOf(`${MAIN}/cities`, { panel: "filter", filter: LARGE, sort: "population:desc" }),
  columns: placeOf(`${MAIN}/cities`, { panel: "columns", columns: "name,country.name.common" }),
  explain: placeOf(`${MAIN}/cities`, { panel: "explain", filter: LARGE }),
  numbers: placeOf(`${MAIN}/cities`, { view: "figures", column: "coordinates.lat" }),
  values: placeOf(`${MAIN}/countries`, { view: "figures", column: "region" }),
  search: placeOf(MAIN, { view: "search", words: "san marino republic" }),
  boosters: placeOf(MAIN, { view: "search", words: "san", in: "cities", boosters: BOOSTERS }),
  vectors: placeOf(MAIN, { view: "search", by: "vector" }),
  journal: placeOf(MAIN, { view: "journal", entry: "1" }),
  snapshots: placeOf(MAIN, { view: "snapshots", before: "at the start" }),
  faults: placeOf(MAIN, { view: "faults" }),
};
const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  narrow: { colorScheme: "light", viewport: { width: 390, height: 800 } },
};

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/shoot-page.mjs <folder> [view …]");
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
if (browser === undefined) throw new Error("there is no browser");
const { server, url } = await serveWorld();
try {
  await fill();
  for (const [look, options] of Object.entries(LOOKS)) {
    for (const [view, hash] of Object.entries(VIEWS)) {
      if (wanted.length > 0 && !wanted.includes(view)) continue;
      const page = await openPage(browser, url, hash, options);
      await settle(page);
      await page.screenshot({ path: join(folder, `${view}-${look}.png`) });
      await page.finish();
    }
  }
} finally {
  await browser.close();
  await server.close();
}

/** Calls, a snapshot and a fault, so that there is something to see. */
async function fill() {
  const ask = (method, path, body) =>
    fetch(`${url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
  const cities = `/db/world:main/tables/cities`;
  await ask("PUT", "/_twinbase/snapshots/at%20the%20start");
  await ask("POST", `${cities}/query`, { filter: { country: "IS" }, page: { size: 3 } });
  await ask("PATCH", `${cities}/data/3413829`, { population: 140_000 });
  await ask("POST", `${cities}/data`, { name: "New Town", population: 12, country: "IS" });
  await ask("POST", `${cities}/query`, { filter: { nmae: "Oslo" } });
  await ask("DELETE", `${cities}/data/3413829`);
  await ask("POST", "/_twinbase/faults", {
    on: { operation: "queryTable", table: "cities" },
    answer: { status: 503 },
    times: 2,
  });
}
