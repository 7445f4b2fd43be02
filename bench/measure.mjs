// Clocks, medians, memory.

/** Heap that a process of its own holds, in bytes: on the heap and in array buffers, and outside. */
export async function readMemory() {
  // Code that is being compiled beside this thread holds values for a moment.
  await new Promise((resolve) => setTimeout(resolve, 100));
  collectGarbage();
  const { heapUsed, heapTotal, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, outside: rss - heapTotal };
}

/** Needs `--expose-gc`. Twice, because finalizers free more. */
function collectGarbage() {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  globalThis.gc();
  globalThis.gc();
}

/**
 * @param {readonly number[]} values
 * @param {number} share 0–1
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * Waits only where there is something to wait for: an engine that answers at once is not charged
 * for a turn of the event loop.
 *
 * @param {() => unknown} call
 * @returns {Promise<{ ms: number, answer: any }>}
 */
export async function timeCall(call) {
  const started = performance.now();
  const given = call();
  const answer = given instanceof Promise ? await given : given;
  return { ms: performance.now() - started, answer };
}

/**
 * The batches one by one, with the time that making them took.
 *
 * @template T
 * @param {Iterable<T>} batches
 */
export function clockBatches(batches) {
  const clock = { ms: 0 };
  function* give() {
    const iterator = batches[Symbol.iterator]();
    for (;;) {
      const started = performance.now();
      const { done, value } = iterator.next();
      clock.ms += performance.now() - started;
      if (done === true) return;
      yield value;
    }
  }
  return { clock, batches: give() };
}

/**
 * The floor F: counting over float64 values that pass a comparison, in milliseconds.
 *
 * @param {number} length
 */
export function timeFloor(length) {
  const values = Float64Array.from({ length }, (_, i) => (i * 7919) % length);
  const times = [];
  let counted = 0;
  for (let round = 0; round < 15; round++) {
    const started = performance.now();
    counted += countAbove(values, round);
    times.push(performance.now() - started);
  }
  if (counted < length) throw new Error("the floor counted nothing");
  return median(times.slice(5));
}

/** @param {Float64Array} values @param {number} bound */
function countAbove(values, bound) {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (/** @type {number} */ (values[i]) > bound) count++;
  return count;
}
