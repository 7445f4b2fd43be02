import { describe, expect, it } from "vitest";
import { expectRefused } from "./fixture.js";
import { numbered, openNumbers, pageOf, tens } from "./page-walks.js";

/**
 * Empty pages of the numbers 10 to 40, and the numbers around the gap: 0 is the beginning, 99 the end.
 */
const GAPS: readonly (readonly [
  name: string,
  page: (from: Cursors) => object,
  between: [number, number],
])[] = [
  ["after the last page", ({ last }) => ({ after: last }), [40, 99]],
  [
    "after the last page, through the range to the end",
    ({ last }) => ({ after: last, before: "end" }),
    [40, 99],
  ],
  ["before the first page", ({ first }) => ({ before: first }), [0, 10]],
  ["a range without records", ({ first, second }) => ({ after: first, before: second }), [10, 20]],
  [
    "a range with an offset beyond it",
    ({ first, last }) => ({ after: first, before: last, offset: 9 }),
    [10, 20],
  ],
  [
    "the range to the end, with an offset beyond it",
    ({ first }) => ({ after: first, before: "end", offset: 9 }),
    [10, 20],
  ],
  ["after end", () => ({ after: "end" }), [40, 99]],
  ["after end, with an offset", () => ({ after: "end", offset: 3 }), [40, 99]],
  ["a first page with an offset beyond the last", () => ({ offset: 4 }), [40, 99]],
  [
    "start with an offset beyond the last",
    ({ second }) => ({ start: second, offset: 4 }),
    [40, 99],
  ],
  ["after, with an offset beyond the last", ({ first }) => ({ after: first, offset: 3 }), [40, 99]],
  ["before, with an offset beyond the first", ({ last }) => ({ before: last, offset: 3 }), [0, 0]],
  ["before end, with an offset beyond the first", () => ({ before: "end", offset: 4 }), [0, 0]],
  ["end, with an offset beyond the first", ({ second }) => ({ end: second, offset: 4 }), [0, 0]],
];

interface Cursors {
  readonly first: string;
  readonly second: string;
  readonly last: string;
}

function open() {
  const table = openNumbers(tens(4));
  const cursors = {
    first: pageOf(table, { size: 1 }).cursor,
    second: pageOf(table, { size: 1, offset: 1 }).cursor,
    last: pageOf(table, { size: 1, before: "end" }).cursor,
  };
  return { table, cursors };
}

