import { describe, expect, it } from "vitest";
import { Table } from "../../src/engine/table.js";
import { enableFiles } from "../../src/files.js";
import { createEngine, type Filter, type ProfileOption } from "../../src/index.js";
import { bindFilter } from "../../src/query/bind/filter.js";
import { tableScope } from "../../src/query/bind/scope.js";
import type { Leaf } from "../../src/query/bound/condition.js";
import { setRange } from "../../src/query/filter/bitmap.js";
import { compileKernel } from "../../src/query/filter/leaf-kernels.js";
import { compileTest } from "../../src/query/filter/value-test.js";
import type { StoredValue } from "../../src/schema/columns.js";
import { CHUNK_ROWS, CHUNK_WORDS } from "../../src/storage/chunk.js";
import type { Vector } from "../../src/storage/vector.js";

const WORDS = ["red", "green", "blue", "grey"];
const MINUTE = 60_000;

/** One full chunk; every seventh row is null in all columns. */
const ROWS: readonly Record<string, unknown>[] = Array.from({ length: CHUNK_ROWS }, (_, i) =>
  i % 7 === 0
    ? {}
    : {
        int: i % 100,
        float: (i % 50) / 8 - 3,
        at: new Date(Date.UTC(2024, 0, 1) + (i % 60) * MINUTE).toISOString(),
        fine: `2024-01-01T00:00:00.000${i % 10}00Z`,
        bool: i % 3 === 0,
        code: WORDS[i % 4],
        text: `${WORDS[i % 4]}-${i}`,
        tags: i % 5 === 0 ? [] : [WORDS[i % 4], WORDS[(i + 1) % 4]],
        json: { a: i % 9 },
      },
);

/** The leaf of a filter with the vector it is tested on, of a table that nobody has used. */
function open(filter: Filter, profile: ProfileOption = "documented") {
  const table = enableFiles(createEngine({ profile }))
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main")
    .createTable("t", [
      { name: "int", type: "int" },
      { name: "float", type: "float" },
      { name: "at", type: "datetime" },
      { name: "fine", type: "datetime" },
      { name: "bool", type: "bool" },
      { name: "code", type: "string" },
      { name: "text", type: "string" },
      { name: "tags", type: "multiple" },
      { name: "json", type: "json" },
    ]);
  table.load(ROWS);
  const { environment, version } = Table.sourceOf(table);
  const leaf = bindFilter(tableScope(environment, version), filter, "");
  if (leaf.kind !== "leaf") throw new Error(`${JSON.stringify(filter)} binds to ${leaf.kind}`);
  const { vectors } = version.chunks[0]!;
  return { leaf, version, vectors, vector: vectors[leaf.column.slot]! };
}

/** Compiles a leaf, and counts the values that are tested one by one. */
function compile({ leaf, version }: ReturnType<typeof open>) {
  const holds = compileTest(leaf.test, leaf.column.type);
  const asked = { count: 0 };
  const accept = (value: StoredValue): boolean => {
    asked.count++;
    return matches(leaf, holds, value);
  };
  return { kernel: compileKernel(leaf, { table: version }, accept), holds, asked };
}

function matches(
  { negated, nullMatches }: Leaf,
  holds: ReturnType<typeof compileTest>,
  value: StoredValue,
): boolean {
  return value === null ? nullMatches : holds(value) !== negated;
}

/** All rows, or every other one of them. */
function rowsSet(step: 1 | 2): Uint32Array {
  const bits = new Uint32Array(CHUNK_WORDS);
  if (step === 1) setRange(bits, 0, CHUNK_ROWS);
  else bits.fill(0x55555555);
  return bits;
}

const NEGATIVE: readonly Filter[] = [
  { $not: { int: { $ge: 50 } } },
  { $not: { float: -1 } },
  { $not: { at: { $lt: "2024-01-01T00:10:00Z" } } },
  { bool: { $isNot: true } },
  { code: { $isNot: "red" } },
  { text: { $isNot: "red-8" } },
  { $not: { text: { $startsWith: "re" } } },
  { $not: { text: { $contains: "-1" } } },
  { $not: { text: { $endsWith: "1" } } },
  { $not: { text: { $any: ["red-8", "grey-3"] } } },
  { $not: { tags: { $includes: "red" } } },
  { $not: { tags: { $includesAll: ["red", "green"] } } },
];

/** Tests that ask none of the values of the column one by one. */
const FAST: readonly Filter[] = [
  { int: 50 },
  { int: { $gt: 50 } },
  { float: { $gt: 0 } },
  { float: { $lt: 0 } },
  { float: { $gt: -1.125 } },
  { float: { $ge: -1.125 } },
  { float: { $lt: 1.125 } },
  { float: { $le: 1.125 } },
  { at: "2024-01-01T00:10:00Z" },
  { at: { $gt: "2024-01-01T00:10:00Z" } },
  // Bounds with microseconds lie between the milliseconds that the rows have.
  { at: { $ge: "2024-01-01T00:10:00.000100Z" } },
  { at: { $gt: "2024-01-01T00:10:00.000100Z" } },
  { at: { $le: "2024-01-01T00:10:00.000100Z" } },
  { at: { $lt: "2024-01-01T00:10:00.000100Z" } },
  { text: { $contains: "-1" } },
  { text: { $endsWith: "1" } },
  { text: { $iContains: "RED-1" } },
  { text: { $pattern: "*e*-?1" } },
  { tags: { $includes: "red" } },
  { tags: { $includesNone: "red" } },
  { tags: { $includesAll: { $is: "red" } } },
  { tags: { $includes: { $startsWith: "gre" } } },
];

