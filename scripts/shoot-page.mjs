// Takes pictures of each view of the explorer, light and dark, wide and narrow.
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

/** Views by server: a location, and the actions there. */
const VIEWS = {
  world: {
    databases: [placeOf("", { view: "databases" })],
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
        const menu = page.getByRole("button", { name: "Menu" });
        if (await menu.isVisible()) await menu.click();
      },
    ],
  },
  crm: {
    people: [placeOf(PEOPLE)],
    "edit-table": [placeOf(CRM), click("Edit people")],
    "add-column": [placeOf(CRM), click("Edit people", "Add column")],
    "remove-column": [placeOf(CRM), click("Edit people", "Remove age")],
    "new-table": [placeOf(CRM), click("New table")],
    branches: [placeOf(CRM, { view: "snapshots", branches: `${CRM}/draft` })],
    selection: [placeOf(PEOPLE), select],
    "set-value": [placeOf(PEOPLE), select, click("Set value…")],
    delete: [
      placeOf(PEOPLE),
      select,
      (page) => page.getByRole("toolbar", { name: "Selection" }).getByText("Delete").click(),
    ],
    export: [placeOf(PEOPLE), click("Export")],
    import: [
      placeOf(PEOPLE),
      (page) => dropFile(page, "div.records", FILE),
      (page) => page.getByRole("region", { name: "First records of the file" }).waitFor(),
    ],
    drag: [placeOf(PEOPLE), (page) => dropFile(page, "div.records", FILE, "dragenter")],
    link: [
      placeOf(PEOPLE, { record: "p07" }),
      (page) => page.getByLabel("company link to companies").click(),
      (page) => page.getByRole("listbox").waitFor(),
    ],
    "filter-link": [
      placeOf(PEOPLE, { panel: "filter" }),
      (page) => page.getByLabel("Column").selectOption("company"),
      (page) => page.getByLabel("Value").click(),
      (page) => page.getByRole("listbox").waitFor(),
    ],
    "dead-link": [
      placeOf(PEOPLE, { record: "p07" }),
      fill("company link to companies", "nowhere"),
      see("would lead nowhere"),
    ],
    "cell-link": [
      placeOf(PEOPLE),
      (page) =>
        page
          .getByRole("grid")
          .getByText(/^Initech/)
          .nth(2)
          .dblclick(),
      (page) => page.getByRole("listbox").waitFor(),
    ],
    "new-record": [placeOf(PEOPLE), click("New record")],
    cell: [placeOf(PEOPLE), openName("Person 3"), fill("name: string", "Somebody")],
    refused: [
      placeOf(PEOPLE, { record: "p05" }),
      ...[fill("age int", "many"), click("Save"), see("Not saved")],
    ],
    conflict: [
      placeOf(PEOPLE, { record: "p06" }),
      fill("name string", "Mine"),
      (_, { people }) => people.update("p06", { name: "Theirs", age: people.get("p06").age + 1 }),
      click("Show theirs"),
    ],
    "cell-conflict": [
      placeOf(PEOPLE),
      ...[openName("Person 9"), fill("name: string", "Mine")],
      (_, { people }) => people.update("p09", { name: "Theirs" }),
      see("It now holds"),
      (_, { people }) => people.update("p09", { name: "Person 9" }),
    ],
    drafts: [
      placeOf(PEOPLE, { record: "p08" }),
      ...[fill("name string", "Half done"), click("Close record")],
    ],
    saved: [
      placeOf(PEOPLE, { record: "p10" }),
      fill("email email", `p${Date.now()}@example.com`),
      ...[click("Save"), see("was saved")],
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
      },
      see("stopped working"),
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
  world: async () => addActivity(await serveWorld()),
  crm: async () => {
    const served = await serveCrm(serveEngine);
    const crm = served.engine.workspace("demo").database("crm");
    const draft = crm.createBranch("draft", { from: "main" });
    draft.table("people").update("p01", { company: "c0", age: 99 });
    draft.table("people").delete("p02");
    draft.table("companies").addColumn({ name: "phone", type: "string" });
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
if (browser === undefined) throw new Error("no browser found");
try {
  for (const [name, views] of Object.entries(VIEWS)) {
    const chosen = Object.entries(views).filter(
      ([view]) => wanted.length === 0 || wanted.includes(view),
    );
    if (chosen.length === 0) continue;
    const served = await SERVERS[name]();
    for (const [view, [hash, ...acts]] of chosen) {
      for (const [look, options] of Object.entries(LOOKS)) {
        const page = await openPage(browser, served.url, hash, options);
        await shoot(page, `${view}-${look}`, { acts, served });
      }
    }
    await served.server.close();
  }
} finally {
  await browser.close();
}

async function shoot(page, name, { acts, served }) {
  try {
    await settle(page);
    for (const act of acts) await act(page, served);
    await settle(page);
  } catch (error) {
    process.stdout.write(`${name}: ${error.message.split("\n")[0]}\n`);
  }
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.context().close();
}

/** Clicks buttons one after the other. */
function click(...names) {
  return async (page) => {
    for (const name of names) {
      await page.getByRole("button", { name, exact: true }).first().click();
    }
  };
}

function fill(label, text) {
  return (page) => page.getByLabel(label).fill(text);
}

function see(text) {
  return (page) => page.getByText(text).waitFor();
}

/** Opens the cell with a name for editing. */
function openName(name) {
  return (page) => page.getByRole("grid").getByText(name, { exact: true }).dblclick();
}

async function select(page) {
  const boxes = page.getByRole("grid").getByRole("checkbox", { name: "Select", exact: true });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
}

/** Adds calls, a snapshot and a fault, for views that show them. */
async function addActivity(served) {
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
