// Locales, empty states, loading and failures.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { CRM, PEOPLE, serveCrm } from "./crm.mjs";
import { checkAccess, placeOf } from "./open.mjs";

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
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByText("40 records").waitFor();

  await page.visit(placeOf(CRM, { view: "search", words: "zzzzzz" }));
  await page.getByRole("button", { name: "Allow more typos" }).click();
  await page.waitForURL(/fuzziness=2/);
  await page.visit(placeOf(CRM, { view: "journal", words: "zzz" }));
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  await page.visit(placeOf(`${CRM}/gone`));
  await page.getByRole("link", { name: "Show the schema" }).click();
  await page.getByRole("region", { name: "Table people" }).waitFor();

  const bare = await serve(createEngine({ seed: 1 }));
  const other = await open(bare.url);
  await other.getByRole("heading", { name: "No databases yet" }).waitFor();
  await other.getByRole("button", { name: "New database" }).click();
  await other.getByLabel("Name").fill("shop");
  await other.getByRole("button", { name: "Create database" }).click();
  await other.getByRole("heading", { name: "No tables yet" }).waitFor();
}

/** Shows that it is loading, and a message where a view fails. */
export async function waiting({ open, serve }) {
  const { url } = await serveCrm(serve);
  const page = await open(url, PEOPLE);
  await page.getByText("40 records").waitFor();
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

/** Records that it cannot read are named, instead of a view that stops working. */
export async function unknownRecords({ open, serve }) {
  const engine = createEngine({ profile: "xata-next", seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("crm").branch("main");
  main.createTable("people", [{ name: "name", type: "string" }]).insert({ name: "Ann" });
  const { url } = await serve(engine);
  const page = await open(url, PEOPLE);
  const unknown = page.getByRole("heading", { name: /^Records of profile xata-next are not/ });
  await unknown.waitFor();
  for (const view of ["charts", "search"]) {
    await page.visit(placeOf(view === "search" ? CRM : `${CRM}/people`, { view }));
    await unknown.waitFor();
  }
  await checkAccess(page, "records of an unknown profile");
  await page.visit(placeOf(CRM));
  await page.getByText("people", { exact: true }).first().waitFor();
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
