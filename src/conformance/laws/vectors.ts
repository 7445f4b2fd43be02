import fc from "fast-check";
import { oneOf, recordsOf } from "../arbitraries/people.js";
import type { JsonObject } from "../oracle/model.js";
import { similarityOf } from "../oracle/search.js";
import type { Fixture } from "../target/target.js";
import { compareHits, search } from "./hits.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath } from "./scene.js";

const FUNCTIONS = ["cosineSimilarity", "l1", "l2"] as const;

/** Few numbers, so ties are common. */
const COMPONENT = [0, 1, -1, 2, 0.5] as const;

function vectorArbitrary(): fc.Arbitrary<number[]> {
  return fc.array(oneOf(COMPONENT), { minLength: 3, maxLength: 3 });
}

export const VECTOR_LAWS: readonly Law[] = [
  defineLaw({
    id: "vectors-come-as-a-loop-orders-them",
    title: "a vector search orders like a plain loop, ties by id",
    rules: ["V-1", "V-2"],
    tier: "strict",
    needs: ["vectorSearch"],
    cases: () => {
      const record = fc.record({ v: vectorArbitrary(), n: oneOf([0, 1]) }, { requiredKeys: ["n"] });
      return fc.record({
        fixture: fc.array(record, { maxLength: 8, size: "max" }).map(fixtureOf),
        queryVector: vectorArbitrary(),
        similarityFunction: fc.option(oneOf(FUNCTIONS), { nil: undefined }),
        size: fc.integer({ min: 1, max: 9 }),
        n: fc.option(oneOf([0, 1]), { nil: undefined }),
      });
    },
    async check(scene, { fixture, queryVector, similarityFunction, size, n }) {
      const path = branchPath("/tables/items/vectorSearch");
      const body = {
        column: "v",
        queryVector,
        size,
        ...(similarityFunction === undefined ? {} : { similarityFunction }),
        ...(n === undefined ? {} : { filter: { n } }),
      };
      const wanted = recordsOf({ fixture }, "items").flatMap(({ id, v, n: held }) => {
        if (!Array.isArray(v) || (n !== undefined && held !== n)) return [];
        const score = similarityOf(similarityFunction, v.map(Number), queryVector);
        return [{ table: "items", id: String(id), score }];
      });
      compareHits(scene, await search(scene, body, path), wanted, { least: 1, size });
    },
  }),
];

function fixtureOf(records: readonly JsonObject[]): Fixture {
  return {
    tables: [
      {
        name: "items",
        columns: [
          { name: "v", type: "vector", vector: { dimension: 3 } },
          { name: "n", type: "int" },
        ],
        records: records.map((record, i) => ({ id: `r${i + 1}`, ...record })),
      },
    ],
  };
}
