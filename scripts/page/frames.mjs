// What the frames of a page take, by the browser's own trace of the page's thread.
import assert from "node:assert/strict";

const CATEGORIES = ["disabled-by-default-devtools.timeline.frame", "blink.user_timing"];
const FRAME = "BeginMainThreadFrame";
const MARK = "traced";

/**
 * Measures up to three times, until a limit is kept; returns the least. A shared machine takes time
 * away now and then; time that the page takes itself is in each measurement.
 */
export async function leastOfThree(limit, measure) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least > limit; i++) least = Math.min(least, await measure());
  return least;
}

/** Milliseconds of the processor that a frame may take. */
export const FRAME_MS = 50;

/** The time that a part of all is at most; they are sorted. */
export function at(part, times) {
  return times[Math.min(Math.floor(part * times.length), times.length - 1)];
}

/** Milliseconds that a page's thread ran on the processor so far. */
export async function threadTime(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

/**
 * Scrolls the grid of a page by a step or a key in each frame, and answers for how many milliseconds
 * the page's thread ran on the processor from each frame to the next, least first: script, style,
 * layout, paint, the reading of answers, all that it did. What waits, for the screen or for other
 * programs, does not count. Without a step it replaces plain cells, as many as the grid shows.
 */
export async function traceFrames(page, step, count) {
  const session = await page.context().browser().newBrowserCDPSession();
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const traceConfig = { includedCategories: CATEGORIES, excludedCategories: ["*"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  const seen = await page.evaluate(turnFrames, [step, count, MARK]);
  const complete = new Promise((go) => session.once("Tracing.tracingComplete", go));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  const times = readTimes(events);
  // A trace that tells of no frames, or not of all, bounds nothing.
  assert.ok(times.length > 0.9 * count, `a trace of ${times.length} frames of ${count}`);
  return { ...seen, times };
}

function readTimes(events) {
  const [first, last] = events.filter(({ name }) => name === MARK).sort((a, b) => a.ts - b.ts);
  return events
    .filter(({ name, pid, tid }) => name === FRAME && pid === first.pid && tid === first.tid)
    .filter(({ ts }) => ts > first.ts && ts < last.ts)
    .sort((a, b) => a.ts - b.ts)
    .map(({ tts }, i, all) => (i === 0 ? 0 : (tts - all[i - 1].tts) / 1000))
    .slice(1)
    .sort((a, b) => a - b);
}

/** In the page: a step in each frame, and how many rows there were, and were put in, at most. */
async function turnFrames([step, count, mark]) {
  const grid = document.querySelector("[role=grid]");
  let added = 0;
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node.role === "row") added++;
    }
  });
  observer.observe(grid, { childList: true, subtree: true });
  const plain = document.createElement("div");
  plain.style = "position: fixed; inset: 0; z-index: 99; overflow: hidden; background: white";
  if (step === undefined) document.body.append(plain);
  const replaceCells = () => {
    const rows = [...grid.querySelectorAll("[role=row]")].map((row) => {
      const copy = document.createElement("div");
      copy.style = `display: grid; grid-template-columns: repeat(${row.children.length}, 1fr)`;
      for (let i = 0; i < row.children.length; i++) {
        copy.append(Object.assign(document.createElement("span"), { textContent: Math.random() }));
      }
      return copy;
    });
    plain.replaceChildren(...rows);
  };
  const most = { rows: 0, added: 0 };
  performance.mark(mark);
  for (let i = 0; i < count; i++) {
    if (step === undefined) replaceCells();
    else if (typeof step === "number") grid.scrollTop += step;
    else grid.dispatchEvent(new KeyboardEvent("keydown", { key: step, bubbles: true }));
    added = 0;
    await new Promise(requestAnimationFrame);
    most.rows = Math.max(most.rows, grid.querySelectorAll("[role=row]").length);
    most.added = Math.max(most.added, added);
  }
  performance.mark(mark);
  observer.disconnect();
  plain.remove();
  return most;
}
