// Links are shown and chosen by name.
import assert from "node:assert/strict";
import { PEOPLE, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, enter, focused, settle } from "./open.mjs";

/** Shows names in cells, form and breadcrumbs; suggests records; warns about a dangling id. */
export async function links({ open, serve }) {
  const { url, people } = await serveCrm(serve);
  people.insert({ id: "p99", name: "Stray", company: "nowhere", age: 1 });
  const page = await open(url, PEOPLE);
  const grid = page.getByRole("grid");
  await grid.getByRole("link", { name: "Fabrikam" }).first().waitFor();
  await grid
    .getByRole("gridcell", { name: /Fabrikam/ })
    .first()
    .getByText("c2")
    .waitFor();

  const find = page.getByRole("searchbox", { name: "Find in people" });
  await find.fill("lovel");
  await page.getByText("1 record", { exact: true }).waitFor();
  await grid.getByText("Ada Lovelace").waitFor();
  await find.fill("nobody");
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByText("41 records").waitFor();
  await becomes(() => find.inputValue(), "");

  // A filter accepts the name, too.
  await page.getByRole("button", { name: "Filter" }).click();
  const panel = page.getByRole("form", { name: "Filter" });
  await panel.getByLabel("Column").selectOption("company");
  const wanted = panel.getByRole("combobox", { name: "Value" });
  await wanted.fill("fabr");
  const option = page.getByRole("option", { name: /Fabrikam/ });
  await option.waitFor();
  await checkAccess(page, "records suggested in a filter");
  await option.click({ trial: true }); // nothing covers or cuts it
  await wanted.press("Enter");
  await becomes(() => panel.getByLabel("JSON").inputValue(), '{\n  "company": "c2"\n}');
  await wanted.press("Enter");
  await page.getByText("10 records").waitFor();
  await panel.getByRole("button", { name: "Clear" }).click();
  await page.getByText("41 records").waitFor();
  await page.getByRole("button", { name: "Filter" }).click();

  // In the cell, part of a name suffices. Text that matches no record is saved only by a click.
  await grid.getByText(/^Acme/).first().dblclick();
  const field = page.getByRole("combobox", { name: "company: link" });
  await enter(field, "zzz");
  await grid.getByRole("button", { name: "Save anyway" }).waitFor();
  await settle(page);
  await becomes(() => field.inputValue(), "zzz");
  assert.equal(people.get("p00").company.id, "c0");
  await checkAccess(page, "a dangling link in its cell");
  await grid.getByRole("button", { name: "Save anyway" }).press("Enter");
  await page.getByText("company of p00 was saved").waitFor();
  await field.waitFor({ state: "detached" });
  assert.equal(people.get("p00").company.id, "zzz");
  await grid.getByText("zzz").dblclick();
  await field.fill("fabr");
  await page.getByRole("option", { name: /Fabrikam/ }).waitFor();
  await checkAccess(page, "suggested records");
  await field.press("Enter");
  await field.waitFor({ state: "detached" });
  assert.equal(people.get("p00").company.id, "c2");

  // In the form, by keys; a dangling id is marked before it is saved.
  await grid.focus();
  await page.keyboard.press(" ");
  const drawer = page.getByRole("complementary", { name: "Record p00" });
  await drawer.getByRole("heading", { name: "Person 0" }).waitFor();
  await page.getByRole("navigation", { name: "Address" }).getByText("Person 0").waitFor();
  const company = drawer.getByLabel("company link to companies");
  await becomes(() => company.inputValue(), "Fabrikam");
  // A click selects the whole name and lists the records; Enter keeps the old one.
  const range = () => company.evaluate((field) => [field.selectionStart, field.selectionEnd]);
  await company.click();
  await becomes(range, [0, "Fabrikam".length]);
  await page.getByRole("option", { name: /Fabrikam/, selected: true }).waitFor();
  await page.getByRole("option", { name: /Initech/ }).waitFor();
  await checkAccess(page, "records listed by a click");
  await page.keyboard.press("Enter");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await becomes(() => company.inputValue(), "Fabrikam");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("listbox").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await drawer.waitFor();
  await company.fill("t9");
  await drawer.getByText("No record “t9” in companies").waitFor();
  await checkAccess(page, "a dangling link");
  await company.fill("init");
  await page.getByRole("option", { name: /Initech/ }).waitFor();
  await company.press("Enter");
  await becomes(() => company.inputValue(), "Initech");
  await drawer.getByRole("button", { name: "Save" }).click();
  await page.getByText("p00 was saved", { exact: true }).waitFor();
  assert.equal(people.get("p00").company.id, "c3");
  await page.keyboard.press("Escape");
  await focused(grid);
  await page.keyboard.press("Control+End");
  await grid.getByText("missing").waitFor();

  // A generated id is longer than its column: its beginning is visible.
  const { id } = people.insert({ name: "Long" });
  await page.getByRole("button", { name: "1 new row" }).click();
  await page.getByText("42 records").waitFor();
  await grid.focus();
  await page.keyboard.press("Control+End");
  const name = grid.getByRole("button", { name: id, exact: true });
  const widths = () =>
    name.evaluate((button) => {
      const { right } = button.closest(".cell").getBoundingClientRect();
      return [button.clientWidth > 90, button.getBoundingClientRect().right <= right];
    });
  await becomes(widths, [true, true], "the beginning of a long id is visible");
  people.delete(id);

  // The page remembers another title column.
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByLabel(/^Title column/).selectOption("email");
  await page.reload();
  await page.getByText("41 records").waitFor();
  await becomes(() => page.getByLabel(/^Title column/).inputValue(), "email");
}
