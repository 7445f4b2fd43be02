import { describe, expect, it } from "vitest";
import { expectRefused, type UntypedTable } from "./fixture.js";
import { openNumbers, type Page, pageOf, tens } from "./page-walks.js";

/** The page from one number to another, in a table of tens. */
function at(table: UntypedTable, from: number, to: number = from): Page {
  const ns = tens(60).filter((n) => n >= from && n <= to);
  const page = pageOf(table, { offset: tens(60).indexOf(from), size: ns.length });
  expect(page.ns).toEqual(ns);
  return page;
}

describe("combinations of page settings", () => {
  it("G-7: a cursor allows no filter or sort, not even an empty one", () => {
    const table = openNumbers(tens(3));
    const { cursor } = pageOf(table);
    for (const key of ["after", "before", "start", "end"]) {
      for (const part of [{ filter: {} }, { filter: { n: 1 } }, { filter: null }]) {
        const call = (): unknown => table.query({ ...part, page: { [key]: cursor } });
        expectRefused(call, "invalid_page G-7 /filter");
      }
      for (const part of [{ sort: {} }, { sort: [] }, { sort: { n: "asc" } }, { sort: null }]) {
        const call = (): unknown => table.query({ ...part, page: { [key]: cursor } });
        expectRefused(call, "invalid_page G-7 /sort");
      }
      const given = {
        filter: undefined,
        sort: undefined,
        columns: ["n"],
        page: { [key]: cursor, size: 2 },
      };
      expect(table.query(given).meta.page.size).toBe(2);
    }
    const both = { after: cursor, before: "end" };
    expectRefused(() => table.query({ filter: {}, page: both }), "invalid_page G-7 /filter");
    expectRefused(() => table.query({ sort: {}, page: both }), "invalid_page G-7 /sort");
  });

  it("G-7: after end stands alone, before end alone or beside a real after", () => {
    const table = openNumbers(tens(3));
    const { cursor } = pageOf(table, { size: 1 });
    const refused = (page: object): void =>
      expectRefused(() => table.query({ page }), "invalid_page G-7 /page/before");
    refused({ after: "end", before: cursor });
    refused({ after: "end", before: "end" });
    const request = { filter: { n: { $gt: 10 } }, sort: { n: "desc" } };
    expect(table.query({ ...request, page: { after: "end" } }).records).toEqual([]);
    expect(pageOf(table, { before: "end", size: 1 }, request).ns).toEqual([20]);
    expect(pageOf(table, { after: cursor, before: "end", size: 9 }).ns).toEqual([20, 30]);
  });

  it("G-8: start or end beside another cursor key is refused", () => {
    const table = openNumbers(tens(3));
    const { cursor } = pageOf(table);
    const keys = ["after", "before", "start", "end"];
    for (const key of ["start", "end"]) {
      for (const other of keys.filter((candidate) => candidate !== key)) {
        for (const value of [cursor, "end", "damaged"]) {
          const call = (): unknown => table.query({ page: { [key]: cursor, [other]: value } });
          expect(call).toThrow(expect.objectContaining({ code: "invalid_page", rule: "G-8" }));
        }
      }
    }
  });
});

describe("ranges", () => {
  it("G-9: returns the records after a and before b, at most size", () => {
    const table = openNumbers(tens(6));
    for (let from = 10; from <= 60; from += 10) {
      for (let to = from + 10; to <= 60; to += 10) {
        const between = tens(6).filter((n) => n > from && n < to);
        const [after, before] = [at(table, from).cursor, at(table, to).cursor];
        for (let size = 1; size <= 4; size++) {
          for (let offset = 0; offset <= 2; offset++) {
            const rest = between.slice(offset);
            expect(pageOf(table, { after, before, size, offset }), `${from}-${to}`).toMatchObject({
              ns: rest.slice(0, size),
              more: rest.length > size,
              size,
            });
          }
        }
      }
    }
  });

  it("G-9: begins after the last record of a, ends before the first one of b", () => {
    const table = openNumbers(tens(6));
    const [after, before] = [at(table, 10, 20).cursor, at(table, 50, 60).cursor];
    expect(pageOf(table, { after, before }).ns).toEqual([30, 40]);
  });

  it("G-9: equal bound filters and sorts agree, however they were written", () => {
    const table = openNumbers(tens(6));
    const cursorOf = (request: object, offset: number): string =>
      table.query({ ...request, page: { size: 1, offset } }).meta.page.cursor;
    const written = [
      [{ sort: { n: "asc" } }, { sort: ["n"] }],
      [{ sort: [{ n: "asc" }] }, { sort: { n: "asc" } }],
      [{ filter: { n: { $ge: 20 } } }, { filter: { n: { $ge: 20.0 } } }],
      [{ filter: { s: null } }, { filter: { s: { $is: null } } }],
      [{ filter: { $exists: "n" } }, { filter: { n: { $isNot: null } } }],
      [{ filter: { next: null } }, { filter: { $notExists: "next" } }],
      [{ filter: {} }, {}],
    ] as const;
    for (const [one, other] of written) {
      const count = table.count("filter" in one ? one.filter : undefined);
      expect(count).toBeGreaterThan(1);
      const page = { after: cursorOf(one, 0), before: cursorOf(other, count - 1), size: 9 };
      expect(table.query({ page }).records, JSON.stringify(one)).toHaveLength(count - 2);
    }
  });

  it("G-9: works in one random order", () => {
    const table = openNumbers(tens(9));
    const first = table.query({ sort: { "*": "random" }, page: { size: 2 } });
    const order = table.query({ page: { start: first.meta.page.cursor, size: 9 } }).records;
    const last = table.query({ page: { end: first.meta.page.cursor, size: 3 } });
    const page = { after: first.meta.page.cursor, before: last.meta.page.cursor, size: 9 };
    expect(table.query({ page }).records).toEqual(order.slice(2, 6));
  });
});
