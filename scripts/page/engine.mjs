// Charts, the journal, snapshots and differences, faults and the clock.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { CRM, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, enter, focused, placeOf, serveWorld, settle } from "./open.mjs";

const MAIN = "demo/world/main";
const BOOSTERS = '[{"numericBooster":{"column":"population","factor":1,"modifier":"log1p"}}]';

/** Charts the values of columns, and groups of records. */
export async function charts({ open, world: { url, engine } }) {
  const cities = engine.workspace("demo").database("world").branch("main").table("cities");
  const page = await open(url, placeOf(`${MAIN}/cities`));
  await page.getByRole("link", { name: "Charts" }).click();
  // The first column has few values.
  const column = page.getByLabel("Column");
  await page.locator(".bars").waitFor();
  await becomes(() => column.inputValue(), "feature_code");
  await column.selectOption("population");
  await page.getByRole("img", { name: "Number of records by population" }).waitFor();
  await page.locator(".chart canvas").waitFor();
  await checkAccess(page, "charts: a number");
  await column.selectOption("service.createdAt");
  await page.getByRole("img", { name: "Number of records by service.createdAt" }).waitFor();
  await page.getByLabel("By", { exact: true }).first().selectOption("year");
  await page.waitForURL(/unit=year/);
  await page.getByText("2030-01-01T00:00:00Z").first().waitFor();
  await page.locator(".chart canvas").waitFor();
  await becomes(() => page.getByRole("alert").count(), 0);
  await checkAccess(page, "charts: dates");
  await column.selectOption("feature_code");
  const bars = page.locator(".bars");
  await bars.waitFor();
  const top = cities.aggregate({ aggs: { t: { topValues: { column: "feature_code", size: 1 } } } });
  const [{ $key, $count }] = top.aggs.t.values;
  await bars
    .locator("li")
    .first()
    .filter({ hasText: new RegExp(`^${$key}`) })
    .waitFor();
  await checkAccess(page, "charts: values");
  const groups = page.getByRole("region", { name: "Groups of records" });
  await page.getByLabel("Aggregate").selectOption("sum");
  await page.getByLabel("Of", { exact: true }).selectOption("population");
  await page.getByLabel("By", { exact: true }).selectOption("country.region");
  await groups.getByText("Asia").waitFor();
  await groups.getByText("sum of population").waitFor();
  await page.getByText("As code", { exact: true }).click();
  await checkAccess(page, "charts: groups");
  await bars.getByRole("link", { name: $key, exact: true }).click();
  await page.getByText(`${$count.toLocaleString("en")} records`).waitFor();
}

