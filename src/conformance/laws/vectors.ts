import fc from "fast-check";
import { readPointer } from "../../errors.js";
import { oneOf } from "../arbitraries/people.js";
import type { JsonObject } from "../oracle/model.js";
import { similarityOf } from "../oracle/search.js";
import type { Fixture } from "../target/target.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath } from "./scene.js";

const FUNCTIONS = ["cosineSimilarity", "l1", "l2"] as const;

/** Few numbers, so ties are common. */
const COMPONENT = [0, 1, -1, 2, 0.5] as const;

function vectorArbitrary(): fc.Arbitrary<number[]> {
  return fc.array(oneOf(COMPONENT), { minLength: 3, maxLength: 3 });
}

/** Tolerance of sums in different orders. */
const NEARLY = 1e-9;

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
      const records = fixture.tables[0]?.records ?? [];
      const similarities = new Map(
        records.flatMap(({ id, v, n: held }): [string, number][] => {
          if (!Array.isArray(v) || (n !== undefined && held !== n)) return [];
          return [[String(id), similarityOf(similarityFunction, v.map(Number), queryVector)]];
        }),
      );
      const count = Math.min(size, similarities.size);
      const answer = await scene.send(
        { method: "POST", path, body },
        { status: 200, count, at: { "/totalCount": similarities.size } },
      );
      const answered = readPointer(answer.body, "/records") as readonly JsonObject[]; // checked above
      const metadata = scene.traits.profile.metadataColumn;
      const found = answered.map((record) => ({
        id: String(record.id),
        score: Number(readPointer(record, `/${metadata}/score`)),
      }));
      const order = [...similarities].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      const least = order[count - 1]?.[1] ?? 0;
      for (const [i, { id, score }] of found.entries()) {
        const right = similarities.get(id) ?? Number.NaN;
        const before = found[i - 1];
        const follows =
          before === undefined ||
          before.score > score ||
          (before.score === score && before.id < id);
        if (Math.abs(score - right) <= NEARLY && right >= least - NEARLY && follows) continue;
        const wanted = order.slice(0, count).map(([each]) => each);
        const ids = found.map((each) => each.id);
        scene.fail("records are sorted by descending similarity, then id", wanted, ids);
      }
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
