import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryCaseArbitrary } from "../../../src/conformance/arbitraries/cases.js";
import {
  type AnyBranch,
  type AnyTable,
  createEngine,
  type IndexOption,
} from "../../../src/index.js";
import { runQuery, runQueryAsJson } from "../../../src/query/run.js";
import { resolveProfile } from "../../../src/shape/profile.js";
import { defineColumns } from "../../columns.js";
import { openGenerated } from "../../conformance/generated-branch.js";
import { runs, seed } from "../../generated.js";
import { runOf } from "../run-of.js";

const indexes = fc.constantFrom<IndexOption>("auto", "always", "never");

function openMain(): AnyBranch {
  return createEngine({ seed: 1 }).createWorkspace("w").createDatabase("d").branch("main");
}

/** The answer as records and as text, with the same random order. */
function answer(table: AnyTable, request?: unknown): { result: unknown; text: string } {
  const drawn = runOf(table, { drawSeed: () => 1 });
  return {
    result: runQuery(drawn, request),
    text: runQueryAsJson(drawn, request),
  };
}

function expectSame(table: AnyTable, request?: unknown): void {
  const { result, text } = answer(table, request);
  expect(text).toBe(JSON.stringify(result));
}

describe("an answer written as JSON", () => {
  it(
    "R-4, P-10: equals JSON.stringify of the records",
    () => {
      const property = fc.property(queryCaseArbitrary(), indexes, (generated, option) => {
        const table = openGenerated(generated, option).table(generated.table);
        for (const query of generated.queries) {
          const { result, text } = answer(table, query);
          // JavaScript objects list numeric names first; the text has schema order.
          expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(result));
        }
      });
      fc.assert(property, { seed, numRuns: Math.ceil(500 * runs) });
    },
    300_000 * Math.max(1, runs),
  );

  it("writes strings and lists of a full chunk, with nulls and escapes", () => {
    const columns = defineColumns({ few: "string", many: "string", list: "multiple" });
    const table = openMain().createTable("rows", columns);
    const texts = ['a "quoted" one', "back\\slash", "Zoë \t\0\u2028\u007f", "red", undefined];
    // More rows than a chunk has.
    table.load(
      Array.from({ length: 5000 }, (_, i) => ({
        few: texts[i % 5],
        many: `m${i % 1500}`,
        list: texts.slice(i % 4, 4),
      })),
    );
    const { chunks } = runOf(table).table;
    expect(chunks[0]!.vectors.some((vector) => vector?.kind === "code")).toBe(true);
    for (const offset of [0, 500, 800]) expectSame(table, { page: { size: 200, offset } });
    for (const few of texts.slice(0, 4)) expectSame(table, { filter: { few } });
  });

  it("leaves out columns that are newer than the records", () => {
    const table = openMain().createTable("rows", [{ name: "n", type: "int" }]);
    table.insert([{ id: "a" }, { id: "b", n: 1 }]);
    const types = ["int", "float", "bool", "string", "text", "email", "datetime"] as const;
    for (const type of [...types, "multiple", "json", "file", "file[]"] as const) {
      table.addColumn({ name: `late-${type.replace("[]", "s")}`, type });
    }
    expectSame(table);
  });

  it("T-11: depends on the engine's profile, not on caches of the schema", () => {
    const branch = openMain();
    const table = branch.createTable("rows", [{ name: "json", type: "json" }]);
    table.insert([{ id: "a", json: { n: 1 } }]);
    const { profile } = runOf(table);
    const profiles = [
      profile,
      { ...profile, metadataColumn: "meta" },
      { ...profile, jsonAsText: true },
      resolveProfile("xata"),
    ];
    // Twice, so that a cache of one profile could serve another.
    for (const each of [...profiles, ...profiles]) {
      const own = runOf(table, { profile: each });
      const [record] = runQuery(own, undefined).records;
      expect(Object.keys(record ?? {})).toEqual(["id", "json", each.metadataColumn]);
      expect(record?.json).toEqual(each.jsonAsText ? '{"n":1}' : { n: 1 });
      expect(JSON.parse(runQueryAsJson(own, undefined)).records).toEqual([record]);
    }
  });
});
