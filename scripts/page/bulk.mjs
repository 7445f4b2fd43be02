// Many records at once: select, set, delete, undo, import, export.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { CRM, openPeople, PEOPLE, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, dropFile, focused, placeOf, press } from "./open.mjs";

/** Copies selected records, sets a value in them, deletes them, and undoes that. */
export async function many({ open, serve }) {
  const { page, grid, people } = await openPeople({ open, serve }, "xata-next");
  const row = () => grid.getByRole("row").nth(3).boundingBox();
  const before = await row();
  const all = grid.getByRole("checkbox", { name: "Select all" });
  await all.click();
  await page.getByText("40 selected").waitFor();
  await becomes(() => all.isChecked(), true);
  await all.click();
  await page.getByText("40 selected").waitFor({ state: "detached" });
  const boxes = grid.getByRole("checkbox", { name: "Select", exact: true });
  await boxes.nth(1).click();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByText("3 selected").waitFor();
  await becomes(row, before, "a selection moves no row");
  await bar.getByRole("button", { name: "Copy as CSV" }).click();
  await page.getByText("3 records copied as CSV").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied.split("\n")[0], "xata_id,name,email,company,age");
  assert.equal(copied.split("\n")[1], "p01,Person 1,,c1,21");
  await bar.getByRole("button", { name: "Copy as JSON" }).click();
  await page.getByText("3 records copied as JSON").waitFor();
  const json = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  assert.deepEqual(
    json.map(({ xata_id }) => xata_id),
    ["p01", "p02", "p03"],
  );

  await bar.getByRole("button", { name: "Set value…" }).click();
  const set = page.getByRole("dialog", { name: "Set a value in 3 records" });
  // No column is preselected, so Enter cannot set a value by accident.
  await focused(set.getByLabel("Column"));
  await becomes(() => set.getByRole("button", { name: "Set value" }).isDisabled(), true);
  await set.getByLabel("Column").selectOption("name");
  await set.getByRole("button", { name: "Set to empty text" }).waitFor();
  await set.getByLabel("Column").selectOption("age");
  await set.getByLabel("Value", { exact: true }).fill("1.5");
  await set.getByRole("button", { name: "Set value" }).click();
  await set.getByRole("alert").getByText("whole number").waitFor();
  await checkAccess(page, "a value for many that is refused");
  assert.equal(people.get("p01").age, 21);
  await set.getByLabel("Value", { exact: true }).fill("77");
  await set.getByRole("button", { name: "Set value" }).click();
  await page.getByText("age was set in 3 records").waitFor();
  assert.deepEqual(
    [1, 2, 3, 4].map((i) => people.get(`p0${i}`).age),
    [77, 77, 77, 24],
  );

  // All records of the filter; the undo warns about writes of others.
  await bar.getByRole("button", { name: "Select all" }).click();
  await bar.getByText("40 selected").waitFor();
  await bar.getByRole("button", { name: "Delete" }).click();
  const last = page.getByRole("alertdialog", { name: "Delete 40 records?" });
  await last.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No records yet" }).waitFor();
  assert.equal(people.count(), 0);
  people.insert({ xata_id: "other", name: "Written since" });
  await page.getByRole("button", { name: "Undo" }).click();
  const ask = page.getByRole("alertdialog", { name: "Undo changes of others too?" });
  await ask.getByText("Others have made 1 change since").waitFor();
  await checkAccess(page, "an undo of others' changes");
  await ask.getByRole("button", { name: "Undo all" }).click();
  await page.getByText("Undone: 40 records deleted").waitFor();
  assert.deepEqual([people.count(), people.get("other")], [40, null]);
}

