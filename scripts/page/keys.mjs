// Keys of the grid, undo, messages.
import assert from "node:assert/strict";
import { openPeople, PEOPLE, serveCrm } from "./crm.mjs";
import { becomes, checkAccess, dropFile, enter, focused, press } from "./open.mjs";

const activeCell = (page) => page.locator("#active-cell").innerText();

/** Tab saves and moves right; Ctrl+C copies; F filters by the value; `/` finds. */
export async function keys({ open, serve }) {
  const { page, grid, people } = await openPeople({ open, serve });
  for (const [name, type] of Object.entries({
    name: "string",
    company: "→ companies",
    age: "int",
  })) {
    await grid.getByRole("columnheader", { name: `${name} ${type}` }).waitFor();
  }
  await grid.getByText("Person 3", { exact: true }).dblclick();
  await page.getByLabel("name: string").fill("Cleo");
  await page.keyboard.press("Tab");
  await page.getByText("name of p03 was saved").waitFor();
  await focused(grid);
  await becomes(() => people.get("p03").name, "Cleo");
  await page.keyboard.press("Enter");
  await page.getByLabel("email: email").fill("wrong");
  await page.keyboard.press("Tab");
  // What is refused stays in its cell.
  await grid.getByRole("alert").getByText("e-mail").waitFor();
  await page.getByLabel("email: email").fill("cleo@example.com");
  await page.keyboard.press("Shift+Tab");
  await page.getByText("email of p03 was saved").waitFor();
  await becomes(() => activeCell(page), "Cleo");
  await press(page, "ArrowRight", "Control+c");
  await page.getByText("email of p03 was copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "cleo@example.com");
  await page.keyboard.press("Backspace");
  await becomes(() => people.get("p03").email ?? null, null);
  await checkAccess(page, "an active cell");

  await press(page, "ArrowRight", "f");
  await page.waitForURL(/filter=%7B%22company%22%3A%22c3%22%7D/);
  await page.getByText("10 records").waitFor();
  await grid.getByText("23", { exact: true }).click();
  await grid.getByRole("button", { name: "Filter by this age" }).click();
  await page.getByText("1 record", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Filter (2)" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("40 records").waitFor();
  await grid.focus();
  await page.keyboard.press("/");
  await focused(page.getByRole("searchbox", { name: "Find in people" }));
  await page.keyboard.type("Person 1/");
  await page.getByText("0 records").waitFor();
}

/** Undo, by key and by button, keeps the focus, the active cell and the scroll position. */
export async function undoing({ open, serve }) {
  const { page, grid, people } = await openPeople({ open, serve });
  const box = await grid.boundingBox();
  for (const way of ["key", "button"]) {
    await grid.focus();
    await press(page, "Control+End", "End", "Enter");
    await enter(page.getByLabel("age: int"), "99");
    await page.getByText("age of p39 was saved").waitFor();
    const top = await grid.evaluate((element) => element.scrollTop);
    // A message covers no content, and moves none.
    const notice = await page.getByLabel("Messages").locator(".notice").boundingBox();
    const main = await page.getByRole("main").boundingBox();
    assert.ok(notice.y + notice.height <= main.y, "the message covers content");
    assert.deepEqual(await grid.boundingBox(), box, "the message moves content");
    const button = page.getByRole("button", { name: "Undo" });
    assert.match(await button.getAttribute("title"), /writes of others since then go too/);
    if (way === "key") await page.keyboard.press("Control+z");
    else await button.click();
    await page.getByText("Undone: age of p39 was saved").waitFor();
    await becomes(() => people.get("p39").age, 59);
    await becomes(() => activeCell(page), "59");
    await focused(grid);
    assert.equal(await grid.evaluate((element) => element.scrollTop), top);
  }
  // By key, it asks too before it reverts others' writes.
  await page.keyboard.press("Backspace");
  await page.getByText("age of p39 was saved").waitFor();
  people.update("p00", { name: "Theirs" });
  await page.keyboard.press("Control+z");
  const ask = page.getByRole("alertdialog", { name: "Undo changes of others too?" });
  await ask.getByRole("button", { name: "Cancel" }).click();
  await focused(grid);
  assert.deepEqual([people.get("p39").age ?? null, people.get("p00").name], [null, "Theirs"]);
}

/** A message goes with its view; the end of an id is visible, in its column and in a link. */
export async function shown({ open, serve }) {
  const { url, people, companies } = await serveCrm(serve);
  const ids = ["d5tq0mi8k6l0003v2a1", "d5tq0mi8k6l0003v2b7"].map((id) => `rec_${id}`);
  companies.insert(ids.map((id) => ({ id })));
  people.insert(ids.map((company, i) => ({ id: `${company}_person_${i}`, company })));
  const page = await open(url, PEOPLE);
  const grid = page.getByRole("grid");
  await page.getByText("42 records").waitFor();
  await grid.focus();
  await press(page, "Control+End", "ArrowRight", "Backspace");
  const message = page.getByLabel("Messages").locator(".notice");
  await message.waitFor();
  const seen = (text) =>
    grid.getByText(text, { exact: true }).evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const y = (top + bottom) / 2;
        return [left + 1, right - 1].every((x) => element === document.elementFromPoint(x, y));
      }),
    );
  for (const i of [0, 1]) {
    await becomes(() => seen(`erson_${i}`), [true], "the end of an id");
    await becomes(() => seen(ids[i].slice(-7)), [true], "the end of the id in a link");
  }
  await checkAccess(page, "long ids");
  await page.getByRole("button", { name: "Columns" }).click(); // of the same view
  await message.waitFor();
  await page.getByRole("link", { name: "companies 6" }).click();
  await page.getByText("6 records").waitFor();
  await becomes(() => message.count(), 0, "the message of another table");
}

