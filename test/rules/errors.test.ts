import { describe, expect, it } from "vitest";
import { TwinbaseError } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { expectRefused, openBranch, openTable, refused } from "./fixture.js";

const COLUMNS = defineColumns({ n: "int", s: "string" });

describe("errors", () => {
  it("E-1: have one class with code, status, message, path and rule", () => {
    const table = openTable(COLUMNS);
    const error = refused(() => table.query({ filter: { $any: [{ n: 1 }, { n: { $gt: "x" } }] } }));
    expect(error).toBeInstanceOf(TwinbaseError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("TwinbaseError");
    expect(error).toMatchObject({
      code: "invalid_filter",
      status: 400,
      message: expect.stringContaining("[n]"),
      path: "/filter/$any/1/n/$gt",
      rule: "F-16",
    });
  });

  it("E-1: the path is an escaped JSON Pointer", () => {
    const table = openTable([{ name: "doc", type: "json" }, ...COLUMNS]);
    expectRefused(() => table.insert({ "a/b~c": 1 }), "invalid_record R-8 /a~1b~0c");
    const filter = { $all: [{ "x/y": 1 }] };
    expectRefused(() => table.count(filter), "unknown_column P-9 /$all/0/x~1y");
    expectRefused(() => table.query({ "~": 1 }), "invalid_request E-3 /~0");
  });

  describe("E-6: the first of several faults is reported", () => {
    const table = openTable(COLUMNS);
    table.insert([
      { id: "a", n: 1 },
      { id: "b", n: 2 },
    ]);
    const page = (request: object): string => table.query(request).meta.page.cursor;
    const first = page({ sort: { n: "asc" }, page: { size: 1 } });
    const other = page({ filter: { n: 2 } });
    const stale = ((): string => {
      table.addColumn({ name: "gone", type: "int" });
      const cursor = page({ columns: ["gone"] });
      table.removeColumn("gone");
      return cursor;
    })();
    const cases: readonly (readonly [string, object, string, string])[] = [
      ["unknown page keys before page limits", { page: { size: 0, nope: 1 } }, "E-3", "/page/nope"],
      [
        "size before key combinations",
        { page: { size: 0, start: first, end: first } },
        "G-1",
        "/page/size",
      ],
      ["combinations before cursors", { page: { start: "x", end: "y" } }, "G-8", "/page/end"],
      [
        "cursor with filter before the cursor",
        { filter: {}, page: { after: "x" } },
        "G-7",
        "/filter",
      ],
      [
        "a stale cursor before columns",
        { columns: ["nope"], page: { after: stale } },
        "G-13",
        "/page/after",
      ],
      ["columns before sort", { sort: ["nope"], columns: ["n", "nope"] }, "P-9", "/columns/1"],
      ["page before columns", { columns: ["nope"], page: { offset: -1 } }, "G-1", "/page/offset"],
      ["size before offset", { page: { offset: -1, size: 0 } }, "G-1", "/page/size"],
      [
        "columns before agreement",
        { columns: ["nope"], page: { after: first, before: other } },
        "P-9",
        "/columns/0",
      ],
      [
        "agreement of a range last",
        { columns: ["n"], page: { after: first, before: other } },
        "G-9",
        "/page/before",
      ],
      [
        "the first fault of a list",
        { filter: { $any: [{ n: { $gt: null } }, { m: 1 }] } },
        "F-15",
        "/filter/$any/0/n/$gt",
      ],
      ["the first fault of a sort", { sort: [{ n: "up" }, "m"] }, "S-2", "/sort/0/n"],
    ];

    it.each(cases)("E-6: %s", (_, request, rule, path) => {
      const error = refused(() => table.query(request));
      expect({ rule: error.rule, path: error.path }).toEqual({ rule, path });
    });

    it("E-6: the table's existence before the shape of the request", () => {
      const main = openBranch();
      const gone = main.createTable("gone");
      main.deleteTable("gone");
      const error = refused(() => gone.query({ nope: 1 }));
      expect(error.code).toBe("table_not_found");
    });

    it("E-6: faults of a record in the order of its keys, after its existence", () => {
      expect(refused(() => table.insert({ s: 1, n: "x" })).path).toBe("/s");
      expect(refused(() => table.insert({ n: "x", s: 1 })).path).toBe("/n");
      expect(refused(() => table.update("gone", { n: "x" })).code).toBe("record_not_found");
      expect(refused(() => table.update("a", { n: "x" }, { ifVersion: 9 })).code).toBe(
        "invalid_record",
      );
    });
  });
});
