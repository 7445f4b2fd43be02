// The grid and the filter, by clicks and by keys.
import assert from "node:assert/strict";
import { becomes, checkAccess, focused, placeOf, settle } from "./open.mjs";

const CITIES = "demo/world/main/cities";

/** Navigates from the only database to a record, and opens a shared address. */
export async function browse({ open, world: { url, engine } }) {
  const cities = engine.workspace("demo").database("world").branch("main").table("cities");
  const [first] = cities.query({ page: { size: 1 } }).records;
  const page = await open(url);
  await page.getByRole("heading", { name: "Schema" }).waitFor();
  await page.getByRole("link", { name: "Databases", exact: true }).click();
  await page.getByText("1 database", { exact: true }).waitFor();
  await checkAccess(page, "databases");
  await page.getByRole("link", { name: "Twinbase" }).click();
  await checkAccess(page, "schema");
  await page.getByRole("link", { name: "cities", exact: true }).first().click();
  const grid = page.getByRole("grid", { name: "Records of cities" });
  await grid.getByText(first.name, { exact: true }).first().waitFor();
  await page.getByText("135,233 records").waitFor();
  await checkAccess(page, "records");

  await grid.getByRole("button", { name: "population" }).click();
  await page.waitForURL(/sort=population$/);
  await grid.getByRole("button", { name: "population" }).click();
  await grid.getByText("Shanghai").waitFor();
  assert.match(page.url(), /sort=population%3Adesc/);
  await grid
    .getByRole("button", { name: "name string", exact: true })
    .click({ modifiers: ["Shift"] });
  await page.getByRole("button", { name: "Sorted by name" }).waitFor();

  // To the last record and back.
  await page.getByText("135,233 records").waitFor();
  await grid.focus();
  await page.keyboard.press("Control+End");
  await page.waitForFunction(
    () => document.querySelector("#active-cell")?.closest("[role=row]")?.ariaRowIndex === "135234",
  );
  await page.waitForFunction(() => document.querySelector("#active-cell button") !== null);
  await page.keyboard.press("Control+Home");
  await grid.getByText("Shanghai").waitFor();

  // Follow a link by keys.
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Alt+Enter");
  const drawer = page.getByRole("complementary", { name: "Record CN" });
  await drawer.waitFor();
  await becomes(() => drawer.getByLabel("name.common string").inputValue(), "China");
  await checkAccess(page, "record");
  await drawer.getByRole("link", { name: "cities.country" }).click();
  const linked = `${cities.count({ country: "CN" }).toLocaleString("en")} records`;
  await page.getByText(linked).waitFor();

  // The same address shows the same to another reader.
  const shared = await open(url, new URL(page.url()).hash);
  await shared.getByText(linked).waitFor();
  await page.goBack();
  await drawer.waitFor();
}

