import { describe, expect, it } from "vitest";
import { enableFiles } from "../../src/files.js";
import { createEngine, TwinbaseError } from "../../src/index.js";
import { coerceValue } from "../../src/schema/coerce.js";
import { COLUMN_TYPES, TRAITS, typesWith } from "../../src/schema/traits.js";
import { createVector } from "../../src/storage/vector.js";
import type { AnyTable } from "../../src/typed/table.js";
import type { ColumnDefinition, ColumnType, Json } from "../../src/types.js";

type LeafType = Exclude<ColumnType, "object">;

/** A value of each type, as it is given. */
const SAMPLES: Readonly<Record<LeafType, Json>> = {
  bool: true,
  int: 1,
  float: 0.5,
  string: "s",
  text: "t",
  email: "a@example.com",
  datetime: "2020-01-01T00:00:00Z",
  multiple: ["a"],
  link: "r1",
  json: { a: 1 },
  vector: [1, 2],
  file: {},
  "file[]": [{}],
};

const LEAF_TYPES: readonly LeafType[] = Object.keys(SAMPLES) as LeafType[]; // of its own type

function makeTable(type: LeafType): AnyTable {
  const column: ColumnDefinition = {
    name: "c",
    type,
    ...(type === "link" && { link: { table: "t" } }),
    ...(type === "vector" && { vector: { dimension: 2 } }),
  };
  const branch = enableFiles(createEngine({ seed: 1 }))
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main");
  const table: AnyTable = branch.createTable("t", [column]);
  table.insert({ id: "r1", c: SAMPLES[type] });
  return table;
}

/** The code that a call is refused with; undefined where it is not. */
function codeOf(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TwinbaseError) return error.code;
    throw error;
  }
}

describe("the traits of types", () => {
  it("are of every type that can be declared", () => {
    expect([...COLUMN_TYPES].sort()).toEqual([...LEAF_TYPES, "object"].sort());
  });

  it("name types, except those without values of their own", () => {
    expect(typesWith(() => true).has("object")).toBe(false);
    expect([...typesWith(({ stored }) => stored === "number")]).toEqual(["int", "float"]);
  });

  describe.each(LEAF_TYPES)("of %s", (type) => {
    const { stored, operators, sortable } = TRAITS[type];
    const table = makeTable(type);

    it("T-1 … T-13: name the storage of the values", () => {
      if (type === "file" || type === "file[]") return; // what reads files makes those
      const value = coerceValue({ type, dimension: 2 }, SAMPLES[type], false);
      expect(value).toBeDefined();
      if (stored !== "code" && stored !== "list") {
        expect(createVector(type, 1, undefined).kind).toBe(stored);
      }
    });

    it("S-2: say whether it sorts", () => {
      expect(codeOf(() => table.query({ sort: { c: "asc" } }))).toBe(
        sortable ? undefined : "invalid_sort",
      );
    });

    it.each([
      ["text", { $contains: "a" }],
      ["range", { $gt: SAMPLES[type] }],
      ["list", { $includes: "a" }],
    ] as const)("F-18: say whether it has the operators of %s", (kind, predicate) => {
      expect(codeOf(() => table.query({ filter: { c: predicate } }))).toBe(
        operators === kind ? undefined : "invalid_filter",
      );
    });

    it("F-18, X-6: say whether it is compared, and makes groups", () => {
      const isComparable = operators !== "none";
      expect(codeOf(() => table.query({ filter: { c: { $is: SAMPLES[type] } } }))).toBe(
        isComparable ? undefined : "invalid_filter",
      );
      expect(codeOf(() => table.summarize({ columns: ["c"] }))).toBe(
        isComparable ? undefined : "invalid_request",
      );
    });

    it("X-2, X-6: say whether it is a number", () => {
      const isNumber = stored === "number";
      expect(codeOf(() => table.aggregate({ aggs: { n: { sum: { column: "c" } } } }))).toBe(
        isNumber ? undefined : "invalid_request",
      );
      const isJson = type === "json"; // which take it for a value
      expect(codeOf(() => table.update("r1", { c: { $increment: 1 } }))).toBe(
        isNumber || isJson ? undefined : "invalid_record",
      );
    });
  });
});
