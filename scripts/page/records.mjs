// The grid, the filter and the record, by clicks and by keys.
import assert from "node:assert/strict";
import { buildClient } from "@xata.io/client";
import { exportEngine } from "../../dist/export.js";
import { createFetch } from "../../dist/http.js";
import { createEngine } from "../../dist/index.js";
import { checkAccess, openPage, placeOf, serveEngine } from "./open.mjs";

const CITIES = "demo/world/main/cities";

/** Finds its way from the databases to a record, and sees what a shared address leads to. */
export async function browse({ browser, world: { url, engine } }) {
  const cities = engine.workspace("demo").database("world").branch("main").table("cities");
  const [first] = cities.query({ page: { size: 1 } }).records;
  const page = await openPage(browser, url);
  await page.getByRole("link", { name: "main", exact: true }).click();
  await page.getByRole("heading", { name: "Schema" }).waitFor();
  await checkAccess(page, "schema");
  await page.getByRole("link", { name: "cities", exact: true }).first().click();
  const grid = page.getByRole("grid", { name: "Records of cities" });
  await grid.getByText(first.name, { exact: true }).first().waitFor();
  await page.getByText("135,233 records").waitFor();
  await checkAccess(page, "records");

  await grid.getByRole("button", { name: "population" }).click();
  await grid.getByRole("button", { name: "population" }).click();
  await grid.getByText("Shanghai").waitFor();
  assert.match(page.url(), /sort=population%3Adesc/);
  await grid.getByRole("button", { name: "name", exact: true }).click({ modifiers: ["Shift"] });
  await page.getByRole("button", { name: "Sorted by name" }).waitFor();

  // The last record by keys, and back to the first.
  await grid.focus();
  await page.keyboard.press("Control+End");
  await page.waitForFunction(
    () => document.querySelector("#active-cell")?.closest("[role=row]")?.ariaRowIndex === "135234",
  );
  await page.waitForFunction(() => document.querySelector("#active-cell button") !== null);
  await page.keyboard.press("Control+Home");
  await grid.getByText("Shanghai").waitFor();

  // A link by the keyboard, to the record that it leads to.
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Alt+Enter");
  const drawer = page.getByRole("complementary", { name: "Record CN" });
  await drawer.waitFor();
  assert.equal(await drawer.getByLabel("name.common string").inputValue(), "China");
  await checkAccess(page, "record");
  await drawer.getByRole("link", { name: "cities.country" }).click();
  const linked = `${cities.count({ country: "CN" }).toLocaleString("en")} records`;
  await page.getByText(linked).waitFor();

  // Everything is in the address: another reader sees the same.
  const shared = await openPage(browser, url, new URL(page.url()).hash);
  await shared.getByText(linked).waitFor();
  await shared.finish();
  await page.goBack();
  await drawer.waitFor();
  await page.finish();
}

/** Makes a filter in the form and in JSON, and is told what is wrong where it is. */
export async function filter({ browser, world: { url, engine } }) {
  const cities = engine.workspace("demo").database("world").branch("main").table("cities");
  const counted = (request) => `${cities.count(request).toLocaleString("en")} records`;
  const page = await openPage(browser, url, placeOf(CITIES));
  await page.getByRole("button", { name: "Filter" }).click();
  const panel = page.getByRole("form", { name: "Filter" });
  const json = panel.getByRole("textbox", { name: "JSON" });
  await panel.getByRole("button", { name: "+ Condition" }).click();
  await panel.getByLabel("Column").selectOption("population");
  await panel.getByLabel("Operator").selectOption("$ge");
  await panel.getByLabel("Value").fill("5000000");
  assert.deepEqual(JSON.parse(await json.inputValue()), { population: { $ge: 5_000_000 } });
  await panel.getByLabel("Value").press("Enter");
  await page.getByText(counted({ population: { $ge: 5_000_000 } })).waitFor();
  await checkAccess(page, "filter");

  await panel.getByRole("button", { name: "+ Group" }).click();
  await panel.getByRole("button", { name: "+ Condition" }).first().click();
  await panel.getByLabel("Column").last().selectOption("country.region");
  await panel.getByLabel("Value").last().fill("Europe");
  await panel.getByRole("button", { name: "+ Condition" }).last().click();
  const remove = panel.getByRole("button", { name: "Remove condition" });
  await remove.last().click();
  await panel.getByRole("button", { name: "Apply" }).click();
  const europe = { population: { $ge: 5_000_000 }, "country.region": "Europe" };
  await page.getByText(counted(europe)).waitFor();

  // JSON comes back as a form.
  await json.fill('{"name": {"$startsWith": "Reyk"}, "$not": {"population": {"$lt": 3000}}}');
  await panel.getByRole("combobox", { name: "Operator" }).first().waitFor();
  assert.equal(await panel.getByLabel("Operator").first().inputValue(), "$startsWith");
  await json.press("Control+Enter");
  await page.getByText("1 record", { exact: true }).waitFor();

  // What is no JSON, and what the service refuses, at its place.
  await json.fill('{\n  "name": oops\n}');
  await panel.getByText("line 2, column 11").waitFor();
  await json.fill('{"population": {"$ge": 1}, "$any": [{"name": "Oslo"}, {"nmae": "Rome"}]}');
  await json.press("Control+Enter");
  const faulty = panel.locator(".condition", { has: page.locator(".fault") });
  await faulty.waitFor();
  assert.equal(await faulty.getByLabel("Column").inputValue(), "nmae");
  assert.match(await faulty.innerText(), /unknown column|not found|nmae/);
  await checkAccess(page, "a filter that is refused");
  await panel.getByRole("button", { name: "Clear" }).click();
  await page.getByText("135,233 records").waitFor();

  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("grid").getByRole("button", { name: "population" }).click();
  await page.getByRole("grid").getByRole("button", { name: "population" }).click();
  await page.getByRole("checkbox", { name: "country.name.common string" }).check();
  await page.getByRole("columnheader", { name: "country.name.common" }).waitFor();
  await page.getByRole("grid").getByText("China", { exact: true }).first().waitFor();
  await checkAccess(page, "columns");
  await page.getByRole("button", { name: "Explain" }).click();
  await page.getByText(/along an index|every record/).waitFor();
  await page.getByRole("region", { name: "curl" }).waitFor();
  await checkAccess(page, "explain");
  await page.finish();
}

