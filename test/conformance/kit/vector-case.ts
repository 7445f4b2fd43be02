import type { Divergence, VectorCounterexample } from "../../../src/conformance/report/report.js";

/** The case of a divergence, which has to be of requests one after the other. */
export function vectorCase(divergence: Divergence | undefined): VectorCounterexample {
  if (divergence?.counterexample.kind !== "vector") throw new Error("no counterexample");
  return divergence.counterexample;
}
