import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs, seed } from "../generated.js";
import { expectRefused, openTable, type UntypedTable } from "../rules/fixture.js";
import { scoresOf, searchVectors } from "./fixture.js";

const COLUMNS = [
  { name: "v", type: "vector", vector: { dimension: 3 } },
  { name: "n", type: "int" },
];

function open(...vectors: readonly (readonly number[] | null)[]): UntypedTable {
  const table = openTable(COLUMNS);
  table.insert(vectors.map((v, n) => ({ id: `r${n}`, v, n })));
  return table;
}

const FUNCTIONS = ["cosineSimilarity", "l1", "l2"] as const;

describe("V-1: a vector search", () => {
  it("returns whole records, and leaves out deleted rows and nulls", () => {
    const table = open([1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]);
    table.delete("r3");
    table.update("r2", { v: null });
    const { records } = searchVectors(table, { column: "v", queryVector: [2, 0, 0] });
    expect(records.map(({ id }) => id)).toEqual(["r0", "r1"]);
    const stored = table.get("r0");
    const service = { ...(stored?.service as object), table: "items", score: 2 };
    expect(records[0]).toEqual({ ...stored, service });
  });

  it.each([
    [[1, Number.NaN, 1], 1],
    [[Number.POSITIVE_INFINITY, 1, 1], 0],
  ])("refuses %j", (queryVector, at) => {
    expectRefused(
      () => searchVectors(open(), { column: "v", queryVector }),
      "invalid_request",
      "V-1",
      `/queryVector/${at}`,
    );
  });
});

describe("V-2: similarity", () => {
  it.each<[string, number[], number[], number]>([
    ["cosineSimilarity", [1, 2, 3], [2, 4, 6], 2],
    ["cosineSimilarity", [1, 0, 0], [-5, 0, 0], 0],
    ["cosineSimilarity", [1, 0, 0], [0, 1, 0], 1],
    ["cosineSimilarity", [0, 0, 0], [1, 2, 3], 1],
    ["cosineSimilarity", [1, 2, 3], [0, 0, 0], 1],
    ["cosineSimilarity", [1e308, 1e308, 1e308], [1e308, 1e308, 1e308], 2],
    ["cosineSimilarity", [1.7e308, 0, 0], [-1.7e308, 0, 0], 0],
    ["cosineSimilarity", [5e-324, 0, 0], [5e-324, 0, 0], 2],
    ["cosineSimilarity", [1e-200, 1e-200, 0], [1e200, 0, 0], 1 + Math.SQRT1_2],
    ["l1", [1, 2, 3], [1, 2, 3], 1],
    ["l1", [1, 2, 3], [2, 0, 3], 1 / 4],
    [
      "l1",
      [1.7e308, 1.7e308, 0],
      [-1.7e308, -1.7e308, 0],
      2 ** -1022 / (6.8 * (1e308 / 2 ** 1022)),
    ],
    ["l2", [1, 2, 3], [1, 2, 3], 1],
    ["l2", [1, 2, 3], [2, 0, 3], 1 / 6],
    ["l2", [1.7e308, 0, 0], [-1.7e308, 0, 0], 0],
  ])("%s of %j and %j is %d", (similarityFunction, one, other, expected) => {
    const [score] = scoresOf(
      searchVectors(open(one), { column: "v", queryVector: other, similarityFunction }),
    );
    expect(score).toBeGreaterThanOrEqual(0);
    if (expected === 0) expect(score).toBe(0);
    else expect(score! / expected).toBeCloseTo(1, 12);
  });

  it("is finite for all finite numbers", () => {
    const any = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(any, any, fc.constantFrom(...FUNCTIONS), (one, other, similarityFunction) => {
        const [score] = scoresOf(
          searchVectors(open(one), { column: "v", queryVector: other, similarityFunction }),
        );
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(2);
      }),
      { seed, numRuns: Math.ceil(500 * runs) },
    );
  });
});
