// Editing in cells and in the form of a record.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { CRM, openPeople } from "./crm.mjs";
import { becomes, checkAccess, dropFile, enter, focused, placeOf, press, settle } from "./open.mjs";

/** Shows the whole message about a wrong value, and the records that the filter no longer matches. */
export async function edit({ open, serve }) {
  const { page, grid } = await openPeople({ open, serve });
  // The message is visible in the first row, over other rows, and in the last, without space below.
  for (const row of [0, 39]) {
    await grid.focus();
    await page.keyboard.press(row === 0 ? "Control+Home" : "Control+End");
    await press(page, "End", "Enter");
    await enter(page.getByLabel("age: int"), "many");
    const alert = grid.getByRole("alert");
    await alert.waitFor();
    const isSeen = () =>
      alert.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const at = [
          [(left + right) / 2, (top + bottom) / 2],
          [left + 8, bottom - 3],
        ];
        return at.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
      });
    await becomes(isSeen, true, `the message in row ${row} is covered`);
    await page.keyboard.press("Escape");
    await alert.waitFor({ state: "detached" });
  }
  // Typed text survives scrolling and a lower window, as with an on-screen keyboard.
  await grid.getByText("Person 31").dblclick();
  const cell = () => page.getByLabel("name: string").boundingBox();
  const before = await cell();
  await page.getByLabel("name: string").fill("typed");
  await settle(page);
  await becomes(cell, before, "typing moves no row");
  await grid.evaluate((element) => element.scrollBy(0, -4 * 32));
  await settle(page);
  await page.setViewportSize({ width: 1280, height: 640 });
  await settle(page);
  const typed = page.getByLabel("name: string").and(page.locator(":focus"));
  await typed.waitFor();
  await becomes(() => typed.inputValue(), "typed");
  await page.keyboard.press("Escape");
  // Elements of rows keep no focus: the row may show another record when a key is pressed.
  await grid.getByRole("button", { name: "p31", exact: true }).focus();
  await focused(grid);

  await page.visit(placeOf(`${CRM}/people`, { filter: '{"age":{"$lt":23}}' }));
  await page.getByText("3 records", { exact: true }).waitFor();
  const change = async (from, to) => {
    await grid.getByText(from, { exact: true }).dblclick();
    await enter(page.getByLabel("age: int"), to);
    await grid.getByText(to, { exact: true }).waitFor();
  };
  await change("21", "90");
  await page.getByText("3 records · 1 no longer matches the filter").waitFor();
  await grid.getByRole("rowheader", { name: "p01 no longer matches the filter" }).waitFor();
  await page.getByText("age of p01 was saved; the record no longer matches").waitFor();
  await checkAccess(page, "a record that no longer matches the filter");
  await change("90", "21");
  await change("22", "91");
  await page.getByText("3 records · 1 no longer matches the filter").waitFor();
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await page.getByText("2 records", { exact: true }).waitFor();
  await becomes(() => grid.getByText("no longer matches").count(), 0);
}

/** Changes a value in its cell and a record in its form; inserts and deletes a record. */
export async function write({ open, serve }) {
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
  const { url } = await serve(engine);
  const page = await open(url, placeOf("demo/shop/main/users"));
  const grid = page.getByRole("grid");
  await grid.getByText("Ann").dblclick();
  await enter(page.getByLabel("name: string"), "Anna");
  await page.getByText("name of u1 was saved").waitFor();
  await grid.getByText("Anna").waitFor();
  await focused(grid);

  await press(page, "ArrowRight", "Enter");
  await enter(page.getByLabel("age: int"), "many");
  await grid.getByRole("alert").getByText("whole number").waitFor();
  await enter(page.getByLabel("age: int"), "31");
  await grid.getByText("31", { exact: true }).waitFor();
  await focused(grid);

  await page.keyboard.press(" ");
  const drawer = page.getByRole("complementary", { name: "Record u1" });
  await drawer.getByLabel("address.city string").fill("Bergen");
  await drawer.getByLabel("active is null").uncheck();
  await drawer.getByLabel("active bool").selectOption("true");
  await drawer.getByRole("button", { name: "Save" }).click();
  await page.getByText("u1 was saved", { exact: true }).waitFor();
  await grid.getByText("Bergen").waitFor();
  await drawer.getByText("unsaved").waitFor({ state: "detached" });
  await drawer.getByLabel("team link to teams").fill("t9");
  await drawer.getByLabel("age int").fill("1.5");
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("alert").waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "New record" }).click();
  const made = page.getByRole("complementary", { name: "New record in users" });
  await made.getByLabel("id generated if empty").fill("u3");
  await made.getByLabel("name string").fill("Cyd");
  await checkAccess(page, "a new record");
  await made.getByRole("button", { name: "Insert" }).click();
  await page.getByRole("complementary", { name: "Record u3" }).waitFor();
  await page.getByText("3 records").waitFor();
  await grid.getByRole("rowheader", { name: "u3" }).waitFor();

  await grid.getByText("Bob").click();
  await focused(grid);
  await page.keyboard.press("Delete");
  const ask = page.getByRole("alertdialog");
  await checkAccess(page, "a question");
  // The dialog shows an error of the service.
  const refusal = { status: 503, json: { message: "not now" } };
  await page.route("**/where", (route) => route.fulfill(refusal), { times: 1 });
  await ask.getByRole("button", { name: "Delete" }).click();
  await ask.getByRole("alert").getByText("not now").waitFor();
  await ask.getByRole("button", { name: "Delete" }).click();
  await page.getByText("2 records").waitFor();

  // Links are checked: one to nobody cannot be imported.
  const text = "name,team\nDee,t1\nEve,t9\n";
  await dropFile(page, "div.records", { name: "more.csv", text });
  const imported = page.getByRole("dialog", { name: "Import into users" });
  await imported.getByText("line 3, team: no record t9 in teams").waitFor();
  assert.equal(await imported.getByText("links that lead nowhere").count(), 0);
  await imported.getByRole("button", { name: "Import 1 good record" }).click();
  await page.getByText("1 record imported into users, 1 left out").waitFor();

  const users = main
    .table("users")
    .query({ filter: { id: { $startsWith: "u" } }, sort: { id: "asc" } }).records;
  assert.deepEqual(
    users.map(({ id, name, age, active }) => [id, name, age ?? null, active ?? null]),
    [
      ["u1", "Anna", 31, true],
      ["u3", "Cyd", null, null],
    ],
  );
  assert.equal(users[0].address.city, "Bergen");
}