/** Charts only what aggregations of the profile `xata` accept: no links, no text. */
export async function foreignCharts({ open, serve }) {
  const engine = createEngine({ profile: "xata", seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("shop").branch("main");
  main.createTable("teams", [{ name: "name", type: "string" }]).insert({ id: "t1", name: "Ants" });
  main
    .createTable("users", [
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "bio", type: "text" },
      { name: "plan", type: "string" },
      { name: "age", type: "int" },
    ])
    .insert([
      { team: "t1", bio: "a", plan: "free", age: 30 },
      { team: "t1", bio: "b", plan: "paid", age: 40 },
    ]);
  const { url } = await serve(engine);
  const page = await open(url, placeOf("demo/shop/main/users", { view: "charts" }));
  await page.locator(".bars").waitFor();
  const column = page.getByLabel("Column");
  await becomes(() => column.inputValue(), "plan");
  await becomes(() => column.locator("option").allTextContents().then(String), "plan,age");
  await page.getByLabel("Aggregate").selectOption("sum");
  await page.getByRole("region", { name: "Groups of records" }).getByText("sum of age").waitFor();
  await becomes(() => page.getByRole("alert").count(), 0);
}

/** Lists calls as they arrive, except those of the page. */
export async function journal({ open, serve }) {
  const { url } = await serveWorld(serve);
  const page = await open(url, placeOf(MAIN, { view: "journal" }));
  await page.getByText("No calls yet").waitFor();
  await checkAccess(page, "an empty journal");
  const query = (body) =>
    fetch(`${url}/db/world:main/tables/cities/query`, {
      method: "POST",
      body: JSON.stringify(body),
    });
  await query({ filter: { name: "Oslo" } });
  await page.getByRole("button", { name: "queryTable" }).click();
  const request = page.getByRole("region", { name: "Request" });
  await request.getByText('"name": "Oslo"').waitFor();
  await page.getByRole("region", { name: "Response 200" }).waitFor();
  const curl = await page.getByRole("region", { name: "curl" }).innerText();
  assert.ok(curl.includes(`${url}/db/world:main/tables/cities/query`), curl);
  const code = await page.getByRole("region", { name: "TypeScript" }).innerText();
  assert.match(code, /\.workspace\("demo"\)\s+\.database\("world"\)/);
  await checkAccess(page, "journal");
  await page.getByRole("button", { name: "Close call" }).click();
  await query({ filter: { nmae: "Oslo" } });
  const failed = page.getByRole("row", { name: /400/ });
  await failed.getByText('{"nmae":"Oslo"}').waitFor();
  const reason = failed.getByText(/nmae.*did you mean name/);
  await reason.waitFor();
  const isCut = () => reason.evaluate((text) => text.scrollWidth > text.clientWidth);
  for (const width of [400, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await becomes(isCut, false, `a reason is read whole at ${width} pixels`);
  }
  const address = page.getByRole("navigation", { name: "Address" });
  await becomes(
    () => address.innerText(),
    "Journal",
    "the journal is the engine's, not a branch's",
  );
  await page.getByText("2 calls").waitFor();
  // The whole row is clickable; a call can be sent again or become a test.
  await failed.getByRole("cell", { name: "400" }).click();
  const detail = page.getByRole("region", { name: "Call 1" });
  await detail.getByRole("button", { name: "Make a test" }).click();
  const test = await page.getByRole("region", { name: "Test" }).innerText();
  assert.match(test, /expect\(response\.status\)\.toBe\(400\)/);
  await checkAccess(page, "a call as a test");
  // In a narrow window the call replaces the list.
  await page.setViewportSize({ width: 400, height: 800 });
  await page.getByRole("region", { name: "Calls" }).waitFor({ state: "hidden" });
  await checkAccess(page, "a call in a narrow window");
  await page.setViewportSize({ width: 1280, height: 800 });
  await detail.getByRole("button", { name: "Replay" }).click();
  await page.getByText("Replayed: status 400").waitFor();
  // Equal calls are folded into one row with their number.
  await page.getByTitle("2 identical calls").waitFor();
  await detail.getByRole("button", { name: "Later" }).click();
  await page.getByRole("region", { name: "Call 2" }).getByText("1 of 2 calls").waitFor();
  await page.getByLabel("Fold repeated calls").uncheck();
  await page.getByTitle("2 identical calls").waitFor({ state: "detached" });
  await page.getByLabel("Fold repeated calls").check();
  for (const [label, choice] of [
    ["Status", "failed"],
    ["Status", ""],
    ["Operation", "queryTable"],
    ["Table", "cities"],
  ]) {
    await page.getByLabel(label, { exact: true }).selectOption(choice);
    await page.getByText(choice === "failed" ? "2 of 3 calls" : /^3 calls$/).waitFor();
  }
  await page.getByLabel("Operation").selectOption("");
  await page.getByLabel("Table", { exact: true }).selectOption("");
  // The search covers the bodies of answers.
  await page.getByLabel("Search").fill("3143244");
  await page.getByText("1 of 3 calls").waitFor();
  await page.getByLabel("Search").fill("");
  // The conformance kit creates and deletes databases: their calls can be hidden.
  const own = (method, path, body) =>
    fetch(`${url}${path}`, { method, body: body && JSON.stringify(body) });
  const kit = "/workspaces/demo/dbs/kit-1";
  await own("PUT", kit, { branchName: "main", region: "local" });
  await own("PUT", "/db/kit-1:main/tables/probe");
  await own("DELETE", kit);
  await page.getByRole("button", { name: "deleteDatabase" }).waitFor();
  await page.getByLabel("Hide deleted databases").check();
  await page.getByText("3 of 6 calls").waitFor();
  await page.getByLabel("Search").fill("world:MAIN");
  await page.waitForURL(/world%3AMAIN/);
  await page.reload();
  await page.getByText("3 of 6 calls").waitFor();
  await becomes(() => page.getByLabel("Search").inputValue(), "world:MAIN");
  await page.getByLabel("Hide deleted databases").uncheck();
  await page.getByLabel("Search").fill("kit-1");
  await page.getByText("3 of 6 calls").waitFor();
  await page.getByLabel("Search").fill("");
  await page.getByText("6 calls", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("No calls yet").waitFor();
  // A failed call shows the part of its body that the error names.
  await query({ filter: { name: "Oslo" }, columns: ["name", "agee"] });
  await page.getByRole("row", { name: /400/ }).getByText('/columns/1: "agee"').waitFor();
}

/** Takes and restores snapshots; compares them, and branches. */
export async function snapshots({ open, serve }) {
  const { url, engine } = await serveWorld(serve);
  const world = engine.workspace("demo").database("world");
  const cities = world.branch("main").table("cities");
  const page = await open(url, placeOf(MAIN));
  await page.getByRole("link", { name: "Snapshots" }).click();
  const name = page.getByLabel("Name of the snapshot");
  await enter(name, "before <b>");
  const made = page.getByRole("row").filter({ hasText: "before <b>" });
  const taken = await made.getByText(/^taken .*\d:\d\d/).getAttribute("datetime");
  assert.ok(Math.abs(Date.parse(taken) - Date.now()) < 3_600_000, `taken ${taken}`);
  cities.update("3413829", { population: 1 });
  cities.insert({ id: "new", name: "New" });
  await page.getByRole("button", { name: "Compare with now" }).click();
  await page.getByText("2 changes").waitFor();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("record updated").waitFor();
  const isShown = async () => (await changes.innerText()).includes("population: 118918 1");
  await becomes(isShown, true, "the value before and after");
  await checkAccess(page, "a difference of snapshots");
  await page.getByRole("button", { name: "Restore" }).click();
  await checkAccess(page, "a question");
  await page.getByRole("button", { name: "Restore snapshot" }).click();
  await page.getByText("No differences.").waitFor();
  assert.equal(cities.get("new"), null);
  world.branch("what-if").table("cities").delete("3413829");
  world.branch("what-if").table("cities").update("1796236", { country: "IS" });
  await page.getByLabel("From branch").selectOption("main");
  await page.getByLabel("To branch").selectOption("what-if");
  await page.getByText("record deleted").waitFor();
  const links = async () => (await changes.innerText()).includes("country: CN IS");
  await becomes(links, true, "links are shown by their ids");
  await checkAccess(page, "a difference of branches");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("“before <b>” was deleted").waitFor();
  await page.getByText("No snapshots yet.").waitFor();
  await checkAccess(page, "no snapshots");
  await page.getByRole("button", { name: "Reset" }).click();
  await page.getByRole("button", { name: "Reset everything" }).click();
  await page.getByText("Everything was reset").waitFor();
}

/** Creates a branch, and compares it column by column. */
export async function branches({ open, serve }) {
  const { url, engine, main } = await serveCrm(serve);
  const crm = engine.workspace("demo").database("crm");
  crm.deleteBranch("bare");
  const page = await open(url, placeOf(CRM, { view: "snapshots" }));
  await page.getByText("No database has two branches yet").waitFor();
  await checkAccess(page, "nothing to compare");
  const name = page.getByLabel("Name of the snapshot");
  await enter(name, "before");
  await page.getByText("Snapshot “before” taken").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Databases" }).click();
  await page.getByRole("button", { name: "New branch" }).click();
  const dialog = page.getByRole("dialog", { name: "New branch of crm" });
  await dialog.getByLabel("Name").fill("whatif");
  await checkAccess(page, "a new branch");
  await dialog.getByRole("button", { name: "Create branch" }).click();
  await page.getByRole("heading", { name: "Schema" }).waitFor();
  const people = crm.branch("whatif").table("people");
  assert.equal(people.count(), 40);
  people.addColumn({ name: "phone", type: "string" });
  people.renameColumn("email", "mail");
  people.removeColumn("age");
  people.update("p01", { name: "Changed" });
  await page.getByRole("link", { name: "Databases" }).click();
  // The branch stays selected.
  await page.getByRole("link", { name: "Compare branches" }).waitFor();
  await page.getByRole("link", { name: "people 40" }).waitFor();
  await page.getByRole("link", { name: "Compare branches" }).click();
  await page.getByText("2 changes").waitFor();
  const changes = page.getByRole("region", { name: "Changes" });
  const altered = changes.getByRole("row", { name: /^table altered people/ });
  const shown = async () => (await altered.innerText()).split("\n").slice(1);
  await becomes(shown, [
    "renamed or replaced email: email mail: email",
    "added phone: string",
    "removed age: int",
  ]);
  await changes.getByRole("row", { name: /^record updated people p01/ }).waitFor();
  await checkAccess(page, "columns that differ");
  // A new branch is one change of the whole engine.
  await page.getByRole("button", { name: "Compare with now" }).click();
  await page.getByText("1 change", { exact: true }).waitFor();
  await changes.getByText("with 3 tables and 44 records").waitFor();
  assert.equal(main.table("people").count(), 40);
}

/** Adds faults, and sets the clock. */
export async function faults({ open, serve }) {
  const { url, engine } = await serveWorld(serve);
  const page = await open(url, placeOf(MAIN, { view: "faults" }));
  const time = page.getByRole("status", { name: "The engine's time" });
  await time.getByText("2030-01-01T00:00:00").waitFor();
  await page.getByRole("button", { name: "+ 1 day" }).click();
  await time.getByText("2030-01-02T00:00:00").waitFor();
  await enter(page.getByLabel("New time"), "soon");
  await page.getByRole("alert").getByText("Not a time").waitFor();
  for (const [text, read] of [
    ["2031-05-05", "2031-05-05T00:00:00Z"],
    ["tomorrow 9:30", "2031-05-06T09:30:00Z"],
    ["+3 days", "2031-05-09T09:30:00Z"],
    ["next monday", "2031-05-12T00:00:00Z"],
  ]) {
    await page.getByLabel("New time").fill(text);
    await page.getByText(`→ ${read}`).waitFor();
    await page.keyboard.press("Enter");
    await time.getByText(read).waitFor();
  }
  await enter(page.getByLabel("New time"), "2031-05-06T07:08:09Z");
  await time.getByText("2031-05-06T07:08:09Z").waitFor();
  assert.equal(engine.clock.now(), Date.parse("2031-05-06T07:08:09Z"));

  await page.getByLabel("Operation").selectOption("queryTable");
  await page.getByRole("combobox", { name: "Table" }).fill("citis");
  await page.getByRole("button", { name: "Add fault" }).click();
  await page.getByRole("alert").getByText("Did you mean cities?").waitFor();
  await page.getByRole("combobox", { name: "Table" }).fill("cities");
  await page.getByRole("button", { name: "Add fault" }).click();
  await page.getByText("The next queryTable on cities responds with status 503.").waitFor();
  await page.getByText('{"on":{"operation":"queryTable","table":"cities"}').waitFor();
  await checkAccess(page, "faults");
  const query = () => fetch(`${url}/db/world:main/tables/cities/query`, { method: "POST" });
  assert.equal((await query()).status, 503);
  assert.equal((await query()).status, 200);
  await page.getByText("1 · done").waitFor();
  await page.getByLabel("Status").fill("much");
  await page.getByRole("button", { name: "Add fault" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByText("No active faults.").waitFor();
  await checkAccess(page, "no faults");
}

/** Fits narrow windows, and has enough contrast in the dark theme. */
export async function looks({ open, world: { url } }) {
  const places = [
    "",
    placeOf(MAIN),
    placeOf(`${MAIN}/cities`, { panel: "filter", filter: '{"name":"Oslo"}' }),
    placeOf(`${MAIN}/cities`, { record: "3413829" }),
    placeOf(`${MAIN}/cities`, { view: "charts" }),
    placeOf(MAIN, { view: "search", words: "oslo", in: "cities", boosters: BOOSTERS }),
    placeOf(MAIN, { view: "search", by: "vector" }),
    placeOf(MAIN, { view: "journal" }),
    placeOf(MAIN, { view: "snapshots" }),
    placeOf(MAIN, { view: "faults" }),
  ];
  const narrow = { viewport: { width: 390, height: 800 } };
  for (const options of [{ colorScheme: "dark" }, narrow]) {
    const page = await open(url, "", options);
    for (const hash of places) {
      await page.visit(hash);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settle(page);
      await checkAccess(page, `${JSON.stringify(options)} ${hash}`);
      const isWide = () =>
        page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      await becomes(isWide, false, `${hash} is wider than the window`);
      for (const row of await page.locator(".condition, .booster").all()) {
        const { y } = await row.locator("select").first().boundingBox();
        const button = await row.getByRole("button", { name: /^Remove/ }).boundingBox();
        assert.ok(Math.abs(button.y - y) < 8, `${hash}: × is not in the first line of its row`);
      }
    }
  }
  const page = await open(url, "", narrow);
  const menu = page.getByRole("button", { name: "Menu" });
  const link = page.getByRole("link", { name: "Journal" });
  await menu.click();
  await checkAccess(page, "the menu of a narrow window");
  await page.getByRole("heading", { name: "Engine" }).click(); // which takes no focus
  await page.keyboard.press("Escape");
  await link.waitFor({ state: "hidden" });
  await focused(menu);
  await menu.click();
  await link.click();
  await page.getByRole("heading", { name: "Journal" }).waitFor();
  const button = page.getByRole("button", { name: "Theme: auto" });
  await button.click();
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await becomes(colour, "rgb(20, 24, 31)");
}
