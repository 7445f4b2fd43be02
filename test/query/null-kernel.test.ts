import { describe, expect, it, vi } from "vitest";
import { Table } from "../../src/engine/table.js";
import { createEngine } from "../../src/index.js";
import { narrowToNull } from "../../src/query/filter/null-kernel.js";
import { CHUNK_ROWS, CHUNK_WORDS } from "../../src/storage/chunk.js";

const VALUES: Readonly<Record<string, (i: number) => unknown>> = {
  int: (i) => i % 10,
  float: (i) => i / 8,
  datetime: (i) => new Date(Date.UTC(2024, 0, 1) + i * 60_000).toISOString(),
  bool: (i) => i % 2 === 0,
  string: (i) => `text ${i}`, // distinct: kept as texts
  email: (i) => `a${i % 3}@example.com`, // few: kept as codes
  multiple: (i) => (i % 3 === 0 ? [] : ["red"]), // F-14: an empty list is not null
  json: (i) => ({ i }),
};

/** A full chunk with a column of each type; each seventh row is null in all. */
const { version } = (() => {
  const table = createEngine()
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main")
    .createTable(
      "t",
      Object.keys(VALUES).map((type) => ({ name: type, type }) as { name: string; type: "json" }),
    );
  table.load(
    Array.from({ length: CHUNK_ROWS }, (_, i) =>
      i % 7 === 0
        ? {}
        : Object.fromEntries(Object.entries(VALUES).map(([type, make]) => [type, make(i)])),
    ),
  );
  return Table.sourceOf(table);
})();

function isNullAt(row: number): boolean {
  return row % 7 === 0;
}

describe("the kernel of null", () => {
  it.each(Object.keys(VALUES))("leaves the null rows of %s, or the others (F-4)", (type) => {
    const column = version.schema.columnsByName.get(type);
    if (column === undefined || column.type === "object") throw new Error(type);
    const vector = version.chunks[0]!.vectors[column.slot]!;
    const get = vi.spyOn(vector, "get");
    for (const isNull of [true, false]) {
      for (const pattern of [0xffffffff, 0x55555555, 0x00010000]) {
        const bits = new Uint32Array(CHUNK_WORDS).fill(pattern);
        narrowToNull(vector, CHUNK_ROWS, bits, isNull);
        const wanted = new Uint32Array(CHUNK_WORDS).fill(pattern);
        for (let row = 0; row < CHUNK_ROWS; row++) {
          if (isNullAt(row) !== isNull) wanted[row >>> 5]! &= ~(1 << (row & 31));
        }
        expect(bits).toEqual(wanted);
      }
    }
    expect(get).not.toHaveBeenCalled();
    get.mockRestore();
  });
});
