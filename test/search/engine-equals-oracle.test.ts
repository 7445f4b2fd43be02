import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OracleTable } from "../../src/conformance/oracle/model.js";
import { evaluateSearch, type OracleSearch } from "../../src/conformance/oracle/search.js";
import { type ColumnDefinition, createEngine } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";
import type { UntypedTable } from "../rules/fixture.js";
import { expectHits, search } from "./fixture.js";

const COLUMNS: readonly ColumnDefinition[] = defineColumns({
  a: "string",
  b: "multiple",
  o: { c: "text" },
});

// Few and short words, so matches, ties and repeats are common.
const word = fc.string({ unit: fc.constantFrom(..."abcé"), minLength: 1, maxLength: 5 });
const text = fc
  .array(fc.oneof(word, fc.constant("京と")), { maxLength: 6 })
  .map((words) => words.join(" "));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 4 });
const record = fc.record({
  a: maybe(text),
  b: maybe(fc.array(text, { maxLength: 3 })),
  o: fc.record({ c: maybe(text) }),
});
const id = fc.integer({ min: 0, max: 30 }).map((n) => `r${n}`);
const searching: fc.Arbitrary<OracleSearch> = fc.record(
  {
    query: text,
    fuzziness: fc.integer({ min: 0, max: 2 }),
    prefix: fc.constantFrom("phrase", "disabled"),
    weights: fc.dictionary(fc.constantFrom("a", "b", "o.c"), fc.integer({ min: 1, max: 10 }), {
      minKeys: 1,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: ["query"] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("put" as const), id, record }) },
  fc.record({ do: fc.constant("delete" as const), id }),
  fc.record({ do: fc.constant("load" as const), records: fc.array(record, { maxLength: 40 }) }),
  fc.record({ do: fc.constant("branch" as const) }),
  fc.record({ do: fc.constant("snapshot" as const) }),
  fc.record({ do: fc.constant("restore" as const) }),
  { weight: 5, arbitrary: fc.record({ do: fc.constant("search" as const), search: searching }) },
);

/** The current table as plain data. */
function mirrorOf(table: AnyTable): OracleTable {
  const records = Array.from(table.scan(), ({ id: key, service, ...columns }) => ({
    id: key,
    columns: columns as OracleTable["records"][number]["columns"],
    metadata: service as OracleTable["records"][number]["metadata"],
  }));
  return { name: table.name, columns: COLUMNS, records };
}

function compare(
  table: AnyTable,
  given: OracleSearch,
  page: { readonly size: number; readonly offset: number } = { size: 200, offset: 0 },
  mirror: OracleTable = mirrorOf(table),
): void {
  const { weights, ...request } = given;
  const target = weights && Object.entries(weights).map(([column, weight]) => ({ column, weight }));
  const answer = search(table as unknown as UntypedTable, { ...request, target, page });
  const scores = new Map(evaluateSearch(mirror, given).map(({ id, score }) => [id, score]));
  const total = given.query === "" ? mirror.records.length : scores.size;
  expectHits(answer, scores, page, total);
}

describe("Q-1 … Q-8: a search", () => {
  it("equals the oracle, after writes, in branches and in snapshots", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 25 }), (steps) => {
        const engine = createEngine({ seed: 1, now: 0 });
        const database = engine.createWorkspace("w").createDatabase("d");
        const first: AnyTable = database.branch("main").createTable("t", COLUMNS);
        const tables = [first];
        let branch = "main";
        let saved = engine.snapshot();
        let savedTables = 1;
        for (const [index, given] of steps.entries()) {
          const table = tables[index % tables.length]!;
          switch (given.do) {
            case "put":
              table.put(given.id, given.record);
              break;
            case "delete":
              table.delete(given.id);
              break;
            case "load":
              table.load(given.records);
              break;
            case "branch":
              database.createBranch(`${branch}x`, { from: branch });
              branch = `${branch}x`;
              tables.push(database.branch(branch).table("t"));
              break;
            case "snapshot":
              saved = engine.snapshot();
              savedTables = tables.length;
              break;
            case "restore":
              engine.restore(saved);
              tables.length = savedTables;
              branch = `main${"x".repeat(savedTables - 1)}`;
              break;
            case "search":
              compare(table, given.search);
          }
        }
        for (const table of tables) compare(table, { query: "abc aé" });
      }),
      { seed, numRuns: Math.ceil(200 * runs) },
    );
  });

  it("equals the oracle over several chunks, with deleted rows and repeated texts", () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const table: AnyTable = engine
      .createWorkspace("w")
      .createDatabase("d")
      .branch("main")
      .createTable("t", COLUMNS);
    const words = ["red", "read", "green", "greens", "blue", "京と", "éa"];
    table.load(
      Array.from({ length: 9000 }, (_, i) => ({
        id: `r${i}`,
        a: i % 5 === 0 ? null : words[i % 7]!,
        b: i % 3 === 0 ? [`${words[(i * 5) % 7]} ${words[i % 4]}`, `${i}`] : null,
        o: { c: `${words[(i * 3) % 7]} ${words[(i * 11) % 5]} number${i % 50}` },
      })),
    );
    const all: OracleSearch[] = [
      { query: "red blue", fuzziness: 0 },
      { query: "greenn number4", fuzziness: 2, weights: { a: 3, "o.c": 1 } },
      { query: "red gree", prefix: "phrase" },
      { query: "number49" },
    ];
    const checkAll = (): void => {
      const mirror = mirrorOf(table);
      for (const given of all) compare(table, given, { size: 100, offset: 50 }, mirror);
    };
    checkAll();
    for (let i = 0; i < 9000; i += 9) table.delete(`r${i}`);
    for (let i = 1; i < 9000; i += 90)
      table.update(`r${i}`, { o: { c: "red green" }, b: ["blue"] });
    checkAll();
    table.insert({ id: "new", a: "red blue" });
    for (let i = 0; i < 40; i++) {
      table.update(`r${i * 9 + 2}`, { a: `number${i}` });
      table.insert({ a: "greens" });
      const request = { query: `number${i}`, fuzziness: 0, target: ["a"] };
      expect(search(table as unknown as UntypedTable, request).totalCount).toBe(1);
    }
    checkAll();
  });
});
