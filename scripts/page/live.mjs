// The grid follows what others write, and moves nothing.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { CRM, PEOPLE, serveCrm } from "./crm.mjs";
import { at, FRAME_MS, leastOfThree, threadTime, traceFrames } from "./frames.mjs";
import { becomes, goLive, openPage, placeOf, serveEngine, settle } from "./open.mjs";

/** Shows updates, deletions and counts of others; loads new rows only when asked. */
export async function live({ browser }) {
  const { server, url, main, people } = await serveCrm();
  const page = await openPage(browser, url, PEOPLE);
  const grid = page.getByRole("grid");
  await grid.getByText("Person 2", { exact: true }).waitFor();
  await goLive(page);
  const flashed = await watchFlashes(grid);
  people.update("p02", { name: "Renamed" });
  await grid.getByText("Renamed", { exact: true }).waitFor();
  await becomes(() => flashed.jsonValue(), ["p02"], "rows that flashed, once each");
  await page.locator(".row.flash").waitFor({ state: "detached" });
  assert.deepEqual(await flashed.jsonValue(), ["p02"]);
  // A record that is deleted and made again at once is there.
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

  // A hidden page receives nothing; what it missed is read when it is seen again.
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

  // Titles of linked records, tables, and what a filter finds follow as well.
  main.table("companies").update("c0", { name: "Acme Ltd" });
  await grid.getByRole("link", { name: "Acme Ltd" }).first().waitFor();
  // A table that others make changes nothing of what one is writing.
  await grid.getByText("Person 5", { exact: true }).dblclick();
  await page.getByLabel("name: string").fill("being typed");
  main.createTable("made", [{ name: "name", type: "string" }]);
  await page.getByRole("link", { name: "made 0" }).waitFor();
  const typed = page.getByLabel("name: string").and(page.locator(":focus"));
  await becomes(() => typed.inputValue(), "being typed");
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

/** The ids of the rows of a grid that flash from now on. */
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
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  let asked = 0;
  page.on("request", () => asked++);
  const openTable = async () => {
    const began = performance.now();
    location.hash = "#/demo/big/main/rows";
    while (document.querySelector(".body .row:not(.waiting) .link") === null) {
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - began;
  };
  const first = await leastOfThree(300, async () => {
    await page.goto(`${url}/_twinbase/`);
    await page.getByText("1,000,000").first().waitFor();
    const idle = await threadTime(session);
    asked = 0;
    const waited = await page.evaluate(openTable);
    const worked = (await threadTime(session)) - idle;
    tell(
      `the first rows of a million are there after ${waited.toFixed(0)} ms, of which the page's ` +
        `thread ran ${worked.toFixed(0)} ms on the processor; ${asked} requests`,
    );
    assert.ok(asked <= 5, `${asked} requests for the first rows`);
    return waited;
  });
  assert.ok(first <= 300, `the first rows took ${first.toFixed(0)} ms each time`);
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
  const longest = await leastOfThree(FRAME_MS, async () => {
    const { times, added, rows: shown } = await traceFrames(page, 12, 300);
    const rate = (1000 * written) / (performance.now() - began);
    tell(
      `${rate.toFixed(0)} writes a second: of the processor ${times.length} frames take ` +
        `${at(0.5, times).toFixed(1)} ms each, the longest ${at(1, times).toFixed(1)} ms`,
    );
    assert.ok(shown < 60 && added < 60, "too many rows");
    return at(1, times);
  });
  clearInterval(writer);
  assert.ok(longest <= FRAME_MS, `a frame of ${longest.toFixed(1)} ms in each scroll`);
  await settle(page);
  const memory = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize / 1024 / 1024;
  };
  // More pages of records in each half than the page keeps.
  const scroll = (half) =>
    page.evaluate(async (from) => {
      const grid = document.querySelector("[role=grid]");
      for (let i = 1; i <= 70; i++) {
        grid.scrollTop = ((from + i / 70) / 2) * grid.scrollHeight;
        do await new Promise(requestAnimationFrame);
        while (document.querySelector(".body .row.waiting") !== null);
      }
    }, half);
  await scroll(0);
  const early = await memory();
  await scroll(1);
  const late = await memory();
  tell(`after half of the rows ${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`);
  assert.ok(late < early + 15, `from ${early} to ${late} MB`);
  await page.finish();
  await server.close();
}
