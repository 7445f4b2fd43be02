// Clocks, medians, memory.

/** Bytes of this process on the heap (including array buffers) and outside of it. */
export async function readMemory() {
  if (globalThis.gc === undefined) throw new Error("run with --expose-gc");
  // Concurrent compilation keeps values alive for a moment.
  await new Promise((resolve) => setTimeout(resolve, 100));
  // Twice, because finalizers free more.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, heapTotal, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, outside: rss - heapTotal };
}

/** The value below which a share (0–1) of the values lies. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Milliseconds of processor time of this process since an earlier `process.cpuUsage()`, or its start. */
export function processorMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Awaits only promises, so synchronous engines don't pay for the event loop. */
export async function timeCall(call) {
  const started = performance.now();
  const given = call();
  const answer = given instanceof Promise ? await given : given;
  return { ms: performance.now() - started, answer };
}

/** Yields the batches, and sums the milliseconds of generating them. */
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

/** F: milliseconds for counting the numbers above a bound among a million. */
export function timeFloor() {
  const values = Float64Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_000);
  const times = [];
  let counted = 0;
  for (let round = 0; round < 15; round++) {
    const started = performance.now();
    counted += countAbove(values, round);
    times.push(performance.now() - started);
  }
  if (counted < values.length) throw new Error("the floor counted nothing");
  return median(times.slice(5));
}

function countAbove(values, bound) {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > bound) count++;
  return count;
}
