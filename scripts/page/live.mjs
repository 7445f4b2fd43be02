// The grid follows other writers without moving rows.
import assert from "node:assert/strict";
import { CRM, openPeople, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, goLive, placeOf } from "./open.mjs";

/** Shows updates, deletions and counts of others; loads new rows on a click. */
export async function live({ open, serve }) {
  const { page, grid, main, people } = await openPeople({ open, serve });
  await grid.getByText("Person 2", { exact: true }).waitFor();
  await goLive(page);
  const flashed = await watchFlashes(grid);
  people.update("p02", { name: "Renamed" });
  await grid.getByText("Renamed", { exact: true }).waitFor();
  await becomes(() => flashed.jsonValue(), ["p02"], "rows that flashed, once each");
  await page.locator(".row.flash").waitFor({ state: "detached" });
  assert.deepEqual(await flashed.jsonValue(), ["p02"]);
  // A record that is deleted and inserted again is not marked as deleted.
  people.delete("p08");
  people.insert({ id: "p08", name: "Back again" });
  await grid.getByText("Back again", { exact: true }).waitFor();
  assert.equal(await grid.getByRole("rowheader", { name: "p08 deleted" }).count(), 0);
  people.delete("p03");
  await grid.getByRole("rowheader", { name: "p03 deleted" }).waitFor();
  people.insert([
    { id: "a0", name: "First" },
    { id: "a1", name: "Second" },
  ]);
  const fresh = page.getByRole("button", { name: "2 new rows" });
  await fresh.waitFor();
  assert.equal(await grid.getByText("First", { exact: true }).count(), 0);
  await page.getByRole("link", { name: "people 41" }).waitFor();
  await checkAccess(page, "changes of others");
  await fresh.click();
  await grid.getByText("First", { exact: true }).waitFor();
  await page.getByText("41 records").waitFor();

  // A hidden page receives nothing, and catches up when it is shown.
  const setHidden = (isHidden) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await setHidden(true);
  await page.getByText("Live", { exact: true }).waitFor({ state: "detached" });
  people.update("p02", { name: "Missed" });
  people.delete("p06");
  people.insert({ id: "a2", name: "Third" });
  await setHidden(false);
  await grid.getByText("Missed", { exact: true }).waitFor();
  await grid.getByRole("rowheader", { name: "p06 deleted" }).waitFor();
  await page.getByRole("button", { name: "1 new row" }).click();
  await grid.getByText("Third", { exact: true }).waitFor();
  await page.getByText("41 records").waitFor();

  // Titles of linked records, tables and filtered records follow as well.
  main.table("companies").update("c0", { name: "Acme Ltd" });
  await grid.getByRole("link", { name: "Acme Ltd" }).first().waitFor();
  // A new table does not disturb an edit.
  await grid.getByText("Person 5", { exact: true }).dblclick();
  await page.getByLabel("name: string").fill("being typed");
  main.createTable("made", [{ name: "name", type: "string" }]);
  await page.getByRole("link", { name: "made 0" }).waitFor();
  const typed = page.getByLabel("name: string").and(page.locator(":focus"));
  await becomes(() => typed.inputValue(), "being typed");
  await page.keyboard.press("Escape");
  await page.visit(placeOf(`${CRM}/people`, { filter: '{"age":{"$lt":22}}' }));
  await page.getByText("2 records", { exact: true }).waitFor();
  people.update("p01", { age: 70 });
  await page.getByText("1 no longer matches the filter").waitFor();
  people.insert({ id: "y", age: 3 });
  await page.getByRole("button", { name: "1 new row" }).click();
  await page.getByText("2 records", { exact: true }).waitFor();
}

/** Shows what reaches rows through links, in any row, beside edits; and what columns don't show. */
export async function followed({ open, serve }) {
  const { url, main, people } = await serveCrm(serve);
  const companies = main.table("companies");
  people.insert(Array.from({ length: 2000 }, (_, i) => ({ id: `q${1000 + i}`, name: `Far ${i}` })));
  const columns = "name,company.name";
  const page = await open(url, placeOf(`${CRM}/people`, { columns }));
  const grid = page.getByRole("grid");
  await grid.getByText("Person 2", { exact: true }).waitFor();
  // A linked record's column, while its row is edited.
  await grid.getByText("Person 2", { exact: true }).dblclick();
  const field = page.getByLabel("name: string").and(page.locator(":focus"));
  await field.fill("being typed");
  companies.update("c2", { name: "Renamed" });
  await grid.getByRole("row", { name: "p02" }).getByText("Renamed", { exact: true }).waitFor();
  await becomes(() => field.inputValue(), "being typed");
  // A column that is not shown: the write would revert it.
  people.update("p02", { age: 99 });
  await field.press("Enter");
  await grid.getByRole("alert").getByText("Somebody else changed this record").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(people.get("p02").name, "Person 2");
  await page.visit(placeOf(`${CRM}/people`, { columns, record: "p07" }));
  const drawer = page.getByRole("complementary", { name: "Record p07" });
  await drawer.getByLabel("name string").fill("Mine");
  people.update("p07", { email: "ada@example.com" });
  await drawer.getByRole("alert").getByText("Somebody else changed this record").waitFor();
  await drawer.getByRole("button", { name: "Discard" }).click();
  await page.keyboard.press("Escape");

  // Rows that were out of view when they changed, and those that change in a distant view.
  await page.locator(".row.flash").first().waitFor({ state: "detached" });
  const flashed = await watchFlashes(grid);
  await grid.focus();
  await page.keyboard.press("Control+End");
  await grid.getByText("Far 1999", { exact: true }).waitFor();
  people.update("p01", { name: "Out of view" });
  people.update("q2990", { name: "In view" });
  people.delete("q2995");
  await grid.getByText("In view", { exact: true }).waitFor();
  await grid.getByRole("rowheader", { name: "q2995 deleted" }).waitFor();
  await page.keyboard.press("Control+Home");
  await grid.getByText("Out of view", { exact: true }).waitFor();
  await becomes(() => flashed.jsonValue(), ["q2990", "p01"], "rows that flashed, once each");

  // A filter through links.
  await page.visit(placeOf(`${CRM}/people`, { filter: '{"company.name":"Acme"}' }));
  await page.getByText("10 records", { exact: true }).waitFor();
  companies.update("c0", { name: "Acme Ltd" });
  await page.getByText("10 no longer match the filter").waitFor();
  companies.update("c1", { name: "Acme" });
  await page.getByRole("button", { name: "10 new rows" }).click();
  await page.getByText("10 records", { exact: true }).waitFor();
  await grid.getByText("Person 5", { exact: true }).waitFor();
}

/** Collects the ids of rows that flash. */
function watchFlashes(grid) {
  return grid.evaluateHandle((element) => {
    const flashed = [];
    const observer = new MutationObserver((changes) => {
      for (const { target, oldValue } of changes) {
        if (!target.matches(".row.flash") || /\bflash\b/.test(oldValue)) continue;
        flashed.push(target.querySelector(".link").textContent);
      }
    });
    const attributeFilter = ["class"];
    observer.observe(element, { subtree: true, attributeFilter, attributeOldValue: true });
    return flashed;
  });
}