/** Tests of how texts begin: their keys tell, but for null. */
const BY_KEY: readonly Filter[] = [
  { text: { $startsWith: "re" } },
  { text: { $startsWith: "gree" } },
];
const NULLS = ROWS.filter(({ text }) => text === undefined).length;

/** Tests that ask each value there is only once, however many rows have it. */
const BY_VALUE: readonly Filter[] = [
  { bool: true },
  { code: "red" },
  { code: { $startsWith: "gre" } },
  { code: { $contains: "e" } },
  { code: { $any: ["red", "blue"] } },
];

const title = (filter: Filter): [string, Filter] => [JSON.stringify(filter), filter];

describe("a kernel", () => {
  it.each([...FAST, ...BY_KEY, ...BY_VALUE, ...NEGATIVE].map(title))(
    "leaves the rows that match %s",
    (_, filter) => {
      for (const profile of ["documented", "xata"] as const) {
        const opened = open(filter, profile);
        const { leaf, vector } = opened;
        const { kernel, holds } = compile(opened);
        // The second use fills the caches of a vector, the third reads them.
        for (const step of [1, 2, 1, 2] as const) {
          const bits = rowsSet(step);
          expect(kernel?.(vector, CHUNK_ROWS, bits)).toBe(true);
          const wanted = rowsSet(step);
          for (let row = 0; row < CHUNK_ROWS; row++) {
            if (!matches(leaf, holds, vector.get(row))) wanted[row >>> 5]! &= ~(1 << (row & 31));
          }
          expect(bits).toEqual(wanted);
        }
      }
    },
  );

  it.each(FAST.map(title))("asks no value for %s", (_, filter) => {
    const opened = open(filter);
    const { kernel, asked } = compile(opened);
    for (let time = 0; time < 3; time++) kernel?.(opened.vector, CHUNK_ROWS, rowsSet(1));
    expect(asked.count).toBe(0);
  });

  it.each(BY_VALUE.map(title))("asks each value once for %s", (_, filter) => {
    const opened = open(filter);
    const { kernel, asked } = compile(opened);
    for (let time = 0; time < 3; time++) kernel?.(opened.vector, CHUNK_ROWS, rowsSet(1));
    expect(asked.count).toBeLessThanOrEqual(WORDS.length);
  });

  it("asks no value for another text than one", () => {
    const opened = open({ text: { $isNot: "red-8" } });
    const { kernel, asked } = compile(opened);
    kernel?.(opened.vector, CHUNK_ROWS, rowsSet(1));
    expect(asked.count).toBe(0);
  });

  it.each(BY_KEY.map(title))("asks null alone for %s", (_, filter) => {
    const opened = open(filter);
    const { kernel, asked } = compile(opened);
    kernel?.(opened.vector, CHUNK_ROWS, rowsSet(1));
    expect(asked.count, "before there are keys").toBe(0);
    kernel?.(opened.vector, CHUNK_ROWS, rowsSet(1));
    expect(asked.count, "with keys").toBe(NULLS);
  });

  it("asks no value for one text", () => {
    const opened = open({ text: "red-8" });
    const { kernel, asked } = compile(opened);
    for (let time = 0; time < 3; time++) kernel?.(opened.vector, CHUNK_ROWS, rowsSet(1));
    expect(asked.count).toBe(0);
  });

  it.each(["int", "at", "bool", "text", "tags"])(
    "for a column of the type of %s leaves vectors of another kind alone",
    (name) => {
      const filters: Record<string, Filter> = {
        int: { int: 1 },
        at: { at: { $ge: "2024-01-01T00:00:00Z" } },
        bool: { bool: true },
        text: { text: { $contains: "1" } },
        tags: { tags: { $includes: "red" } },
      };
      const opened = open(filters[name]!);
      const { kernel } = compile(opened);
      const isOwn = (vector: Vector): boolean =>
        vector.kind === opened.vector.kind || (name === "text" && vector.kind === "code");
      for (const vector of opened.vectors) {
        if (vector === undefined || isOwn(vector)) continue;
        const bits = rowsSet(2);
        expect(kernel?.(vector, CHUNK_ROWS, bits), vector.kind).toBe(false);
        expect(bits).toEqual(rowsSet(2));
      }
    },
  );

  it("leaves instants with microseconds alone", () => {
    const opened = open({ fine: { $ge: "2024-01-01T00:00:00.000500Z" } });
    const bits = rowsSet(1);
    expect(compile(opened).kernel?.(opened.vector, CHUNK_ROWS, bits)).toBe(false);
    expect(bits).toEqual(rowsSet(1));
  });

  it.each<Filter>([
    { "json->a": 1 },
    { int: { $any: [1, 2] } },
    { at: { $any: ["2024-01-01T00:00:00Z", "2024-01-01T00:01:00Z"] } },
  ])("is not there for %j", (filter) => {
    expect(compile(open(filter)).kernel).toBeUndefined();
  });
});
