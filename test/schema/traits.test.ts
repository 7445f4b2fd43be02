import { describe, expect, it } from "vitest";
import { enableFiles } from "../../src/files.js";
import { createEngine } from "../../src/index.js";
import { coercePlain } from "../../src/schema/coerce.js";
import { COLUMN_TYPES, TRAITS, typesWith } from "../../src/schema/traits.js";
import { createVector } from "../../src/storage/vector.js";
import type { AnyTable } from "../../src/typed/table.js";
import type { ColumnDefinition, ColumnType, Json } from "../../src/types.js";
import { refusalCode } from "../storage/table-model.js";

type LeafType = Exclude<ColumnType, "object">;

/** A value of each type. */
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

describe("the traits of types", () => {
  it("cover every type that can be declared", () => {
    expect([...COLUMN_TYPES].sort()).toEqual([...LEAF_TYPES, "object"].sort());
  });

  it("are of types with values", () => {
    expect(typesWith(() => true).has("object")).toBe(false);
    expect([...typesWith(({ stored }) => stored === "number")]).toEqual(["int", "float"]);
  });

  describe.each(LEAF_TYPES)("of %s", (type) => {
    const { stored, operators, sortable } = TRAITS[type];
    const table = makeTable(type);

    it("T-1 … T-13: `stored` is the kind of the vector", () => {
      if (type === "file" || type === "file[]") return; // read by the files feature
      const value = coercePlain({ type, dimension: 2 }, SAMPLES[type]);
      expect(value).toBeDefined();
      if (stored !== "code" && stored !== "list") {
        expect(createVector(type, 1, undefined).kind).toBe(stored);
      }
    });

    it("S-2: `sortable` agrees with queries", () => {
      expect(refusalCode(() => table.query({ sort: { c: "asc" } }))).toBe(
        sortable ? undefined : "invalid_sort",
      );
    });

    it.each([
      ["text", { $contains: "a" }],
      ["range", { $gt: SAMPLES[type] }],
      ["list", { $includes: "a" }],
    ] as const)("F-18: `operators` agrees with queries by %s operators", (kind, predicate) => {
      expect(refusalCode(() => table.query({ filter: { c: predicate } }))).toBe(
        operators === kind ? undefined : "invalid_filter",
      );
    });

    it("F-18, X-6: a comparable type can be grouped by", () => {
      const isComparable = operators !== "none";
      expect(refusalCode(() => table.query({ filter: { c: { $is: SAMPLES[type] } } }))).toBe(
        isComparable ? undefined : "invalid_filter",
      );
      expect(refusalCode(() => table.summarize({ columns: ["c"] }))).toBe(
        isComparable ? undefined : "invalid_request",
      );
    });

    it("X-2, X-6: numbers can be summed and incremented", () => {
      const isNumber = stored === "number";
      expect(refusalCode(() => table.aggregate({ aggs: { n: { sum: { column: "c" } } } }))).toBe(
        isNumber ? undefined : "invalid_request",
      );
      const isJson = type === "json"; // an object is a value of it
      expect(refusalCode(() => table.update("r1", { c: { $increment: 1 } }))).toBe(
        isNumber || isJson ? undefined : "invalid_record",
      );
    });
  });
});
