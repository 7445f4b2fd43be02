import { describe, expect, it, vi } from "vitest";
import { Table } from "../../src/engine/table.js";
import { createEngine, type Filter } from "../../src/index.js";
import { bindFilter } from "../../src/query/bind/filter.js";
import { tableScope } from "../../src/query/bind/scope.js";
import { countBits } from "../../src/query/filter/bitmap.js";
import { compileFilter, selectRows } from "../../src/query/filter/row-filter.js";
import { CHUNK_ROWS, CHUNK_WORDS } from "../../src/storage/chunk.js";

const CHUNKS = 4;
const HALF = CHUNK_ROWS / 2;

/** Four full chunks; of each the first half of the rows matches what has "half" in its name. */
function createTable() {
  const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
  main.createTable("others", [{ name: "n", type: "int" }]).load([
    { id: "yes", n: 1 },
    { id: "no", n: 0 },
  ]);
  const table = main.createTable("t", [
    { name: "half", type: "int" },
    { name: "halfText", type: "string" },
    { name: "halfTags", type: "multiple" },
    { name: "halfLink", type: "link", link: { table: "others" } },
    { name: "int", type: "int" },
    { name: "a", type: "json" },
    { name: "b", type: "json" },
  ]);
  table.load(
    Array.from({ length: CHUNKS * CHUNK_ROWS }, (_, i) => {
      const row = i % CHUNK_ROWS;
      const isIn = row < HALF;
      return {
        half: isIn ? 1 : 0,
        halfText: `${isIn ? "yes" : "no"} ${i}`,
        halfTags: [isIn ? "yes" : "no"],
        halfLink: isIn ? "yes" : "no",
        int: i % 10,
        a: "everywhere",
        b: row < 10 ? "rare" : "common",
      };
    }),
  );
  return Table.sourceOf(table);
}

const { environment, version } = createTable();

/** Selects the rows of each chunk, and counts how many values of a column are looked at one by one. */
function countReads(filter: Filter, column: string): { reads: number[]; rows: number[] } {
  const predicate = bindFilter(tableScope(environment, version), filter, "");
  const rowFilter = compileFilter(predicate, { table: version, findTable: environment.findTable });
  const declared = version.schema.columns.find(({ name }) => name === column);
  if (declared === undefined || !("slot" in declared)) throw new Error(column);
  const bits = new Uint32Array(CHUNK_WORDS);
  const reads: number[] = [];
  const rows: number[] = [];
  for (const chunk of version.chunks) {
    const get = vi.spyOn(chunk.vectors[declared.slot]!, "get");
    selectRows(rowFilter, chunk, bits);
    reads.push(get.mock.calls.length);
    rows.push(countBits(bits, CHUNK_WORDS));
    get.mockRestore();
  }
  return { reads, rows };
}

const times = (count: number): number[] => new Array(CHUNKS).fill(count);

describe("the parts of a conjunction", () => {
  const one = { $any: [1, 3, 5] };

  it.each<[string, Filter]>([
    ["a number", { half: 1 }],
    ["the beginning of a text", { halfText: { $startsWith: "yes" } }],
    ["an item of a list", { halfTags: { $includes: "yes" } }],
    ["a linked record", { "halfLink.n": 1 }],
  ])("are tested by %s ahead of one of several numbers", (_, cheap) => {
    for (const filter of [
      { ...cheap, int: one },
      { int: one, ...cheap },
    ]) {
      expect(countReads(filter, "int").reads).toEqual(times(HALF));
    }
  });

  it.each<[string, Filter]>([
    ["a number", { half: 1 }],
    ["one of several numbers", { half: { $any: [1, 2] } }],
    ["what a text contains", { halfText: { $contains: "yes" } }],
    ["the end of a text and its beginning", { halfText: { $pattern: "yes*" } }],
    ["either of two", { $any: [{ half: 1 }, { halfText: { $contains: "yes" } }] }],
    ["both of two", { half: { $ge: 1, $lt: 2 } }],
  ])("are tested by %s ahead of json", (_, cheap) => {
    for (const filter of [
      { ...cheap, a: "everywhere" },
      { a: "everywhere", ...cheap },
    ]) {
      expect(countReads(filter, "a").reads).toEqual(times(HALF));
    }
  });

  it("test one of several numbers before text", () => {
    const filter = { halfText: { $contains: "yes" }, int: one };
    expect(countReads(filter, "int").reads[0]).toBe(CHUNK_ROWS);
  });

  it("are ordered by selectivity after two chunks", () => {
    const filter = { a: "everywhere", b: "rare" };
    const { reads, rows } = countReads(filter, "a");
    expect(rows).toEqual(times(10));
    expect(reads).toEqual([CHUNK_ROWS, CHUNK_ROWS, 10, 10]);
    expect(countReads(filter, "b").reads).toEqual(times(CHUNK_ROWS));
  });

  it("are not reordered if the first is the most selective", () => {
    const { reads } = countReads({ b: "rare", a: "everywhere" }, "a");
    expect(reads).toEqual(times(10));
  });

  it("are not tested once no row is left", () => {
    expect(countReads({ half: 7, a: "everywhere" }, "a").reads).toEqual(times(0));
  });
});

describe("the parts of a disjunction", () => {
  it("look only at rows that none before them has accepted", () => {
    const filter = { $any: [{ a: "everywhere" }, { half: 1 }] };
    const { reads, rows } = countReads(filter, "a");
    expect(reads).toEqual(times(HALF));
    expect(rows).toEqual(times(CHUNK_ROWS));
  });

  it("are not tested once all rows are accepted", () => {
    const filter = { $any: [{ a: "everywhere" }, { half: { $ge: 0 } }] };
    expect(countReads(filter, "a").reads).toEqual(times(0));
  });
});
