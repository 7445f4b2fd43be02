// The diagram of the schema, and its editor.
import assert from "node:assert/strict";
import { CRM, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, placeOf, press, settle } from "./open.mjs";

const TYPES = [
  ...["string", "text", "email", "int", "float", "bool", "datetime", "link", "multiple"],
  ...["object", "json", "vector", "file", "file[]"],
];

/** Fits the window at any size; keys zoom and pan. */
export async function picture({ open, serve }) {
  const { url } = await serveCrm(serve);
  for (const width of [1280, 400]) {
    const page = await open(url, placeOf(CRM), { viewport: { width, height: 760 } });
    await page.getByRole("region", { name: "Table companies" }).waitFor();
    const canvas = page.getByRole("application", { name: "Tables and links" });
    await settle(page);
    const place = await canvas.boundingBox();
    assert.ok(place.x >= 0 && place.x + place.width <= width, "the picture is within the window");
    const box = await page.getByRole("region", { name: "Table companies" }).boundingBox();
    if (width === 1280)
      assert.ok(box.x + box.width <= place.x + place.width, "all tables are visible");
    await page.getByRole("list", { name: "Signs" }).getByText("required").waitFor();
    await checkAccess(page, `the schema at ${width}`);
    await canvas.focus();
    await press(page, "+", "ArrowRight");
    const now = () => page.getByRole("region", { name: "Table companies" }).boundingBox();
    await becomes(async () => (await now()).width > box.width, true, "a table is magnified");
    await page.getByRole("button", { name: "Fit" }).click();
    await becomes(now, box);
  }
}

/** Adds, renames and removes columns and tables; announces the effect on records first. */
export async function alter({ open, serve }) {
  const { url, main, people } = await serveCrm(serve);
  const page = await open(url, placeOf(CRM));
  await page.getByRole("button", { name: "Edit people" }).click();
  const editor = page.getByRole("complementary", { name: "Edit people" });
  await checkAccess(page, "a table that is edited");
  await editor.getByRole("button", { name: "Add column" }).click();
  const add = page.getByRole("dialog", { name: "Add a column to people" });
  await add.getByLabel("Name").fill("status");
  await add.getByText("All 40 records will have null here.").waitFor();
  await add.getByLabel("Default").fill("active");
  await add.getByText("All 40 records will have the default, active.").waitFor();
  await checkAccess(page, "a new column");
  await add.getByRole("button", { name: "Add column" }).click();
  await page.getByText("Column status was added to people").waitFor();
  await editor.getByText("string, default active").waitFor();
  await editor.getByRole("button", { name: "Edit status" }).click();
  assert.equal(people.get("p00").status, "active");
  const change = page.getByRole("dialog", { name: "Column status of people" });
  await change.getByText("Type string, which cannot be changed").waitFor();
  await checkAccess(page, "a column that is edited");
  // Options that records do not permit change nothing.
  await change.getByLabel("Unique").check();
  await change.getByRole("button", { name: "Save" }).click();
  await change.getByRole("alert").getByText("unique").waitFor();
  await change.getByLabel("Unique").uncheck();
  await change.getByLabel("Required").check();
  await change.getByLabel("Default").fill("new");
  await change.getByLabel("Name").fill("state");
  await change.getByRole("button", { name: "Save" }).click();
  await page.getByText("Column status was changed").waitFor();
  await editor.getByText("string, required, default new").waitFor();
  assert.deepEqual(people.schema().columns.at(-1), {
    name: "state",
    type: "string",
    notNull: true,
    defaultValue: "new",
  });
  await editor.getByRole("button", { name: "Remove state" }).click();
  assert.equal(people.get("p00").state, "active");
  const remove = page.getByRole("alertdialog", { name: "Remove state from people?" });
  await remove.getByText("40 records of 40 lose their value here").waitFor();
  await checkAccess(page, "a column that is removed");
  await remove.getByRole("button", { name: "Remove column" }).click();
  const column = editor.getByRole("button", { name: "Edit state" });
  await column.waitFor({ state: "detached" });
  await page.getByText("Column state was removed from people").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: Column state was removed").waitFor();
  await column.waitFor();
  assert.equal(people.get("p00").state, "active");

  await editor.getByRole("button", { name: "Rename table" }).click();
  const table = page.getByRole("dialog", { name: "Rename people" });
  await table.getByLabel("New name").fill("persons");
  await table.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("region", { name: "Table persons" }).waitFor();
  await page.getByRole("button", { name: "Edit empty" }).click();
  await page.getByRole("button", { name: "Delete table" }).click();
  const gone = page.getByRole("alertdialog", { name: "Delete empty?" });
  await gone.getByText("0 records are deleted with it.").waitFor();
  await gone.getByRole("button", { name: "Delete table" }).click();
  await page.getByRole("region", { name: "Table empty" }).waitFor({ state: "detached" });
  assert.deepEqual(
    main
      .tables()
      .map(({ name }) => name)
      .sort(),
    ["companies", "persons"],
  );
}

/** New tables and columns can have all types; an object has its own columns. */
export async function types({ open, serve }) {
  const { url, main } = await serveCrm(serve);
  const page = await open(url, placeOf(CRM));
  await page.getByRole("button", { name: "New table" }).click();
  const made = page.getByRole("dialog", { name: "New table" });
  await made.getByLabel("Name of the table").fill("orders");
  await made.getByLabel("Name", { exact: true }).fill("address");
  const offered = await made.getByLabel("Type").locator("option").allInnerTexts();
  assert.deepEqual(offered.toSorted(), TYPES.toSorted());
  await made.getByLabel("Type").selectOption("object");
  const inner = made.getByRole("group", { name: "Column of address 1" });
  await inner.getByLabel("Name").fill("city");
  await made.getByRole("button", { name: "+ Column", exact: true }).click();
  const second = made.getByRole("group", { name: "Column 2" });
  await second.getByLabel("Name").fill("photos");
  await second.getByLabel("Type").selectOption("file[]");
  await second.getByLabel("Public unless").check();
  await checkAccess(page, "a new table with an object");
  await made.getByRole("button", { name: "Create table" }).click();
  const editor = page.getByRole("complementary", { name: "Edit orders" });
  await editor.getByRole("button", { name: "Add a column to address" }).click();
  const add = page.getByRole("dialog", { name: "Add a column to address" });
  await add.getByLabel("Name").fill("zip");
  assert.deepEqual(await add.getByLabel("Type").locator("option").allInnerTexts(), offered);
  await add.getByLabel("Type").selectOption("int");
  await add.getByRole("button", { name: "Add column" }).click();
  await page.getByText("Column address.zip was added to orders").waitFor();
  await editor.getByRole("button", { name: "Edit address.zip" }).click();
  const change = page.getByRole("dialog", { name: "Column address.zip of orders" });
  await change.getByLabel("Default").fill("1010");
  await change.getByRole("button", { name: "Save" }).click();
  await page.getByText("Column address.zip was changed").waitFor();
  const zip = { name: "zip", type: "int", defaultValue: 1010 };
  assert.deepEqual(main.table("orders").schema().columns, [
    { name: "address", type: "object", columns: [{ name: "city", type: "string" }, zip] },
    { name: "photos", type: "file[]", "file[]": { defaultPublicAccess: true } },
  ]);
}
