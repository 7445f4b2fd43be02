import { describe, expect, it } from "vitest";
import { ALL_TYPES, openAllTypes } from "./filter-table.js";
import { expectRefused, idsOf, openBranch, openTable, type UntypedTable } from "./fixture.js";

function sorted(table: UntypedTable, sort: unknown): string {
  const ids = idsOf(table.query({ sort, page: { size: 200 } }).records).join("");
  expect(idsOf(table.scan({ sort })).join(""), "scan").toBe(ids);
  return ids;
}

/** Records a to f: two columns with ties and nulls, and links. */
function open(): UntypedTable {
  const table = openTable({ n: "int", s: "string", next: "-> items" });
  table.insert([
    { id: "f", n: 1, s: "x", next: "a" },
    { id: "b", n: 1, s: "y", next: "f" },
    { id: "d", n: 2, s: "x", next: "lost" },
    { id: "a", n: 2 },
    { id: "c", s: "y", next: "d" },
    { id: "e" },
  ]);
  return table;
}

describe("sort", () => {
  it("S-1: sorts by an object, and by an array of objects in order", () => {
    const table = open();
    expect(sorted(table, { n: "asc" })).toBe("bfadce");
    expect(sorted(table, [{ n: "asc" }])).toBe("bfadce");
    expect(sorted(table, [{ n: "asc" }, { s: "asc" }])).toBe("fbdace");
    expect(sorted(table, { n: "asc", s: "asc" })).toBe("fbdace");
    expect(sorted(table, [{ s: "asc" }, { n: "desc" }])).toBe("dfcbea");
    expect(sorted(table, { s: "asc", n: "desc" })).toBe("dfcbea");
    expect(sorted(table, { n: "desc", s: "desc" })).toBe("ecadbf");
    expect(sorted(table, [{ n: "asc", s: "desc" }, { id: "desc" }])).toBe("bfadec");
    expect(sorted(table, [{ n: "asc", s: undefined }, {}])).toBe("bfadce");
  });

  it("S-1: rejects other values", () => {
    const table = open();
    for (const sort of [null, 1, "n", true, new Date(0)]) {
      expectRefused(() => table.query({ sort }), "invalid_sort S-1 /sort");
      expectRefused(() => table.scan({ sort }), "invalid_sort S-1 /sort");
    }
    const holed = ["n"];
    holed[2] = "s";
    for (const sort of [["n", null], ["n", 1], ["n", ["s"]], ["n", undefined], holed]) {
      expectRefused(() => table.query({ sort }), "invalid_sort S-1 /sort/1");
    }
  });

  it("S-2: sorts by every sortable type and by metadata", () => {
    const table = openAllTypes();
    const sortable = ["bool", "int", "float", "string", "text", "email", "datetime", "link"];
    const paths = [...sortable, "id", "service.version", "service.createdAt", "service.updatedAt"];
    for (const path of [
      ...paths,
      "object.sub",
      "link.int",
      "link.object.sub",
      "link.link.string",
    ]) {
      expect(sorted(table, { [path]: "asc" }), path).toBe("ab");
      // Null is greatest (S-3); b has only its id and metadata, of which the id differs.
      const isTie = path.startsWith("service");
      expect(sorted(table, { [path]: "desc" }), path).toBe(isTie ? "ab" : "ba");
    }
  });

  it("S-2: refuses other columns, for an empty table too", () => {
    const paths = ["object", "multiple", "json", "json->k", "vector", "file", "files", "service"];
    for (const table of [openAllTypes(), openBranch().createTable("items", ALL_TYPES)]) {
      for (const path of [...paths, "link.multiple", "link.object"]) {
        expectRefused(
          () => table.query({ sort: { [path]: "asc" } }),
          `invalid_sort S-2 /sort/${path}`,
        );
        expectRefused(() => table.query({ sort: ["int", path] }), "invalid_sort S-2 /sort/1");
      }
      for (const path of ["nope", "", "int.x", "object.nope", "link.nope", "int->x"]) {
        expectRefused(
          () => table.query({ sort: { [path]: "asc" } }),
          `unknown_column P-9 /sort/${path}`,
        );
      }
    }
  });

  it("S-3: sorts by the order of the type, and null as greater than every value", () => {
    const cases: [Record<string, unknown>, unknown[]][] = [
      [{ type: "bool" }, [false, true]],
      [{ type: "int" }, [-Number.MAX_SAFE_INTEGER, -1, 0, 9, 10, Number.MAX_SAFE_INTEGER]],
      [{ type: "float" }, [-1e300, -1.5, -5e-324, 0, 5e-324, 1, 1.0000000000000002, 1e300]],
      [
        { type: "string" },
        ["", " ", "10", "9", "A", "B", "a", "á", "\ud7ff", "\ue000", "\uffff", "😀", "😁"],
      ],
      [{ type: "text" }, ["a", "aa", "ab", "b", "b\0", "ba"]],
      [{ type: "email" }, ["A@b.c", "a@b.c", "b@a.c"]],
      [
        { type: "datetime" },
        [
          ...["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z"],
          ...["1970-01-01T00:00:00.000001Z", "1970-01-01T00:00:00.001Z"],
          ...["2022-01-31T10:20:30+05:00", "2022-01-31T10:20:30Z", "9999-12-31T23:59:59.999999Z"],
        ],
      ],
      [{ type: "link", link: { table: "items" } }, ["Z", "a", "\uffff", "😀"]],
    ];
    for (const [type, values] of cases) {
      const table = openTable([{ name: "v", ...type }]);
      const rows = values.map((v, i) => ({ id: String.fromCharCode(97 + i), v }));
      // Inserted neither in this order nor in its reverse.
      table.insert([
        ...rows.filter((_, i) => i % 2 === 1),
        { id: "z" },
        ...rows.filter((_, i) => i % 2 === 0),
      ]);
      const ascending = idsOf(rows).join("");
      expect(sorted(table, { v: "asc" }), String(type.type)).toBe(`${ascending}z`);
      expect(sorted(table, { v: "desc" }), String(type.type)).toBe(
        `z${[...ascending].reverse().join("")}`,
      );
    }
  });

  it("S-3: a null column behind a link ties with a null link", () => {
    const table = openTable({ at: "datetime", up: "bool", next: "-> items" });
    table.insert([
      { id: "a", next: "b" },
      { id: "b" },
      { id: "c", next: "lost" },
      { id: "d", next: "b" },
    ]);
    for (const path of ["next.at", "next.up", "next.next", "next.next.at", "next.next.id"]) {
      for (const direction of ["asc", "desc"]) {
        expect(sorted(table, { [path]: direction }), path).toBe("abcd");
      }
    }
  });
});