/** Changes all records of a filter but one, and deletes them: more than a transaction takes. */
export async function matching({ open, serve }) {
  const COUNT = 12_000;
  const { url, people } = await serveCrm(serve);
  people.load(Array.from({ length: COUNT }, (_, i) => ({ id: `q${i}`, age: 90 })));
  const filter = encodeURIComponent('{"age":90}');
  const page = await open(url, `${PEOPLE}?filter=${filter}`);
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await page.getByRole("grid").getByRole("checkbox", { name: "Select all" }).click();
  await bar.getByText("12,000 selected").waitFor();
  await page
    .getByRole("grid")
    .getByRole("checkbox", { name: "Select", exact: true })
    .nth(1)
    .click();
  await bar.getByText("11,999 selected").waitFor();
  await bar.getByRole("button", { name: "Set value…" }).click();
  const set = page.getByRole("dialog", { name: "Set a value in 11,999 records" });
  await set.getByLabel("Column").selectOption("name");
  await set.getByLabel("Value", { exact: true }).fill("Same");
  await set.getByRole("button", { name: "Set value" }).click();
  await page.getByText("name was set in 11,999 records").waitFor();
  assert.deepEqual([people.count({ name: "Same" }), people.get("q1").name], [COUNT - 1, undefined]);
  await bar.getByRole("button", { name: "Delete" }).click();
  const ask = page.getByRole("alertdialog", { name: "Delete 11,999 records?" });
  await ask.getByRole("button", { name: "Delete" }).click();
  await page.getByText("11,999 records deleted").waitFor();
  assert.equal(people.count(), 41);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: 11,999 records deleted").waitFor();
  assert.equal(people.count({ name: "Same" }), COUNT - 1);
}