/** Columns are resized by pointer and by keys; the address keeps their widths. */
export async function widths({ open, serve }) {
  const { url, page, grid } = await openPeople({ open, serve });
  const widthOf = async (name, of = page) =>
    (await of.getByRole("columnheader", { name: `${name} ` }).boundingBox()).width;
  const start = { email: await widthOf("email"), age: await widthOf("age") };
  const edge = grid.getByRole("columnheader", { name: "email " }).locator(".resize");
  const box = await edge.boundingBox();
  const [x, y] = [box.x + box.width, box.y + box.height / 2];
  await page.mouse.move(x - 1, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y);
  await page.mouse.move(x + 90, y);
  await page.mouse.up();
  await page.waitForURL(/widths=email%3A\d+$/);
  const wide = await widthOf("email");
  assert.ok(Math.abs(wide - start.email - 90) < 3, `${wide}, before ${start.email}`);
  const cell = await grid.getByRole("gridcell").nth(1).boundingBox();
  assert.equal(cell.width, wide, "cells are as wide as their header");
  assert.doesNotMatch(page.url(), /sort=/, "a drag does not sort");
  await grid.getByText("20", { exact: true }).click();
  await page.keyboard.press("Shift+ArrowRight");
  await becomes(() => widthOf("age"), start.age + 20);
  await page.keyboard.press("Shift+ArrowLeft");
  await becomes(() => widthOf("age"), start.age);
  await checkAccess(page, "resized columns");
  const shared = await open(url, new URL(page.url()).hash);
  await shared.getByText("40 records").waitFor();
  assert.equal(await widthOf("email", shared), wide);
  await edge.dblclick();
  await becomes(() => page.url().includes("email%3A"), false);
}

/** The preview of an import shows all columns, and breaks no words. */
export async function preview({ open, serve }) {
  const { page } = await openPeople({ open, serve });
  const names = Array.from({ length: 14 }, (_, i) => `column_${i}`);
  const text = `${names.join(",")}\n${names.map((name) => `some words of ${name}`).join(",")}\n`;
  await dropFile(page, "div.records", { name: "wide.csv", text });
  const shown = page.getByRole("region", { name: "First records of the file" });
  await becomes(() => shown.getByRole("columnheader").allInnerTexts(), names);
  const { height } = await shown.getByRole("row").nth(1).boundingBox();
  assert.ok(height < 40, `a row of ${height} pixels`);
  const box = await page.getByRole("dialog").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 800);
  await checkAccess(page, "a wide import");
}