/** Changes a value in its cell, a record in its form; inserts and deletes one. */
export async function write({ browser }) {
  const engine = createEngine({ profile: "xata", seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("shop").branch("main");
  main.createTable("teams", [{ name: "name", type: "string" }]).insert({ id: "t1", name: "Ants" });
  main
    .createTable("users", [
      { name: "name", type: "string" },
      { name: "age", type: "int" },
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "active", type: "bool" },
      { name: "address", type: "object", columns: [{ name: "city", type: "string" }] },
    ])
    .insert([
      { id: "u1", name: "Ann", age: 30, team: "t1", address: { city: "Oslo" } },
      { id: "u2", name: "Bob", age: 40 },
    ]);
  const { server, url } = await serveEngine(engine);
  const page = await openPage(browser, url, placeOf("demo/shop/main/users"));
  const grid = page.getByRole("grid");
  await grid.getByText("Ann").dblclick();
  await page.getByLabel("name: string").fill("Anna");
  await page.getByLabel("name: string").press("Enter");
  await grid.getByText("Anna").waitFor();

  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByLabel("age: int").fill("many");
  await page.getByLabel("age: int").press("Enter");
  await grid.getByRole("alert").waitFor();
  assert.match(await grid.getByRole("alert").innerText(), /whole number/);
  await page.getByLabel("age: int").fill("31");
  await page.getByLabel("age: int").press("Enter");
  await grid.getByText("31", { exact: true }).waitFor();

  await page.keyboard.press(" ");
  const drawer = page.getByRole("complementary", { name: "Record u1" });
  await drawer.getByLabel("address.city string").fill("Bergen");
  await drawer.getByLabel("active is null").uncheck();
  await drawer.getByLabel("active bool").selectOption("true");
  await drawer.getByRole("button", { name: "Save" }).click();
  await grid.getByText("Bergen").waitFor();
  await drawer.getByLabel("team link to teams").fill("t9");
  await drawer.getByLabel("age int").fill("1.5");
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "New record" }).click();
  const made = page.getByRole("complementary", { name: "New record in users" });
  await made.getByLabel("id (made where it is empty)").fill("u3");
  await made.getByLabel("name string").fill("Cyd");
  await checkAccess(page, "a new record");
  await made.getByRole("button", { name: "Insert" }).click();
  await page.getByRole("complementary", { name: "Record u3" }).waitFor();
  await page.getByText("3 records").waitFor();

  await grid.getByText("Bob").click();
  await page.keyboard.press("Delete");
  const ask = page.getByRole("alertdialog");
  await checkAccess(page, "a question");
  await ask.getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 records").waitFor();
  await page.finish();

  const Client = buildClient();
  const client = new Client(
    {
      databaseURL: "https://demo.us-east-1.xata.sh/db/shop",
      apiKey: "any",
      branch: "main",
      fetch: createFetch(engine),
    },
    main.tables().map(({ name }) => ({ name, columns: main.table(name).schema().columns })),
  );
  const users = await client.db.users.sort("id").getAll();
  assert.deepEqual(
    users.map(({ id, name, age, active }) => [id, name, age ?? null, active ?? null]),
    [
      ["u1", "Anna", 31, true],
      ["u3", "Cyd", null, null],
    ],
  );
  assert.equal(users[0].address.city, "Bergen");
  const exported = [...exportEngine(engine)].join("");
  for (const word of ["Anna", "Bergen", "Cyd"]) assert.ok(exported.includes(word), word);
  assert.ok(!exported.includes('"Bob"'));
  await server.close();
}
