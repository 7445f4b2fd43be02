import { describe, expect, it } from "vitest";
import { expectMatches, expectRefused, openTable, refusalOf } from "./fixture.js";

describe("stored values", () => {
  it("T-10: an object checks each sub-column by its type", () => {
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

  it("T-10: objects nest up to a limit", () => {
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

  it("T-15: the message has table, path, expected type and found value", () => {
    const table = openTable({ o: { age: "int" }, at: "datetime" });
    const { message, status } = refusalOf(() => table.insert({ o: { age: "thirty" } }));
    expect(status).toBe(400);
    for (const part of ["items", "o.age", "int", "thirty"]) expect(message).toContain(part);
    expect(refusalOf(() => table.insert({ at: "soon" })).message).toMatch(/datetime.*soon/);
    const long = refusalOf(() => table.insert({ at: "x".repeat(1e6) })).message;
    expect(long.length).toBeLessThan(500);
  });
});
