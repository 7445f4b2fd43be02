import { describe, expect, it } from "vitest";
import { expectRefused, openBranch, openShop, openTable, refused } from "./fixture.js";

function columns(count: number, prefix = "c"): { name: string; type: "int" }[] {
  return Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, type: "int" }));
}

describe("limits of tables and queries", () => {
  it("L-6: a table has at most 1,000 columns, counted at the leaves", () => {
    const branch = openBranch();
    const rows = branch.createTable("rows", columns(999));
    const two = { name: "o", type: "object", columns: columns(2, "d") };
    expectRefused(() => rows.addColumn(two), 'invalid_schema L-6 ""');
    rows.addColumn({ name: "o", type: "object", columns: columns(1, "d") });
    expectRefused(() => rows.addColumn({ name: "o.x", type: "int" }), 'invalid_schema L-6 ""');
    expectRefused(() => rows.setSchema({ columns: columns(1001) }), "invalid_schema L-6 /columns");
    expectRefused(() => branch.createTable("more", columns(1001)), 'invalid_schema L-6 ""');
  });

  it("L-7: a selection expands to at most 10,000 columns", () => {
    const branch = openBranch();
    const wide = branch.createTable("wide", [
      ...columns(900),
      { name: "next", type: "link", link: { table: "wide" } },
    ]);
    const path = (links: number): string => `${"next.".repeat(links)}*`;
    const all = (count: number) => Array.from({ length: count }, (_, i) => path(i));
    wide.query({ columns: all(11) });
    expectRefused(() => wide.query({ columns: all(12) }), "invalid_request L-7 /columns");
    expectRefused(() => wide.insert({}, { columns: all(12) }), "invalid_request L-7 /columns");
    expect(wide.count()).toBe(0);
    const reverse = { name: "<-wide.next", columns: all(6) };
    expectRefused(
      () => wide.query({ columns: [...all(6), reverse] }),
      "invalid_request L-7 /columns",
    );
  });

  it("L-8: at most 200 aggregations, counted at all levels, or 200 summaries", () => {
    const rows = openShop()
      .shop.branch("main")
      .createTable("rows", [{ name: "i", type: "int" }]);
    const counts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, { count: "*" }]));
    const nested = (count: number) => ({
      top: { topValues: { column: "i", aggs: counts(count) } },
    });
    const ask = (aggs: object) => rows.aggregate({ aggs: aggs as never });
    ask(counts(200));
    ask(nested(199));
    expectRefused(() => ask(counts(201)), "invalid_request L-8 /aggs");
    expectRefused(() => ask(nested(200)), "invalid_request L-8 /aggs");
    rows.summarize({ summaries: counts(200) as never });
    expectRefused(
      () => rows.summarize({ summaries: counts(201) as never }),
      "invalid_request L-8 /summaries",
    );
  });

  it("L-9: a refused batch lists its first 100 faults, and how many more there are", () => {
    const rows = openTable({ i: "int" });
    const bad = (count: number) => Array.from({ length: count }, () => ({ i: "x" }));
    const refusal = (records: unknown[]) => refused(() => rows.insert(records));
    const many = refusal([{ i: 1 }, ...bad(250)]);
    expect(many.errors).toHaveLength(100);
    expect(many.errors?.at(-1)?.index).toBe(100);
    expect(many).toMatchObject({ more: 150, status: 400, code: "invalid_record" });
    expect(refusal(bad(100))).toMatchObject({ more: undefined });
    expect(rows.count()).toBe(0);
  });
});
