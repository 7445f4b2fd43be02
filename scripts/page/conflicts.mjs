// Two windows that write to one record; unsaved edits.
import assert from "node:assert/strict";
import { CRM, openPeople, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, focused, goLive, placeOf } from "./open.mjs";

const ADA = placeOf(`${CRM}/people`, { record: "p07" });

/** A conflict is visible and can be resolved both ways; Escape restores the focus. */
export async function conflicts({ open, serve }) {
  const { url, people } = await serveCrm(serve, "xata");
  const [mine, theirs] = [await open(url, ADA), await open(url, ADA)];
  const formOf = (page) => page.getByRole("complementary", { name: "Record p07" });
  const edit = async (page, name) => {
    await formOf(page).getByLabel("name string").fill(name);
  };
  await goLive(mine);
  await edit(mine, "Ada King");
  await edit(theirs, "Ada Byron");
  await formOf(theirs).getByRole("button", { name: "Save" }).click();
  await theirs.getByText("p07 was saved", { exact: true }).waitFor();
  // The message appears at once, in view.
  const conflict = formOf(mine).getByRole("alert");
  await conflict.getByText("Somebody else changed this record").waitFor();
  const isSeen = async () => {
    const { y, height } = await conflict.boundingBox();
    return y >= 0 && y + height <= 800;
  };
  await becomes(isSeen, true, "the conflict is in view");
  await checkAccess(mine, "a conflict");
  await formOf(mine).getByRole("button", { name: "Show theirs" }).click();
  await formOf(mine).getByText("Theirs: Ada Byron").waitFor();
  await becomes(() => formOf(mine).getByLabel("name string").inputValue(), "Ada King");
  await formOf(mine).getByRole("button", { name: "Overwrite" }).click();
  await mine.getByText("p07 was saved", { exact: true }).waitFor();
  await conflict.waitFor({ state: "detached" });
  assert.equal(people.get("p07").name, "Ada King");

  await edit(mine, "A. K.");
  people.update("p07", { name: "Countess" });
  await formOf(mine).getByRole("button", { name: "Show theirs" }).click();
  await formOf(mine).getByRole("button", { name: "Use theirs" }).click();
  await formOf(mine).getByRole("alert").waitFor({ state: "detached" });
  await becomes(() => formOf(mine).getByLabel("name string").inputValue(), "Countess");

  // Escape closes the drawer and returns the focus.
  await mine.keyboard.press("Escape");
  await formOf(mine).waitFor({ state: "detached" });
  const grid = mine.getByRole("grid");
  await focused(grid);

  // In a cell.
  await grid.getByText("Person 3", { exact: true }).dblclick();
  await mine.getByLabel("name: string").fill("Mine");
  people.update("p03", { name: "Theirs" });
  const alert = grid.getByRole("alert");
  await alert.getByText("It now holds Theirs").waitFor();
  await checkAccess(mine, "a conflict in a cell");
  await alert.getByRole("button", { name: "Overwrite" }).click();
  await mine.getByText("name of p03 was saved", { exact: true }).waitFor();
  await alert.waitFor({ state: "detached" });
  assert.equal(people.get("p03").name, "Mine");
}

