// Links are shown and chosen by name.
import assert from "node:assert/strict";
import { PEOPLE, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, focused, openPage } from "./open.mjs";

/** Shows names in cells, form, breadcrumbs; offers records as one types; warns of a dead id. */
export async function links({ browser }) {
  const { server, url, people } = await serveCrm();
  people.insert({ id: "p99", name: "Stray", company: "nowhere", age: 1 });
  const page = await openPage(browser, url, PEOPLE);
  const grid = page.getByRole("grid");
  await grid.getByRole("link", { name: "Fabrikam" }).first().waitFor();
  await grid
    .getByRole("gridcell", { name: /Fabrikam/ })
    .first()
    .getByText("c2")
    .waitFor();

  // A part of the name finds a record.
  const find = page.getByRole("searchbox", { name: "Find in people" });
  await find.fill("lovel");
  await page.getByText("1 record", { exact: true }).waitFor();
  await grid.getByText("Ada Lovelace").waitFor();
  await find.fill("nobody");
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByText("41 records").waitFor();
  await becomes(() => find.inputValue(), "");

  // In the cell: a part of the name is enough.
  await grid
    .getByRole("gridcell", { name: /Acme/ })
    .first()
    .dblclick({ position: { x: 120, y: 10 } });
  const field = page.getByRole("combobox", { name: "company: link" });
  await field.fill("fabr");
  await page.getByRole("option", { name: /Fabrikam/ }).waitFor();
  await checkAccess(page, "records that are offered");
  await field.press("Enter");
  await page.getByText("company of p00 was saved").waitFor();
  assert.equal(people.get("p00").company.id, "c2");

  // In the form, with keys alone; an id that leads nowhere is marked before it is saved.
  await grid.focus();
  await page.keyboard.press(" ");
  const drawer = page.getByRole("complementary", { name: "Record p00" });
  await drawer.getByRole("heading", { name: "Person 0" }).waitFor();
  await page.getByRole("navigation", { name: "Address" }).getByText("Person 0").waitFor();
  const company = drawer.getByLabel("company link to companies");
  await becomes(() => company.inputValue(), "Fabrikam");
  // A click selects the whole name and offers the records; Enter keeps what was there.
  const range = () => company.evaluate((field) => [field.selectionStart, field.selectionEnd]);
  await company.click();
  await becomes(range, [0, "Fabrikam".length]);
  await page.getByRole("option", { name: /Fabrikam/, selected: true }).waitFor();
  await page.getByRole("option", { name: /Initech/ }).waitFor();
  await checkAccess(page, "records that a click offers");
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
  await checkAccess(page, "a dead link");
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

  // An id that the service made is longer than its column: its beginning is seen.
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
  await becomes(widths, [true, true], "the beginning of a long id is seen");
  people.delete(id);

  // Another title column, remembered.
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByLabel(/^Title column/).selectOption("email");
  await page.reload();
  await page.getByText("41 records").waitFor();
  await becomes(() => page.getByLabel(/^Title column/).inputValue(), "email");
  await page.finish();
  await server.close();
}
