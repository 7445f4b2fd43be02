import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { expectMatches, expectRefused, openTable, refusalOf } from "./fixture.js";

describe("stored values", () => {
  it("T-2: a whole number is never rounded", () => {
    const table = openTable({ n: "int" });
    table.insert([
      { id: "a", n: Number.MAX_SAFE_INTEGER },
      { id: "b", n: Number.MAX_SAFE_INTEGER - 1 },
    ]);
    expectMatches(table, { n: Number.MAX_SAFE_INTEGER }, "a");
    expectMatches(table, { n: { $lt: Number.MAX_SAFE_INTEGER } }, "b");
  });

  it("T-4: strings are not normalized", () => {
    const table = openTable({ s: "string" });
    table.insert([
      { id: "a", s: "\u00e9" },
      { id: "b", s: "e\u0301" },
    ]);
    expectMatches(table, { s: "\u00e9" }, "a");
  });

  it("T-10: an object holds its sub-columns, each by its own type", () => {
    const table = openTable({ o: { n: "int", p: { s: "string" } } });
    const given = { o: { n: 1, p: { s: "x" } } };
    expect(table.insert(given)).toMatchObject(given);
    expect(table.insert({ "o.n": 1, "o.p.s": "x" })).toMatchObject(given);
    for (const value of ["x", 1, true, [], [{ n: 1 }], new Date(0)]) {
      expectRefused(() => table.insert({ o: value }), "invalid_record T-10 /o");
      expectRefused(() => table.insert({ o: { p: value } }), "invalid_record T-10 /o/p");
    }
    expectRefused(() => table.insert({ o: { n: "1" } }), "invalid_record T-2 /o/n");
    expectRefused(() => table.insert({ o: { p: { s: 1 } } }), "invalid_record T-4 /o/p/s");
    expectRefused(() => table.insert({ "o.p.s": 1 }), "invalid_record T-4 /o.p.s");
    expectRefused(() => table.insert({ o: { x: 1 } }), "invalid_record T-10 /o/x");
    expectRefused(() => table.insert({ o: { p: { N: 1 } } }), "invalid_record T-10 /o/p/N");
    expectRefused(() => table.insert({ o: { "p.s": 1 } }), "invalid_record T-10 /o/p.s");
  });

  it("T-10: objects nest in objects, though not without end", () => {
    const nest = (levels: number): unknown =>
      Array.from({ length: levels }).reduce<unknown>(
        (column) => ({ name: "o", type: "object", columns: [column] }),
        { name: "leaf", type: "int" },
      );
    const table = openTable([nest(12)]);
    const path = `${"o.".repeat(12)}leaf`;
    table.insert({ id: "a", [path]: 7 });
    expectMatches(table, { [path]: 7 }, "a");
    expect(refusalOf(() => openTable([nest(100_000)])).code).toBe("invalid_schema");
  });

  it("T-11: the xata profile takes and gives strings of JSON", () => {
    const table = openTable({ doc: "json" }, "xata");
    expect(table.insert({ id: "a", doc: '{"b": [1, "x"], "a": null}' }).doc).toBe(
      '{"b":[1,"x"],"a":null}',
    );
    expect(table.insert({ id: "b", doc: { b: [1, "x"], a: null } }).doc).toBe(
      '{"b":[1,"x"],"a":null}',
    );
    expect(table.insert({ id: "c", doc: '"text"' }).doc).toBe('"text"');
    expect(table.insert({ id: "d", doc: "null" })).not.toHaveProperty("doc");
    expectMatches(table, { doc: '{"a":null,"b":[1,"x"]}' }, "ab");
    expectMatches(table, { doc: { a: null, b: [1, "x"] } }, "ab");
    expectMatches(table, { "doc->b->1": "x" }, "ab");
    for (const text of ["", "{", "text", "undefined", "{'a': 1}"]) {
      expectRefused(() => table.insert({ doc: text }), "invalid_record T-11 /doc");
      expect(refusalOf(() => table.count({ doc: text })).code).toBe("invalid_filter");
    }
    // A string inside a value, or under the other profile, is a string.
    expect(table.insert({ doc: ["{"] }).doc).toBe('["{"]');
    const documented = openTable({ doc: "json" });
    expect(documented.insert({ doc: "{" }).doc).toBe("{");
  });

  it("T-12: a vector is declared with its dimension", () => {
    const declare = (vector: unknown) => () => openTable([{ name: "v", type: "vector", vector }]);
    for (const dimension of [2, 10_000]) declare({ dimension })();
    for (const vector of [undefined, null, 3]) {
      expectRefused(declare(vector), "invalid_schema T-12 /0/vector");
    }
    for (const dimension of [undefined, 0, 1, 10_001, 2.5, "3", null]) {
      expectRefused(declare({ dimension }), "invalid_schema T-12 /0/vector/dimension");
    }
    expectRefused(declare({ dimension: 2, x: 1 }), "invalid_schema E-3 /0/vector/x");
  });

  it("T-14: an object with only null sub-columns is null", () => {
    const columns = defineColumns({ n: "int", p: { s: "string" } });
    const table = openTable([{ name: "o", type: "object", columns }]);
    table.insert([
      { id: "a", o: {} },
      { id: "b", o: { n: null, p: { s: null } } },
      { id: "c", o: { p: {} } },
      { id: "d", o: null },
      { id: "e", o: { p: { s: "" } } },
      { id: "f", o: { n: 0 } },
    ]);
    expectMatches(table, { $notExists: "o" }, "abcd");
    expectMatches(table, { $notExists: "o.p" }, "abcdf");
    expect(table.get("b")).not.toHaveProperty("o");
    expect(table.get("f")?.o).toEqual({ n: 0 });
    expect(table.update("f", { o: { n: null } })).not.toHaveProperty("o");
  });

  it("T-15: the message has table, path, the expected type and the found value", () => {
    const table = openTable({ o: { age: "int" }, at: "datetime" });
    const { message, status } = refusalOf(() => table.insert({ o: { age: "thirty" } }));
    expect(status).toBe(400);
    for (const part of ["items", "o.age", "int", "thirty"]) expect(message).toContain(part);
    expect(refusalOf(() => table.insert({ at: "soon" })).message).toMatch(/datetime.*soon/);
    const long = refusalOf(() => table.insert({ at: "x".repeat(1e6) })).message;
    expect(long.length).toBeLessThan(500);
  });
});
