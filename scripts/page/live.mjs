// The grid follows what others write, and moves nothing.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { CRM, PEOPLE, serveCrm } from "./crm.mjs";
import { traceFrames } from "./frames.mjs";
import { openPage, placeOf, serveEngine, settle } from "./open.mjs";

/** Shows updates, deletions and counts of others; loads new rows only when asked. */
export async function live({ browser }) {
  const { server, url, main, people } = await serveCrm();
  const page = await openPage(browser, url, PEOPLE);
  const grid = page.getByRole("grid");
  await grid.getByText("Person 2", { exact: true }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  people.update("p02", { name: "Renamed" });
  await grid.getByText("Renamed", { exact: true }).waitFor();
  assert.equal(await page.locator(".row.flash").count(), 1);
  await page.locator(".row.flash").waitFor({ state: "detached" });
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

  // Titles of linked records, tables, and what a filter finds follow as well.
  main.table("companies").update("c0", { name: "Acme Ltd" });
  await grid.getByRole("link", { name: "Acme Ltd" }).first().waitFor();
  // A table that others make changes nothing of what one is writing.
  await grid.getByText("Person 5", { exact: true }).dblclick();
  await page.getByLabel("name: string").fill("being typed");
  main.createTable("made", [{ name: "name", type: "string" }]);
  await page.getByRole("link", { name: "made 0" }).waitFor();
  const typed = page.getByLabel("name: string").and(page.locator(":focus"));
  assert.equal(await typed.inputValue({ timeout: 1000 }), "being typed");
  await page.keyboard.press("Escape");
  await page.goto(`${url}/_twinbase/${placeOf(`${CRM}/people`, { filter: '{"age":{"$lt":22}}' })}`);
  await page.getByText("2 records", { exact: true }).waitFor();
  people.update("p01", { age: 70 });
  await page.getByText("1 no longer matches the filter").waitFor();
  people.insert({ id: "y", age: 3 });
  await page.getByRole("button", { name: "1 new row" }).click();
  await page.getByText("2 records", { exact: true }).waitFor();
  await page.finish();
  await server.close();
}

/** Milliseconds of the processor that a frame may take. */
const MOST_MS = 50;

/** A million records are scrolled while others write a thousand a second; memory is bounded. */
export async function busy({ browser, tell }) {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("big").branch("main");
  const rows = main.createTable("rows", [
    { name: "number", type: "int" },
    { name: "name", type: "string" },
    { name: "words", type: "text" },
  ]);
  const idOf = (i) => `r${String(i).padStart(7, "0")}`;
  rows.load(
    Array.from({ length: 1_000_000 }, (_, i) => ({
      id: idOf(i),
      number: i,
      name: `name ${i}`,
      words: `some words about ${i}, and a few more of them`,
    })),
  );
  const { server, url } = await serveEngine(engine);
  const page = await openPage(browser, url, "");
  await page.getByText("1,000,000").first().waitFor();
  const first = await page.evaluate(async () => {
    const began = performance.now();
    location.hash = "#/demo/big/main/rows";
    while (document.querySelector(".body .row:not(.waiting) .link") === null) {
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - began;
  });
  tell(`the first rows of a million are there after ${first.toFixed(0)} ms`);
  assert.ok(first <= 300, `the first rows took ${first.toFixed(0)} ms`);
  await traceFrames(page, 96, 30); // the code is warm
  let written = 0;
  const began = performance.now();
  const writer = setInterval(() => {
    const due = Math.floor(performance.now() - began);
    // Half of them in the rows that are looked at, half anywhere.
    for (; written < due; written++) {
      const i = written % 2 === 0 ? written % 400 : (written * 7919) % 1_000_000;
      rows.update(idOf(i), { name: `written ${written}` });
    }
  }, 10);
  let longest = Number.POSITIVE_INFINITY;
  for (let scrolls = 0; scrolls < 3 && longest > MOST_MS; scrolls++) {
    const { times } = await traceFrames(page, 12, 300);
    longest = times.at(-1);
    const rate = (1000 * written) / (performance.now() - began);
    tell(
      `${rate.toFixed(0)} writes a second: of the processor ${times.length} frames take ` +
        `${times[times.length >> 1].toFixed(1)} ms each, the longest ${longest.toFixed(1)} ms`,
    );
  }
  clearInterval(writer);
  assert.ok(longest <= MOST_MS, `a frame of ${longest.toFixed(1)} ms in each scroll`);
  await settle(page);
  const memory = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize / 1024 / 1024;
  };
  const scroll = (part) =>
    page.evaluate(async (of) => {
      const grid = document.querySelector("[role=grid]");
      for (let i = 0; i < 100; i++) {
        grid.scrollTop = ((of + i / 100) / 4) * grid.scrollHeight;
        await new Promise((go) => setTimeout(go, 20));
      }
    }, part);
  await scroll(0);
  const early = await memory();
  for (const part of [1, 2, 3]) await scroll(part);
  const late = await memory();
  tell(`after a quarter of the rows ${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`);
  assert.ok(late < early + 15, `from ${early} to ${late} MB`);
  await page.finish();
  await server.close();
}
