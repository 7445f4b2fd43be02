import type { Divergence, VectorCounterexample } from "../../../src/conformance/report/report.js";

/** The counterexample of a divergence without concurrent requests. */
export function vectorCase(divergence: Divergence | undefined): VectorCounterexample {
  if (divergence?.counterexample.kind !== "vector") throw new Error("no counterexample");
  return divergence.counterexample;
}