/** Edits in the form and in a cell survive a reload, even if the record changes meanwhile. */
export async function drafts({ open, serve }) {
  const { url, people } = await serveCrm(serve, "xata");
  const page = await open(url, ADA);
  const drawer = page.getByRole("complementary", { name: "Record p07" });
  await drawer.getByLabel("name string").fill("Half done");
  await page.reload();
  await becomes(() => drawer.getByLabel("name string").inputValue(), "Half done");
  await drawer.getByText("1 unsaved").waitFor();
  await drawer.getByRole("button", { name: "Close record" }).click();
  await page.getByText("Unsaved edits of Ada Lovelace").waitFor();
  await checkAccess(page, "unsaved edits");
  people.update("p07", { age: 99 });
  await page.getByRole("button", { name: "Continue editing" }).click();
  await drawer.getByText("Somebody else changed this record").waitFor();
  await drawer.getByRole("button", { name: "Overwrite" }).click();
  await page.getByText("p07 was saved", { exact: true }).waitFor();
  assert.deepEqual([people.get("p07").name, people.get("p07").age], ["Half done", 99]);

  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.getByRole("grid").getByText("Person 4", { exact: true }).dblclick();
  await page.getByLabel("name: string").fill("In the cell");
  await page.reload();
  await page.getByText("Unsaved edits of Person 4").waitFor();
  await page.getByRole("button", { name: "Continue editing" }).click();
  const other = page.getByRole("complementary", { name: "Record p04" });
  await becomes(() => other.getByLabel("name string").inputValue(), "In the cell");
  await other.getByRole("button", { name: "Discard" }).click();
  await becomes(() => other.getByLabel("name string").inputValue(), "Person 4");

  // So does a new record; an error focuses its field.
  await page.getByRole("button", { name: "New record" }).click();
  const made = page.getByRole("complementary", { name: "New record in people" });
  await made.getByLabel("name string").fill("Nova");
  await made.getByLabel("age int").fill("old");
  await made.getByRole("button", { name: "Insert" }).click();
  await made.getByRole("alert").getByText("Not saved").waitFor();
  await focused(made.getByLabel("age int"));
  await page.reload();
  await page.getByText("Unsaved edits of a new record").waitFor();
  await page.getByRole("button", { name: "Continue editing" }).click();
  await becomes(() => made.getByLabel("name string").inputValue(), "Nova");
}

/** Creates, edits, links, deletes and undoes by keys alone. */
export async function keyboard({ open, serve }) {
  const { page, people } = await openPeople({ open, serve });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (name) => {
    const wanted = page.getByRole("button", { name, exact: true }).and(page.locator(":focus"));
    for (let i = 0; i < 60 && (await wanted.count()) === 0; i++) await press("Tab");
    assert.equal(await wanted.count(), 1, `${name} is reached by Tab`);
  };
  await tabTo("New record");
  await press("Enter");
  await focused(page.getByRole("heading", { name: "New record in people" }));
  await press("Tab", "Tab");
  await page.keyboard.type("k1");
  await press("Tab", "Tab");
  await page.keyboard.type("Keyed");
  await press("Control+Enter");
  await page.getByText("k1 was inserted").waitFor();
  assert.equal(people.get("k1").name, "Keyed");
  await page.getByRole("complementary", { name: "Record k1" }).waitFor();
  const grid = page.getByRole("grid");
  await grid.getByRole("rowheader", { name: "k1" }).waitFor();
  await press("Escape");
  await focused(grid);
  // Edit, then link.
  await press("Control+Home", "ArrowRight", "Enter");
  await focused(page.getByLabel("name: string"));
  await page.keyboard.type("Edited");
  await press("Enter");
  await page.getByText("name of k1 was saved").waitFor();
  await focused(grid);
  await press("ArrowRight", "ArrowRight", "Enter");
  await focused(page.getByLabel("company: link"));
  await page.keyboard.type("cont");
  await page.getByRole("option", { name: /Contoso/ }).waitFor();
  await press("Enter");
  await page.getByText("company of k1 was saved").waitFor();
  assert.deepEqual([people.get("k1").name, people.get("k1").company.id], ["Edited", "c1"]);
  await focused(grid);
  // Select, delete, undo.
  await press("Shift+ArrowDown", "Shift+ArrowDown");
  await page.getByText("3 selected").waitFor();
  await checkAccess(page, "a selection");
  await press("Escape");
  await page.getByText("3 selected").waitFor({ state: "detached" });
  await press("Control+Home", "Delete");
  const ask = page.getByRole("alertdialog", { name: "Delete k1?" });
  await ask.waitFor();
  await press("Escape");
  await ask.waitFor({ state: "detached" });
  await focused(grid);
  await press("Delete");
  await focused(ask.getByRole("button", { name: "Delete" }));
  await press("Enter");
  await page.getByText("k1 was deleted").waitFor();
  assert.equal(people.get("k1"), null);
  await focused(grid);
  await press("Control+z");
  await page.getByText("Undone: k1 was deleted").waitFor();
  assert.equal(people.get("k1").name, "Edited");
}
