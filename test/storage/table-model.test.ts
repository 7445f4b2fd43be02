import fc from "fast-check";
import { describe, it } from "vitest";
import { createEngine, type IndexOption } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { expectRows, expectTable, openModels, tableOf } from "./table-model.js";
import { programs, runProgram } from "./table-steps.js";

describe(`a table compared with a Map (seed ${seed})`, () => {
  it("B-1, R-5: holds the written rows; branches, snapshots and scans stay unchanged", () => {
    const indexes = fc.constantFrom<IndexOption>("auto", "always", "never");
    const property = fc.property(indexes, programs, (option, steps) => {
      const world = openModels(option);
      runProgram(world, steps);
      for (const { engine, branches } of world.twins) {
        for (const [name, model] of branches) expectTable(tableOf(engine, name), model);
      }
      for (const { snapshot, branches } of world.snapshots) {
        const fresh = createEngine({ indexes: option });
        fresh.restore(snapshot);
        for (const [name, model] of branches) expectRows(tableOf(fresh, name).scan(), model);
      }
      for (const { expected, read } of world.scans) expectRows(read(), expected);
    });
    fc.assert(property, { seed, numRuns: Math.ceil(120 * runs) });
  });
});
