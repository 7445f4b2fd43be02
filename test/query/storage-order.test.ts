import { describe, expect, it } from "vitest";
import { idsOf, idsOfPages, openBranch, type UntypedTable } from "../rules/fixture.js";

const COUNT = 5000;
/** Rows on both sides of the borders of the blocks that a walk scans, from either end. */
const PLACES = [0, 3, 1023, 1024, 1500, 3975, 3976, 4094, 4095, 4096, 4097, 4999];

const idOf = (place: number): string => `r${String(place).padStart(4, "0")}`;

const table: UntypedTable = openBranch().createTable("rows", [{ name: "n", type: "int" }]);
table.load(Array.from({ length: COUNT }, (_, n) => ({ id: idOf(n), n })));

describe.each(["asc", "desc"])("pages of rows stored in the order of their ids, %s", (id) => {
  const sort = { id };
  const filter = { n: { $any: PLACES } };
  const expected = PLACES.map(idOf);
  if (id === "desc") expected.reverse();

  it.each([1, 3, 5, 12])("G-12: pages of %i, forward and backward, join to the whole", (size) => {
    const backward = id === "desc";
    const access = { kind: "storage-order", backward };
    expect(table.explain({ sort, filter })).toMatchObject({ access });
    expect(idsOfPages(table, { sort, filter, page: { size } })).toEqual(expected);
    const last = { sort, filter, page: { before: "end", size } };
    expect(idsOfPages(table, last, "before")).toEqual(expected);
  });

  it("G-5, G-9: pages after, before and between cursors", () => {
    const pageAt = (offset: number): string =>
      table.query({ sort, filter, page: { size: 1, offset } }).meta.page.cursor;
    for (let from = 0; from < expected.length; from++) {
      const after = pageAt(from);
      const rest = table.query({ page: { after, size: 20 } });
      expect(idsOf(rest.records)).toEqual(expected.slice(from + 1));
      const ahead = table.query({ page: { before: after, size: 2 } });
      expect(idsOf(ahead.records)).toEqual(expected.slice(Math.max(0, from - 2), from));
      if (from + 2 >= expected.length) continue;
      const between = table.query({ page: { after, before: pageAt(from + 2), size: 20 } });
      expect(idsOf(between.records)).toEqual([expected[from + 1]]);
    }
  });

  it("G-1: pages at an offset", () => {
    const all = Array.from({ length: COUNT }, (_, place) => idOf(place));
    if (id === "desc") all.reverse();
    const page = { size: 200, offset: 800 };
    const forward = table.query({ sort, columns: [], page });
    expect(idsOf(forward.records)).toEqual(all.slice(800, 1000));
    const last = table.query({ sort, columns: [], page: { ...page, before: "end" } });
    expect(idsOf(last.records)).toEqual(all.slice(-1000, -800));
  });
});
