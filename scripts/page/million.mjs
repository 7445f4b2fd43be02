// A million records: the first rows, frames of scrolling, memory.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { at, FRAME_MS, leastOfThree, threadTime, traceFrames } from "./frames.mjs";
import { becomes, placeOf, settle } from "./open.mjs";

const ROWS = 1_000_000;
/** Milliseconds until the first rows are shown. */
const FIRST_MS = 300;
/** Megabytes that the heap may grow over the second half of the rows. */
const GROWTH_MB = 15;

const idOf = (i) => `r${String(i).padStart(7, "0")}`;

async function serveRows(serve) {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("demo").createDatabase("big").branch("main");
  const table = main.createTable("rows", [
    { name: "number", type: "int" },
    { name: "name", type: "string" },
    { name: "half", type: "float" },
    { name: "even", type: "bool" },
    { name: "time", type: "datetime" },
    { name: "words", type: "text" },
  ]);
  table.load(
    Array.from({ length: ROWS }, (_, i) => ({
      id: idOf(i),
      number: i,
      name: `name ${i}`,
      half: i / 2,
      even: i % 2 === 0,
      time: new Date(1e12 + i * 1e6).toISOString(),
      words: `some words about ${i}, and a few more of them`,
    })),
  );
  return { table, ...(await serve(engine)) };
}

/** Limits the work per frame when scrolling by keys, rows, pages and the scrollbar. */
export async function million({ open, serve, log }) {
  const { url } = await serveRows(serve);
  const page = await open(url, placeOf("demo/big/main/rows"));
  await page.getByText("1,000,000 records").waitFor();
  await page.getByRole("grid").getByText("r0000000").waitFor();
  let asked = 0;
  page.on("request", () => asked++);
  await traceFrames(page, 100, 20); // warms up the code
  for (const [name, step, count] of [
    ["by the key PageDown", "PageDown", 200],
    ["by rows", 96, 200],
    ["by pages", 800, 200],
    ["with the scrollbar", 30_000, 120],
  ]) {
    const longest = await leastOfThree(FRAME_MS, async () => {
      asked = 0;
      const { times, rows, added } = await traceFrames(page, step, count);
      log(
        `${name}: ${describeFrames(times)}; adds at most ${added} rows of ${rows}; ${asked} requests`,
      );
      assert.ok(at(0.5, times) < FRAME_MS / 2, `${name}: a frame is too much work`);
      assert.ok(rows < 60 && added < 60, `${name}: too many rows`);
      assert.ok(asked <= 2 * count, `${name}: too many requests`);
      return at(1, times);
    });
    assert.ok(longest <= FRAME_MS, `${name}: a frame of ${longest.toFixed(1)} ms in each scroll`);
  }
  const isRight = () =>
    page.evaluate(() => {
      const row = document.querySelector(".body [role=row]:not(.waiting)");
      return row?.textContent.includes(`name ${Number(row.ariaRowIndex) - 2}`);
    });
  await becomes(isRight, true, "a row shows the record of its position");
  await page.waitForFunction(() => document.querySelector(".waiting") === null);
}

/** Limits the time to the first rows, the frames under a thousand writes per second, and memory. */
export async function busy({ open, serve, log }) {
  const { url, table } = await serveRows(serve);
  const page = await open(url, "");
  await page.getByText("1,000,000").first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  let asked = 0;
  page.on("request", () => asked++);
  const first = await leastOfThree(FIRST_MS, async () => {
    await page.visit("");
    await page.getByText("1,000,000").first().waitFor();
    const idle = await threadTime(session);
    asked = 0;
    const waited = await page.evaluate(openRows);
    const worked = (await threadTime(session)) - idle;
    log(
      `first rows of a million after ${waited.toFixed(0)} ms, of which the page's thread ran ` +
        `${worked.toFixed(0)} ms; ${asked} requests`,
    );
    assert.ok(asked <= 5, `${asked} requests for the first rows`);
    return waited;
  });
  assert.ok(first <= FIRST_MS, `the first rows took ${first.toFixed(0)} ms each time`);
  await traceFrames(page, 96, 30); // warms up the code
  let written = 0;
  const began = performance.now();
  const writer = setInterval(() => {
    const due = Math.floor(performance.now() - began);
    // Half of them in visible rows, half anywhere.
    for (; written < due; written++) {
      const i = written % 2 === 0 ? written % 400 : (written * 7919) % ROWS;
      table.update(idOf(i), { name: `written ${written}` });
    }
  }, 10);
  const longest = await leastOfThree(FRAME_MS, async () => {
    const { times, added, rows } = await traceFrames(page, 12, 300);
    const rate = (1000 * written) / (performance.now() - began);
    log(`${rate.toFixed(0)} writes a second: ${describeFrames(times)}`);
    assert.ok(rows < 60 && added < 60, "too many rows");
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
  await page.evaluate(scrollHalf, 0);
  const early = await memory();
  await page.evaluate(scrollHalf, 1);
  const late = await memory();
  log(`after half of the rows ${early.toFixed(1)} MB, at the end ${late.toFixed(1)} MB`);
  assert.ok(late < early + GROWTH_MB, `from ${early} to ${late} MB`);
}

function describeFrames(times) {
  const [middle, most, longest] = [0.5, 0.99, 1].map((part) => at(part, times).toFixed(1));
  return `${times.length} frames, median ${middle} ms of the processor, 99 % ${most}, longest ${longest}`;
}

/** In the page: opens the table; returns the milliseconds until its first rows are shown. */
async function openRows() {
  const began = performance.now();
  location.hash = "#/demo/big/main/rows";
  while (document.querySelector(".body .row:not(.waiting) .link") === null) {
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - began;
}

/** In the page: scrolls through half of the rows, over more pages of records than the page caches. */
async function scrollHalf(half) {
  const grid = document.querySelector("[role=grid]");
  for (let i = 1; i <= 70; i++) {
    grid.scrollTop = ((half + i / 70) / 2) * grid.scrollHeight;
    do await new Promise(requestAnimationFrame);
    while (document.querySelector(".body .row.waiting") !== null);
  }
}
