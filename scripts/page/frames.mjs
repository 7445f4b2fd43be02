// Processor time of a page's frames, by the browser's trace of the page's thread.
import assert from "node:assert/strict";

const CATEGORIES = ["disabled-by-default-devtools.timeline.frame", "blink.user_timing"];
const FRAME = "BeginMainThreadFrame";
const MARK = "traced";

/**
 * Measures up to three times, until a value is within the limit; returns the least. A busy machine delays
 * some measurements; the page's own time is in each.
 */
export async function leastOfThree(limit, measure) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least > limit; i++) least = Math.min(least, await measure());
  return least;
}

/** Milliseconds of processor time that a frame may take. */
export const FRAME_MS = 50;

/** A quantile of sorted times. */
export function at(part, times) {
  return times[Math.min(Math.floor(part * times.length), times.length - 1)];
}

/** Milliseconds of processor time of a page's thread so far. */
export async function threadTime(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

/**
 * Scrolls the grid of a page by a step or a key in each frame. Returns the milliseconds of processor time of
 * the page's thread between frames, sorted: script, style, layout and paint, without waiting.
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
  // A trace without most frames would prove nothing.
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

/** In the page: scrolls in each frame; returns the maximum rows seen and added in a frame. */
async function turnFrames([step, count, mark]) {
  const grid = document.querySelector("[role=grid]");
  let added = 0;
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) if (node.role === "row") added++;
    }
  });
  observer.observe(grid, { childList: true, subtree: true });
  const most = { rows: 0, added: 0 };
  performance.mark(mark);
  for (let i = 0; i < count; i++) {
    if (typeof step === "number") grid.scrollTop += step;
    else grid.dispatchEvent(new KeyboardEvent("keydown", { key: step, bubbles: true }));
    added = 0;
    await new Promise(requestAnimationFrame);
    most.rows = Math.max(most.rows, grid.querySelectorAll("[role=row]").length);
    most.added = Math.max(most.added, added);
  }
  performance.mark(mark);
  observer.disconnect();
  return most;
}
