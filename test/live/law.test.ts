import fc from "fast-check";
import { expect, it } from "vitest";
import { runs, seed } from "../generated.js";
import { findBreach, programs } from "./law.js";

it(`a live query equals a fresh query after each call of random programs (seed ${seed})`, () => {
  const property = fc.property(programs, (program) => {
    expect(findBreach(program)).toBeUndefined();
  });
  fc.assert(property, { seed, numRuns: Math.ceil(160 * runs) });
});
