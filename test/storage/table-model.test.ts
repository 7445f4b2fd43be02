import fc from "fast-check";
import { describe, it } from "vitest";
import { createEngine, type IndexOption } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { branchOf, expectRows, expectTable, openWorld } from "./table-model.js";
import { steps } from "./table-steps.js";

describe(`a table compared with a Map (seed ${seed})`, () => {
  it.each<IndexOption>(["auto", "always", "never"])(
    "B-1, R-5: holds the written rows; branches, snapshots and scans stay unchanged, indexes %s",
    (indexes) => {
      const property = fc.property(steps, (course) => {
        const world = openWorld(indexes);
        fc.modelRun(() => ({ model: world, real: world }), course);
        for (const { engine, branches } of world.places) {
          for (const [name, model] of branches) {
            expectTable(branchOf(engine, name).table("items"), model);
          }
        }
        for (const { snapshot, branches } of world.snapshots) {
          const fresh = createEngine({ indexes });
          fresh.restore(snapshot);
          for (const [name, model] of branches) {
            expectRows(branchOf(fresh, name).table("items").scan(), model);
          }
        }
        for (const { expected, read } of world.scans) expectRows(read(), expected);
      });
      fc.assert(property, { seed, numRuns: Math.ceil(80 * runs) });
    },
  );
});
