import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { createRandom } from "../../src/value/hash.js";
import { runs, seed } from "../generated.js";
import { findBreach, programs } from "./law.js";

afterEach(() => void vi.restoreAllMocks());

it(`a live query equals a fresh query after each call of random programs (seed ${seed})`, () => {
  const property = fc.property(programs, (program) => {
    expect(findBreach(program)).toBeUndefined();
  });
  fc.assert(property, { seed, numRuns: Math.ceil(160 * runs) });
});

it(`L-10: a live query without time is stale, and later equals a fresh query (seed ${seed})`, () => {
  let now = 0;
  let pace = 0;
  let slices: (() => void)[] = [];
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += pace;
    return now;
  });
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void) => {
    slices.push(run);
  }) as never);
  let stale = 0;
  const property = fc.property(programs, fc.nat(), (program, seedOfPace) => {
    const random = createRandom(seedOfPace);
    slices = [];
    pace = 0;
    const runSlices = (): void => {
      const due = slices;
      slices = [];
      for (const run of due) run();
    };
    const breach = findBreach(program, {
      limits: { queryMs: 2 ** 31 - 1 },
      afterStep() {
        stale += slices.length;
        if (random() % 2 === 0) runSlices();
        pace = random() % 3 === 0 ? 0 : random() % 30;
      },
      finish() {
        pace = 0;
        while (slices.length > 0) runSlices();
      },
    });
    expect(breach).toBeUndefined();
  });
  fc.assert(property, { seed, numRuns: Math.ceil(80 * runs) });
  expect(stale).toBeGreaterThan(0);
});