/** Pastes cells of a sheet, all or none, and copies rows that paste into a table again. */
export async function cells({ open, serve }) {
  const { page, grid, main, people, companies } = await openPeople({ open, serve });
  const noted = main.createTable("notes", [
    { name: "name", type: "string" },
    { name: "body", type: "text" },
    { name: "done", type: "bool" },
    { name: "owner", type: "link", link: { table: "people" } },
  ]);
  const paste = async (text) => {
    if (text !== undefined) await page.evaluate((of) => navigator.clipboard.writeText(of), text);
    await grid.focus();
    await page.keyboard.press("Control+v");
  };
  await grid.focus();
  await press(page, "Control+End", "Home", "ArrowRight");
  // One wrong cell, in the record or in a new one, and nothing changes.
  await paste("Zoe\tzoe@example.com\tc1\t31\nYve\t\tc2\tmany\n");
  await page.getByText("Nothing was pasted: age of new record 1: ").waitFor();
  await page.getByText(/found "many"/).waitFor();
  await checkAccess(page, "cells that are refused");
  await paste("Zoe\tzoe\n");
  await page.getByText("Nothing was pasted: email of p39: ").waitFor();
  await paste("Zoe\t\t\t31\ttoo much\n");
  await page.getByText("p39 gets 5 cells; from name on, only 4 fit").waitFor();
  assert.deepEqual([people.count(), people.get("p39").name], [40, "Person 39"]);
  // Quoted cells have line breaks, tabs and quotes.
  await paste('"Zoe ""Z""\nTwo\tthree"\tzoe@example.com\tc1\t31\r\nYve\t\tc2\t32\r\n');
  await page.getByText("8 cells pasted into 2 records, 1 of them new").waitFor();
  await page.getByText("41 records").waitFor();
  const { name, email, company, age } = people.get("p39");
  assert.deepEqual(
    [name, email, company.id, age],
    ['Zoe "Z"\nTwo\tthree', "zoe@example.com", "c1", 31],
  );
  const [yve] = people.query({ filter: { name: "Yve" } }).records;
  assert.deepEqual([yve.email ?? null, yve.company.id, yve.age], [null, "c2", 32]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone: 8 cells").waitFor();
  assert.equal(people.count(), 40);

  // Copied rows paste into another table, with their ids, types, nulls and empty texts.
  const rows = [
    { id: "n1", name: "", body: 'a\tb\n"c"', done: true, owner: "p01" },
    { id: "n2", name: "007", body: null, done: false, owner: null },
  ];
  noted.insert(rows);
  const visit = (branch) => page.visit(placeOf(`demo/crm/${branch}/notes`));
  await visit("main");
  await page.getByText("2 records").waitFor();
  await grid.focus();
  await page.keyboard.press("Control+a");
  await page.getByText("2 selected").waitFor();
  await page.keyboard.press("Control+c");
  await page.getByText("2 rows copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, 'n1\t""\t"a\tb\n""c"""\ttrue\tp01\nn2\t007\t\tfalse\t\n');
  await page.keyboard.press("Escape");
  // An id is not changed: the same rows can be pasted where they are, and not one below.
  await page.keyboard.press("Control+Home");
  await paste();
  await page.getByText("10 cells pasted into 2 records, 0 of them new").waitFor();
  await page.keyboard.press("ArrowDown");
  await paste();
  await page.getByText("Nothing was pasted: id of n2 cannot be written").waitFor();
  for (const { id } of rows) noted.delete(id);
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await page.getByRole("heading", { name: "No records yet" }).waitFor();
  await paste();
  await page.getByText("10 cells pasted into 2 records, 2 of them new").waitFor();
  const found = noted
    .query({ sort: { id: "asc" } })
    .records.map((record) => [
      ...[record.id, record.name, record.body ?? null],
      ...[record.done, record.owner?.id ?? null],
    ]);
  assert.deepEqual(found, rows.map(Object.values));
  assert.equal(companies.count(), 4);
}

/** Imports a dropped file, all or nothing, and exports the records of a filter. */
export async function files({ open, serve }) {
  const { page, main, people } = await openPeople({ open, serve });
  const drop = (at, name, text) => dropFile(page, at, { name, text });
  const dialog = page.getByRole("dialog", { name: /^Import into/ });
  const sign = page.getByText("Drop the file to import it into people");
  await dropFile(page, "div.records", { name: "any.csv", text: "" }, "dragenter");
  await sign.waitFor();
  await checkAccess(page, "a file that is dragged over records");
  await drop("div.records", "more.csv", 'id,name,age,city\nn1,"New, one",30,Oslo\nn2,Two,31,\n');
  await dialog.getByLabel("Add city string").waitFor();
  await sign.waitFor({ state: "detached" });
  await focused(dialog.getByRole("button", { name: "Import 2 records" }));
  await dialog.getByRole("cell", { name: "New, one" }).waitFor();
  await checkAccess(page, "an import");
  await dialog.getByRole("button", { name: "Import 2 records" }).click();
  await page.getByText("2 records imported into people").waitFor();
  await page.getByText("42 records").waitFor();
  await page.getByRole("columnheader", { name: "city" }).waitFor();
  assert.deepEqual([people.get("n1").name, people.get("n1").city], ["New, one", "Oslo"]);

  // Faulty records and dangling links are listed with their lines; the others can be imported.
  const own = main.table("companies").get("c1").name;
  const lines = [
    "id,company,age",
    "l1,c1,1",
    "l2,Acme,2",
    "l3,c1,many",
    "l1,c1,4",
    "p01,c1,5",
    "l6,,6",
  ];
  await drop("div.records", "faults.csv", `${lines.join("\n")}\n`);
  const faults = dialog.getByRole("region", { name: "Records with faults" });
  const listed = () => faults.getByRole("listitem").allInnerTexts();
  await becomes(listed, [
    "line 3, company: no record Acme in companies",
    'line 4, age: expected int (a whole number within ±(2^53 − 1)), found "many"',
    "line 5, id: the same as in line 2",
    "line 6, id: a record p01 exists",
  ]);
  await dialog.getByText("4 records of 6 cannot be imported").waitFor();
  await dialog.getByText("The first 5 of 6 records").waitFor();
  await checkAccess(page, "an import with faults");
  await dialog.getByLabel("Update records whose id exists").check();
  await dialog.getByLabel("Import 1 record with links that lead nowhere, too").check();
  await becomes(listed, [
    'line 4, age: expected int (a whole number within ±(2^53 − 1)), found "many"',
  ]);
  await dialog.getByLabel("Update records whose id exists").uncheck();
  await dialog.getByRole("button", { name: "Import 3 good records" }).click();
  await page.getByText("3 records imported into people, 3 left out").waitFor();
  assert.deepEqual(
    [people.get("l2").company.id, people.get("l3"), people.count()],
    ["Acme", null, 45],
  );
  people.delete("l1");
  people.delete("l2");
  people.delete("l6");

  // Unique values, in the file and in the table.
  await page.visit(placeOf(`${CRM}/companies`));
  await page.getByText("4 records").waitFor();
  const names = `[{ "name": "New" },\n{ "name": "New" },\n{ "name": "${own}" }]`;
  await drop("div.records", "names.json", names);
  await becomes(listed, [
    "line 2, name: the same as in line 1",
    `line 3, name: unique, and c1 has "${own}"`,
  ]);
  await page.keyboard.press("Escape");
  await page.visit(PEOPLE);
  await page.getByText("42 records").waitFor();

  // An edited file is read again; cancelling the choice closes nothing.
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const input = dialog.getByLabel("CSV, JSON or JSON lines");
  for (const [name, text] of Object.entries({ Ann: "name\nAnn\n", Bea: "name\nBea\n" })) {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), input.click()]);
    await input.dispatchEvent("cancel", { bubbles: true });
    assert.equal(await input.inputValue(), "", "the same file is a change again");
    await chooser.setFiles({ name: "same.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await dialog.getByRole("cell", { name }).waitFor();
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  // A rejected import changes neither records nor columns.
  await drop("div.records", "bad.csv", "id,age,town\nn3,1,Rome\nn4,2,Bern\n");
  await dialog.getByLabel("Add town string").waitFor();
  people.insert({ id: "n4", name: "Written since" });
  await dialog.getByRole("button", { name: "Import 2 records" }).click();
  await dialog.getByRole("alert").getByText("Nothing was imported: line 3: ").waitFor();
  people.delete("n4");
  assert.deepEqual([people.get("n3"), people.schema().columns.length], [null, 5]);
  await page.keyboard.press("Escape");
  await drop("div.records", "bad.json", '[{"name": ]');
  await dialog.getByText(/bad\.json, line 1, column \d+/).waitFor();
  await page.keyboard.press("Escape");

  await page.visit(placeOf(`${CRM}/people`, { filter: '{"age":{"$ge":57}}' }));
  await page.getByText("3 records").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  await checkAccess(page, "an export");
  const coming = page.waitForEvent("download");
  const exporting = page.getByRole("dialog", { name: "Export 3 records" });
  await exporting.getByRole("button", { name: "Export" }).click();
  const download = await coming;
  assert.equal(download.suggestedFilename(), "people.csv");
  const exported = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n");
  assert.equal(exported[0], "id,name,email,company,age,city");
  assert.deepEqual(
    exported.slice(1).map((line) => line.slice(0, 3)),
    ["p37", "p38", "p39"],
  );

  // A file becomes a new table.
  await page.visit(placeOf(CRM));
  await page.getByRole("heading", { name: "Schema" }).waitFor();
  await drop(".schema-view", "New Orders.csv", "id,total,paid\no1,1.5,true\no2,2.5,false\n");
  const made = page.getByRole("dialog", { name: "Import a file as a new table" });
  await becomes(() => made.getByLabel("Name of the new table").inputValue(), "new_orders");
  await made.getByRole("button", { name: "Import 2 records" }).click();
  await page.getByRole("grid", { name: "Records of new_orders" }).getByText("2.5").waitFor();
  assert.equal(main.table("new_orders").get("o2").total, 2.5);

  // Its options are those of the command line.
  await page.visit(placeOf(CRM));
  await page.getByRole("heading", { name: "Schema" }).waitFor();
  await drop(".schema-view", "Scores.csv", "id;score\no1;NA\n% no row\no2;7\n");
  await made.getByText("How to read it").click();
  await made.getByLabel("null").fill("NA");
  await made.getByLabel("comment").fill("%");
  await becomes(() => made.getByLabel("Type of score").inputValue(), "int");
  await made.getByRole("button", { name: "Import 2 records" }).click();
  await page.getByRole("grid", { name: "Records of scores" }).getByText("7").waitFor();
  assert.deepEqual(
    main
      .table("scores")
      .query()
      .records.map(({ score }) => score ?? null),
    [null, 7],
  );
}