describe("the cursor of an empty page", () => {
  it.each(GAPS)("G-11: %s", (_, page, [low, high]) => {
    const { table, cursors } = open();
    const empty = pageOf(table, page(cursors));
    expect(empty).toMatchObject({ ns: [], more: false });
    const atBeginning = low === 0 && high === 0;
    // New records on each side of the gap, and next to its bounds.
    const added = [1, 9, 11, 19, 21, 39, 41, 50].filter((n) => n !== low && n !== high);
    table.insert(added.map(numbered));
    const all = [...tens(4), ...added].sort((a, b) => a - b);
    // A gap behind a record precedes new records behind it, and vice versa.
    const ahead = atBeginning
      ? []
      : low === 0
        ? all.filter((n) => n < high)
        : all.filter((n) => n <= low);
    const behind = all.filter((n) => !ahead.includes(n));
    expect(pageOf(table, { after: empty.cursor, size: 50 })).toMatchObject({
      ns: behind,
      more: false,
    });
    expect(pageOf(table, { before: empty.cursor, size: 50 })).toMatchObject({
      ns: ahead,
      more: false,
    });
    expect(pageOf(table, { after: empty.cursor, size: 1 }).ns).toEqual(behind.slice(0, 1));
    expect(pageOf(table, { before: empty.cursor, size: 1 }).ns).toEqual(ahead.slice(-1));
    expect(pageOf(table, { after: empty.cursor, size: 2, offset: 1 }).ns).toEqual(
      behind.slice(1, 3),
    );
  });

  it.each(GAPS)("G-11: %s, after the records beside it are deleted", (_, page, [low, high]) => {
    const { table, cursors } = open();
    const { cursor } = pageOf(table, page(cursors));
    for (const n of [low, high]) table.delete(numbered(n).id);
    const left = tens(4).filter((n) => n !== low && n !== high);
    const isBehind = (n: number): boolean => (low === 0 ? n >= high : n > low);
    expect(pageOf(table, { after: cursor, size: 50 }).ns).toEqual(left.filter(isBehind));
    expect(pageOf(table, { before: cursor, size: 50 }).ns).toEqual(
      left.filter((n) => !isBehind(n)),
    );
  });

  it("G-10: after end follows records inserted behind the last one", () => {
    const table = openNumbers(tens(3));
    let { cursor } = pageOf(table, { after: "end", size: 2 });
    table.insert([numbered(40), numbered(15), numbered(50), numbered(60)]);
    const next = pageOf(table, { after: cursor });
    expect(next).toMatchObject({ ns: [40, 50], more: true, size: 2 });
    ({ cursor } = pageOf(table, { after: next.cursor }));
    expect(pageOf(table, { after: cursor })).toMatchObject({ ns: [], more: false });
    // An empty page can be continued repeatedly.
    for (const n of [70, 80]) {
      const { cursor: idle } = pageOf(table, { after: cursor });
      table.insert(numbered(n));
      const found = pageOf(table, { after: idle });
      expect(found.ns).toEqual([n]);
      cursor = found.cursor;
    }
  });

  it("G-11: a range compares gaps by position", () => {
    const { table, cursors } = open();
    const behind10 = pageOf(table, { after: cursors.first, before: cursors.second }).cursor;
    const behind40 = pageOf(table, { after: "end" }).cursor;
    const ahead10 = pageOf(table, { before: cursors.first }).cursor;
    const beginning = pageOf(table, { before: "end", offset: 9 }).cursor;
    const { first, second, last } = cursors;
    const range = (after: string, before: string): number[] =>
      pageOf(table, { after, before, size: 50 }).ns;
    expect(range(behind10, last)).toEqual([20, 30]);
    expect(range(ahead10, last)).toEqual([10, 20, 30]);
    expect(range(beginning, last)).toEqual([10, 20, 30]);
    expect(range(ahead10, behind10)).toEqual([10]);
    expect(range(ahead10, behind40)).toEqual(tens(4));
    expect(range(first, behind10)).toEqual([]);
    expect(range(ahead10, first)).toEqual([]);
    expect(range(beginning, ahead10)).toEqual([]);
    expect(range(behind10, second)).toEqual([]);
    const disagree: [string, string][] = [
      [behind10, behind10],
      [beginning, beginning],
      [behind10, first],
      [behind10, ahead10],
      [first, ahead10],
      [ahead10, beginning],
      [behind40, last],
      [first, beginning],
    ];
    for (const [after, before] of disagree) {
      expectRefused(
        () => table.query({ page: { after, before } }),
        "invalid_page G-9 /page/before",
      );
    }
  });

  it("G-11: gaps work in descending order, among ties and nulls", () => {
    const table = openNumbers([]);
    const sort = [{ s: "asc" }, { n: "desc" }];
    table.insert([
      { id: "a", s: "x", n: 1 },
      { id: "b", s: "x" },
      { id: "c", n: 2 },
    ]);
    const { cursor } = table.query({ sort, page: { after: "end" } }).meta.page;
    table.insert([{ id: "d", n: 1 }, { id: "e", n: 2 }, { id: "f" }, { id: "g", s: "w" }]);
    const ids = (page: object): string =>
      table
        .query({ page })
        .records.map(({ id }) => id)
        .join("");
    expect(ids({ after: cursor })).toBe("ed");
    expect(ids({ before: cursor })).toBe("gbafc");
  });
});
