// The diagram of the schema, and its editor.
import assert from "node:assert/strict";
import { CRM, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, placeOf, settle } from "./open.mjs";

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
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
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
  await editor.getByRole("button", { name: "Rename status" }).click();
  assert.equal(people.get("p00").status, "active");
  const rename = page.getByRole("dialog", { name: "Rename status of people" });
  await rename.getByText("Records keep their values").waitFor();
  await rename.getByLabel("New name").fill("state");
  await rename.getByRole("button", { name: "Rename" }).click();
  await page.getByText("Column status is now state").waitFor();
  await editor.getByRole("button", { name: "Remove state" }).click();
  assert.equal(people.get("p00").state, "active");
  const remove = page.getByRole("alertdialog", { name: "Remove state from people?" });
  await remove.getByText("40 records of 40 lose their value here").waitFor();
  await remove.getByRole("button", { name: "Remove column" }).click();
  const column = editor.getByRole("button", { name: "Rename state" });
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
