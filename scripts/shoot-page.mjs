// Pictures of each view of the explorer, light and dark, wide and narrow, to be looked at.
// Runs on the built package: node scripts/shoot-page.mjs <folder> [view …]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createEngine } from "../dist/index.js";
import { CRM, serveCrm } from "./page/crm.mjs";
import {
  dropFile,
  launchBrowser,
  openPage,
  placeOf,
  serveEngine,
  serveWorld,
  settle,
} from "./page/open.mjs";

const MAIN = "demo/world/main";
const PEOPLE = `${CRM}/people`;
const LARGE = JSON.stringify({ population: { $gt: 1_000_000 }, "country.region": "Asia" });
const BOOSTERS = JSON.stringify([
  { numericBooster: { column: "population", factor: 2, modifier: "log1p" } },
  { valueBooster: { column: "country.region", value: "Europe", factor: 5 } },
]);
const FILE = {
  name: "people.csv",
  text: "name,email,company,city\nEve,eve@example.com,c1,Oslo\nSam,,Acme,Rome\n",
};

/** Views by the server they are of: a place, and what is done there. */
const VIEWS = {
  world: {
    databases: [""],
    schema: [placeOf(MAIN)],
    records: [placeOf(`${MAIN}/cities`, { sort: "population:desc", record: "1796236" })],
    filter: [
      placeOf(`${MAIN}/cities`, { panel: "filter", filter: LARGE, sort: "population:desc" }),
    ],
    columns: [placeOf(`${MAIN}/cities`, { panel: "columns", columns: "name,country.name.common" })],
    explain: [placeOf(`${MAIN}/cities`, { panel: "explain", filter: LARGE })],
    numbers: [placeOf(`${MAIN}/cities`, { view: "charts", column: "coordinates.lat" })],
    values: [placeOf(`${MAIN}/countries`, { view: "charts", column: "region" })],
    search: [placeOf(MAIN, { view: "search", words: "san marino republic" })],
    boosters: [placeOf(MAIN, { view: "search", words: "san", in: "cities", boosters: BOOSTERS })],
    vectors: [placeOf(MAIN, { view: "search", by: "vector" })],
    journal: [placeOf(MAIN, { view: "journal" })],
    call: [placeOf(MAIN, { view: "journal", entry: "1" })],
    "failed-call": [placeOf(MAIN, { view: "journal", entry: "3" })],
    snapshots: [placeOf(MAIN, { view: "snapshots", before: "at the start" })],
    faults: [placeOf(MAIN, { view: "faults" })],
    menu: [
      placeOf(MAIN),
      async (page) => {
        if (await page.getByRole("button", { name: "Menu" }).isVisible()) await click(page, "Menu");
      },
    ],
  },
  crm: {
    people: [placeOf(PEOPLE)],
    "edit-table": [placeOf(CRM), (page) => click(page, "Edit people")],
    "add-column": [
      placeOf(CRM),
      async (page) => {
        await click(page, "Edit people");
        await click(page, "Add column");
      },
    ],
    "remove-column": [
      placeOf(CRM),
      async (page) => {
        await click(page, "Edit people");
        await click(page, "Remove age");
      },
    ],
    "new-table": [placeOf(CRM), (page) => click(page, "New table")],
    branches: [placeOf(CRM, { view: "snapshots", branches: `${CRM}/draft` })],
    selection: [placeOf(PEOPLE), select],
    "set-value": [
      placeOf(PEOPLE),
      async (page) => {
        await select(page);
        await click(page, "Set value…");
      },
    ],
    delete: [
      placeOf(PEOPLE),
      async (page) => {
        await select(page);
        await page.getByRole("toolbar", { name: "Selection" }).getByText("Delete").click();
      },
    ],
    export: [placeOf(PEOPLE), (page) => click(page, "Export")],
    import: [
      placeOf(PEOPLE),
      async (page) => {
        await dropFile(page, "div.records", FILE);
        await page.getByRole("region", { name: "First records of the file" }).waitFor();
      },
    ],
    drag: [placeOf(PEOPLE), (page) => dropFile(page, "div.records", FILE, "dragenter")],
    link: [
      placeOf(PEOPLE, { record: "p07" }),
      async (page) => {
        await page.getByLabel("company link to companies").click();
        await page.getByRole("listbox").waitFor();
      },
    ],
    "dead-link": [
      placeOf(PEOPLE, { record: "p07" }),
      async (page) => {
        await page.getByLabel("company link to companies").fill("nowhere");
        await page.getByText("would lead nowhere").waitFor();
      },
    ],
    "new-record": [placeOf(PEOPLE), (page) => click(page, "New record")],
    cell: [
      placeOf(PEOPLE),
      async (page) => {
        await page.getByRole("grid").getByText("Person 3", { exact: true }).dblclick();
        await page.getByLabel("name: string").fill("Somebody");
      },
    ],
    refused: [
      placeOf(PEOPLE, { record: "p05" }),
      async (page) => {
        await page.getByLabel("age int").fill("many");
        await click(page, "Save");
        await page.getByText("Not saved").waitFor();
      },
    ],
    conflict: [
      placeOf(PEOPLE, { record: "p06" }),
      async (page, { people }) => {
        await page.getByLabel("name string").fill("Mine");
        people.update("p06", { name: "Theirs", age: people.get("p06").age + 1 });
        await click(page, "Show theirs");
      },
    ],
    "cell-conflict": [
      placeOf(PEOPLE),
      async (page, { people }) => {
        await page.getByRole("grid").getByText("Person 9", { exact: true }).dblclick();
        await page.getByLabel("name: string").fill("Mine");
        people.update("p09", { age: people.get("p09").age + 1, name: "Theirs" });
        await page.getByText("It now holds").waitFor();
        people.update("p09", { name: "Person 9" });
      },
    ],
    drafts: [
      placeOf(PEOPLE, { record: "p08" }),
      async (page) => {
        await page.getByLabel("name string").fill("Half done");
        await page.getByRole("button", { name: "Close record" }).click();
      },
    ],
    saved: [
      placeOf(PEOPLE, { record: "p10" }),
      async (page) => {
        const field = page.getByLabel("email email");
        await field.fill(`p${Date.now()}@example.com`);
        await click(page, "Save");
        await page.getByText("was saved").waitFor();
      },
    ],
    others: [
      placeOf(PEOPLE),
      async (page, { people }) => {
        await page.getByText("Live", { exact: true }).waitFor();
        people.delete("p04");
        people.insert({ id: "p04", name: "Person 4", company: "c0" });
        people.insert({ name: "Newcomer" });
        await page.getByRole("button", { name: /new row/ }).waitFor();
      },
    ],
    "no-match": [placeOf(PEOPLE, { filter: '{"age":{"$gt":900}}' })],
    "no-records": [placeOf(`${CRM}/empty`)],
    "no-tables": [placeOf("demo/crm/bare")],
    "no-table": [placeOf(`${CRM}/gone`)],
    "no-charts": [placeOf(`${CRM}/empty`, { view: "charts" })],
    "no-found": [placeOf(CRM, { view: "search", words: "zzzzzz" })],
    "no-calls": [placeOf(CRM, { view: "journal" })],
    "no-snapshots": [placeOf(CRM, { view: "snapshots" })],
    "no-faults": [placeOf(CRM, { view: "faults" })],
    crash: [
      placeOf(PEOPLE),
      async (page) => {
        const json = { summaries: null, aggs: { c0: 3, values: { values: [null] } } };
        await page.route("**/people/aggregate", (route) => route.fulfill({ json }));
        await page.getByRole("link", { name: "Charts" }).click();
        await page.getByText("stopped working").waitFor();
      },
    ],
  },
  bare: { "no-databases": [""] },
  closed: { key: [""] },
};
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 400, height: 800 };
const LOOKS = {
  light: { colorScheme: "light", viewport: WIDE },
  dark: { colorScheme: "dark", viewport: WIDE },
  "light-narrow": { colorScheme: "light", viewport: NARROW },
  "dark-narrow": { colorScheme: "dark", viewport: NARROW },
};
const USERS = [{ email: "a@b.c", fullname: "A", keys: ["open-sesame"], workspaces: ["demo"] }];
const SERVERS = {
  world: async () => fill(await serveWorld()),
  crm: async () => {
    const served = await serveCrm();
    const draft = served.engine
      .workspace("demo")
      .database("crm")
      .createBranch("draft", { from: "main" });
    draft.table("people").update("p01", { company: "c0", age: 99 });
    draft.table("people").delete("p02");
    return served;
  },
  bare: () => serveEngine(createEngine({ seed: 1 })),
  closed: () => {
    const engine = createEngine();
    engine.createWorkspace("demo");
    return serveEngine(engine, { users: USERS });
  },
};

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node scripts/shoot-page.mjs <folder> [view …]");
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
if (browser === undefined) throw new Error("there is no browser");
try {
  for (const [name, views] of Object.entries(VIEWS)) {
    const chosen = Object.entries(views).filter(
      ([view]) => wanted.length === 0 || wanted.includes(view),
    );
    if (chosen.length === 0) continue;
    const served = await SERVERS[name]();
    for (const [view, [hash, act]] of chosen) {
      for (const [look, options] of Object.entries(LOOKS))
        await shoot(view, hash, { act, look, options, served });
    }
    await served.server.close();
  }
} finally {
  await browser.close();
}

async function shoot(view, hash, { act, look, options, served }) {
  const page = await openPage(browser, served.url, hash, options);
  try {
    await settle(page);
    await act?.(page, served);
    await settle(page);
  } catch (error) {
    process.stdout.write(`${view}-${look}: ${error.message.split("\n")[0]}\n`);
  }
  await page.screenshot({ path: join(folder, `${view}-${look}.png`) });
  await page.context().close();
}

async function click(page, name) {
  await page.getByRole("button", { name, exact: true }).first().click({ timeout: 5000 });
}

async function select(page) {
  const boxes = page.getByRole("grid").getByRole("checkbox", { name: "Select", exact: true });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
}

/** Calls, a snapshot and a fault, so that there is something to see. */
async function fill(served) {
  const ask = (method, path, body) =>
    fetch(`${served.url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
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
  return served;
}