/** Builds a filter in the form and in JSON; errors appear at the invalid part. */
export async function filter({ open, world: { url, engine } }) {
  const cities = engine.workspace("demo").database("world").branch("main").table("cities");
  const counted = (request) => `${cities.count(request).toLocaleString("en")} records`;
  const page = await open(url, placeOf(CITIES));
  await page.getByRole("button", { name: "Filter" }).click();
  const panel = page.getByRole("form", { name: "Filter" });
  const json = panel.getByRole("textbox", { name: "JSON" });
  // The first condition has no effect without a value.
  await focused(panel.getByLabel("Column"));
  await becomes(() => json.inputValue(), "{}");
  await page.keyboard.press("Enter");
  await panel.getByLabel("Column").selectOption("population");
  await panel.getByLabel("Operator").selectOption("$ge");
  await panel.getByLabel("Value").fill("5000000");
  const readJson = async () => JSON.parse(await json.inputValue());
  await becomes(readJson, { population: { $ge: 5_000_000 } });
  await panel.getByLabel("Value").press("Enter");
  await page.getByText(counted({ population: { $ge: 5_000_000 } })).waitFor();
  await checkAccess(page, "filter");

  await panel.getByRole("button", { name: "+ Group" }).click();
  await focused(panel.getByLabel("Column").nth(1));
  await panel.getByLabel("Column").last().selectOption("country.region");
  await panel.getByLabel("Value").last().fill("Europe");
  await panel.getByRole("button", { name: "+ Condition" }).last().click();
  await focused(panel.getByLabel("Column").nth(2));
  const remove = panel.getByRole("button", { name: "Remove condition" });
  await remove.last().click();
  await page.locator(":focus", { hasText: "Condition" }).waitFor();
  await panel.getByRole("button", { name: "Apply" }).click();
  const europe = { population: { $ge: 5_000_000 }, "country.region": "Europe" };
  await page.getByText(counted(europe)).waitFor();

  // JSON becomes a form.
  await json.fill('{"name": {"$startsWith": "Reyk"}, "$not": {"population": {"$lt": 3000}}}');
  await panel.getByRole("combobox", { name: "Operator" }).first().waitFor();
  await becomes(() => panel.getByLabel("Operator").first().inputValue(), "$startsWith");
  await json.press("Control+Enter");
  await page.getByText("1 record", { exact: true }).waitFor();

  // Invalid JSON, and a filter that the service rejects.
  await json.fill('{\n  "name": oops\n}');
  await panel.getByText("line 2, column 11").waitFor();
  const refused = [];
  page.on("response", (response) => response.status() >= 400 && refused.push(response.url()));
  await json.fill('{"population": {"$ge": 1}, "$any": [{"name": "Oslo"}, {"nmae": "Rome"}]}');
  await json.press("Control+Enter");
  const faulty = panel.locator(".condition", { has: page.locator(".fault") });
  await faulty.waitFor();
  await becomes(() => faulty.getByLabel("Column").inputValue(), "nmae");
  await faulty.locator(".fault", { hasText: /unknown column|not found|nmae/ }).waitFor();
  const wrong = () =>
    Promise.all(
      ["Column", "Value"].map((of) => faulty.getByLabel(of).getAttribute("aria-invalid")),
    );
  await becomes(wrong, ["true", "false"]);
  await checkAccess(page, "a filter that is refused");
  // Line and column locate the wrong name; the message disappears after a change.
  const given = (await json.inputValue()).split("\n");
  const line = given.findIndex((text) => text.includes("nmae"));
  const place = `line ${line + 1}, column ${given[line].indexOf('"nmae"') + 1}: `;
  await panel.locator("#filter-json-fault", { hasText: place }).waitFor();
  await json.fill("{oops");
  await panel.getByText("line 1, column 2").waitFor();
  await becomes(() => panel.getByRole("alert").count(), 0);
  await settle(page);
  assert.equal(refused.length, 1, refused.join(" "));
  await json.fill('{"population": "many"}');
  await json.press("Control+Enter");
  await panel.locator("#filter-json-fault", { hasText: "line 2, column 17: " }).waitFor();
  await becomes(wrong, ["false", "true"]);
  await panel.getByRole("button", { name: "Clear" }).click();
  await page.getByText("135,233 records").waitFor();

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("grid").getByRole("button", { name: "population" }).click();
  await page.waitForURL(/sort=population\b(?!%3A)/);
  await page.getByRole("grid").getByRole("button", { name: "population" }).click();
  await page.waitForURL(/sort=population%3Adesc/);
  await page.getByRole("checkbox", { name: "country.name.common string" }).check();
  await page.getByRole("columnheader", { name: "country.name.common" }).waitFor();
  await page.getByRole("grid").getByText("China", { exact: true }).first().waitFor();
  await checkAccess(page, "columns");
  const isInPanel = (part) =>
    part.evaluate((element) => {
      const panel = element.closest(".panel").getBoundingClientRect();
      const { top, bottom } = element.getBoundingClientRect();
      return top >= panel.top && bottom <= panel.bottom;
    });
  const add = page.getByRole("button", { name: "Add column" });
  await becomes(() => isInPanel(add), true, "the buttons of a long panel are visible");
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByText(/Index scan|table scan/).waitFor();
  const curl = page.getByRole("region", { name: "curl" });
  assert.ok((await curl.innerText()).includes(`'${url}/db/world:main/tables/cities/query'`));
  const fold = page.getByText("Query plan");
  for (const part of [curl, fold]) {
    await becomes(() => isInPanel(part), true, "visible without scrolling");
  }
  await fold.click();
  await page.getByRole("region", { name: "Plan" }).waitFor();
  await checkAccess(page, "explain");
}
