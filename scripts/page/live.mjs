// The grid follows other writers without moving rows.
import assert from "node:assert/strict";
import { CRM, PEOPLE, serveCrm } from "./crm.mjs";
import { becomes, goLive, placeOf } from "./open.mjs";

/** Shows updates, deletions and counts of others; loads new rows on a click. */
export async function live({ open, serve }) {
  const { url, main, people } = await serveCrm(serve);
  const page = await open(url, PEOPLE);
  const grid = page.getByRole("grid");
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
