// Locales, empty states, loading and failures.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { CRM, openPeople, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, dropFile, placeOf } from "./open.mjs";

/** Starts under every locale, also those that `Intl` rejects, and formats numbers by it. */
export async function locales({ open, world: { url } }) {
  for (const [locale, count] of [
    ["en-US@posix", /^135,233 records$/],
    ["de-CH", /^135['’]233 records$/],
  ]) {
    const page = await open(url, placeOf("demo/world/main/cities"), { locale });
    await page.getByText(count).waitFor();
    await page.getByRole("link", { name: "Charts" }).click();
    await page.getByLabel("Column").selectOption("population");
    await page.locator(".chart canvas").waitFor();
  }
}

/** Empty states have a button for the next step. */
export async function nothing({ open, serve }) {
  const { url } = await serveCrm(serve);
  const page = await open(url, placeOf("demo/crm/bare"));
  await page.getByRole("heading", { name: "No tables yet" }).waitFor();
  await checkAccess(page, "no tables");
  await page.getByRole("button", { name: "New table" }).click();
  const dialog = page.getByRole("dialog", { name: "New table" });
  await dialog.getByLabel("Name of the table").fill("notes");
  await checkAccess(page, "a new table");
  await dialog.getByRole("button", { name: "Create table" }).click();
  await page.getByRole("region", { name: "Table notes" }).waitFor();

  await page.visit(placeOf(`${CRM}/empty`));
  await page.getByRole("heading", { name: "No records yet" }).waitFor();
  await checkAccess(page, "no records");
  await page.getByRole("button", { name: "Insert record" }).click();
  await page.getByRole("complementary", { name: "New record in empty" }).waitFor();

  await page.visit(placeOf(`${CRM}/people`, { filter: '{"age":{"$gt":900}}' }));
  await page.getByRole("heading", { name: "No record matches the filter" }).waitFor();
  await checkAccess(page, "no matching records");
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByText("40 records").waitFor();

  await page.visit(placeOf(CRM, { view: "search", words: "zzzzzz" }));
  const more = page.getByRole("button", { name: "Allow more typos" });
  await more.waitFor();
  await checkAccess(page, "nothing found");
  await more.click();
  await page.waitForURL(/fuzziness=2/);
  await page.visit(placeOf(CRM, { view: "journal", words: "zzz" }));
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  await page.visit(placeOf(`${CRM}/gone`));
  await page.getByRole("link", { name: "Show the schema" }).click();
  await page.getByRole("region", { name: "Table people" }).waitFor();

  const bare = await serve(createEngine({ seed: 1 }));
  const other = await open(bare.url);
  await other.getByRole("heading", { name: "No databases yet" }).waitFor();
  await checkAccess(other, "no databases");
  await other.getByRole("button", { name: "New database" }).click();
  await other.getByLabel("Name").fill("shop");
  await other.getByRole("button", { name: "Create database" }).click();
  await other.getByRole("heading", { name: "No tables yet" }).waitFor();
}

/** Shows that it is loading, and a message where a view fails. */
export async function waiting({ open, serve }) {
  const { page } = await openPeople({ open, serve });
  const sign = page.getByRole("progressbar", { name: "Loading" });
  await sign.waitFor({ state: "detached" });
  let answer;
  const isAnswered = new Promise((resolve) => {
    answer = resolve;
  });
  await page.route("**/people/query", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await sign.waitFor();
  answer();
  await sign.waitFor({ state: "detached" });
  await page.unroute("**/people/query");
  // An invalid response breaks the view, not the page.
  const broken = {
    json: { summaries: null, aggs: { c0: 3, c1: 3, c2: 3, values: { values: [null] } } },
  };
  await page.route("**/people/aggregate", (route) => route.fulfill(broken));
  await page.getByRole("link", { name: "Charts" }).click();
  const crash = page.getByRole("alert").filter({ hasText: "This view stopped working" });
  await crash.waitFor();
  await checkAccess(page, "a view that stopped working");
  await page.unroute("**/people/aggregate");
  await crash.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("heading", { name: "Group by" }).waitFor();
}

/** Records of the other names for ids and metadata are shown, found, changed and imported like all. */
export async function otherNames({ open, serve }) {
  const { page, grid, people } = await openPeople({ open, serve }, "xata-next");
  await grid.getByRole("columnheader", { name: "xata_id" }).waitFor();
  await grid.getByText("Contoso").first().waitFor();
  await grid.getByRole("button", { name: "p01", exact: true }).click();
  const drawer = page.getByRole("complementary", { name: "Record p01" });
  await drawer.getByText("2030-01-01T00:00:00Z").first().waitFor();
  await drawer.getByLabel("age int").fill("99");
  await drawer.getByRole("button", { name: "Save" }).click();
  await becomes(() => people.get("p01").xata_version, 1);
  await drawer.getByRole("definition").getByText("1", { exact: true }).waitFor();
  people.update("p01", { name: "Changed by others" });
  await grid.getByText("Changed by others").waitFor();
  await dropFile(page, "div.records", { name: "a.csv", text: "xata_id,name\nnew,Eve\np02,Bob\n" });
  const dialog = page.getByRole("dialog", { name: "Import into people" });
  await dialog.getByText("a record p02 exists").waitFor();
  await dialog.getByRole("button", { name: "Import 1 good record" }).click();
  await page.getByText("41 records").waitFor();
  assert.equal(people.get("new").name, "Eve");

  await page.visit(placeOf(`${CRM}/people`, { filter: '{"xata_version":{"$gt":1}}' }));
  await page.getByText("1 record", { exact: true }).waitFor();
  await page.visit(placeOf(CRM, { view: "search", words: "lovelace" }));
  await page.locator(".found a").first().click();
  await page.getByRole("complementary", { name: "Record p07" }).waitFor();
  await page.visit(placeOf(`${CRM}/people`, { view: "charts", group: "company" }));
  await page.getByRole("heading", { name: "Group by" }).waitFor();
  await page.getByText("c1", { exact: true }).first().waitFor();
}

/** Without control neither the page nor the routes that it calls exist. */
export async function uncontrolled({ serve }) {
  const engine = createEngine({ seed: 1 });
  engine.createWorkspace("demo").createDatabase("crm");
  const { url } = await serve(engine, { control: undefined });
  for (const path of ["", "app.js", "app.css", "events", "counts", "journal?text=a", "snapshots"]) {
    assert.equal((await fetch(`${url}/_twinbase/${path}`)).status, 404, path);
  }
}
