/** @module-tag slow */
import { afterAll, describe, expect, it, vi } from "vitest";
import { runConformance } from "../../../src/conformance/runner/run.js";
import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { createTarget, type Wrap } from "./wrap.js";

// Fake timers, so that the speed of the machine does not matter. fast-check captures the clock when it is
// loaded, so they are installed before.
vi.hoisted(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
});
afterAll(() => {
  vi.useRealTimers();
});

const vectors = loadVectors();

/** A service with a fixed latency on the fake clock. */
function slowTarget(milliseconds: number, wrap?: Wrap): ServiceTarget {
  const { fetch, ...rest } = createTarget(wrap);
  return {
    ...rest,
    async fetch(url, init) {
      const response = await (fetch ?? globalThis.fetch)(url, init);
      vi.advanceTimersByTime(milliseconds);
      return response;
    },
  };
}

describe("the time limit of a run", () => {
  it.each([
    ["that conforms, among the vectors", 60_000, undefined, "vector"],
    ["that conforms, among the laws", 560_000, undefined, "law"],
    ["that does not, among the laws", 560_000, "removing an unknown mapping succeeds", "law"],
  ])("is met within 10 %% by a service %s", async (_, time, bug, last) => {
    const began = Date.now();
    const tried: string[] = [];
    const report = await runConformance(
      slowTarget(50, PLANTED_BUGS.find(({ name }) => name === bug)?.wrap),
      {
        vectors,
        time,
        onResult: ({ kind, verdict }) => {
          if (verdict === "passed" || verdict === "diverged") tried.push(kind);
        },
      },
    );
    const taken = Date.now() - began;
    expect(taken).toBeGreaterThan(0.9 * time);
    expect(taken).toBeLessThan(1.1 * time);
    expect(tried.at(-1)).toBe(last);
    expect(report.divergences.length > 0).toBe(bug !== undefined);
  });
});
