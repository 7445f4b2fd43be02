// What the page shows while it starts, waits, has nothing to show, or fails.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { serve } from "../../dist/node.js";
import { CRM, PEOPLE, serveCrm } from "./crm.mjs";
import { checkAccess, openPage, placeOf, serveEngine } from "./open.mjs";

/** Starts under every locale, also those that `Intl` refuses, and writes numbers as it does. */
export async function locales({ browser, world: { url } }) {
  for (const [locale, count] of [
    ["en-US@posix", /^135,233 records$/],
    ["de-CH", /^135['’]233 records$/],
  ]) {
    const page = await openPage(browser, url, placeOf("demo/world/main/cities"), { locale });
    await page.getByText(count).waitFor();
    await page.getByRole("link", { name: "Charts" }).click();
    await page.getByLabel("Column").selectOption("population");
    await page.locator(".chart canvas").waitFor();
    await page.finish();
  }
}

/** Says what to do next where there is nothing, with a button that does it. */
export async function nothing({ browser }) {
  const { server, url } = await serveCrm();
  const page = await openPage(browser, url, placeOf("demo/crm/bare"));
  await page.getByRole("heading", { name: "No tables yet" }).waitFor();
  await checkAccess(page, "no tables");
  await page.getByRole("button", { name: "New table" }).click();
  const dialog = page.getByRole("dialog", { name: "New table" });
  await dialog.getByLabel("Name of the table").fill("notes");
  await checkAccess(page, "a new table");
  await dialog.getByRole("button", { name: "Create table" }).click();
  await page.getByRole("region", { name: "Table notes" }).waitFor();

  await page.goto(`${url}/_twinbase/${placeOf(`${CRM}/empty`)}`);
  await page.getByRole("heading", { name: "No records yet" }).waitFor();
  await checkAccess(page, "no records");
  await page.getByRole("button", { name: "Insert record" }).click();
  await page.getByRole("complementary", { name: "New record in empty" }).waitFor();

  await page.goto(
    `${url}/_twinbase/${placeOf(`${CRM}/people`, { filter: '{"age":{"$gt":900}}' })}`,
  );
  await page.getByRole("heading", { name: "No record matches the filter" }).waitFor();
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByText("40 records").waitFor();

  await page.goto(`${url}/_twinbase/${placeOf(CRM, { view: "search", words: "zzzzzz" })}`);
  await page.getByRole("button", { name: "Allow more typos" }).click();
  await page.waitForURL(/fuzziness=2/);
  await page.goto(`${url}/_twinbase/${placeOf(CRM, { view: "journal", words: "zzz" })}`);
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  await page.goto(`${url}/_twinbase/${placeOf(`${CRM}/gone`)}`);
  await page.getByRole("link", { name: "Show the schema" }).click();
  await page.getByRole("region", { name: "Table people" }).waitFor();
  await page.finish();
  await server.close();

  const bare = await serveEngine(createEngine({ seed: 1 }));
  const other = await openPage(browser, bare.url);
  await other.getByRole("heading", { name: "No databases yet" }).waitFor();
  await other.getByRole("button", { name: "New database" }).click();
  await other.getByLabel("Name").fill("shop");
  await other.getByRole("button", { name: "Create database" }).click();
  await other.getByRole("heading", { name: "No tables yet" }).waitFor();
  await other.finish();
  await bare.server.close();
}

/** Shows a sign while one waits, and a message for what it cannot go on from. */
export async function waiting({ browser }) {
  const { server, url } = await serveCrm();
  const page = await openPage(browser, url, PEOPLE);
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
  // An answer that no service gives breaks the view, not the page.
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
  await page.finish();
  await server.close();
}

/** Without control nothing of the page is there, nor what it calls. */
export async function uncontrolled() {
  const engine = createEngine({ seed: 1 });
  engine.createWorkspace("demo").createDatabase("crm");
  const server = await serve(engine);
  for (const path of ["", "app.js", "app.css", "events", "counts", "journal?text=a", "snapshots"]) {
    assert.equal((await fetch(`${server.url}/_twinbase/${path}`)).status, 404, path);
  }
  await server.close();
}
