import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeysAt, sortRows, textKeys } from "../../../src/query/order/sort-rows.js";
import { compareNumbers, compareStrings } from "../../../src/value/compare.js";

type Value = number | string | null;
type Row = readonly Value[];

/** The slow way: by the first value that differs, null last, of equal rows the one that was first. */
function compareRows(rows: readonly Row[], down: readonly boolean[]) {
  return (a: number, b: number): number => {
    for (const [level, isDown] of down.entries()) {
      const [x, y] = [rows[a]![level] ?? null, rows[b]![level] ?? null];
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1;
        continue;
      }
      const order =
        typeof x === "string" ? compareStrings(x, String(y)) : compareNumbers(x, Number(y));
      if (order !== 0) return isDown ? -order : order;
    }
    return a - b;
  };
}

/** Sorts rows both ways; how often rows were compared whole. */
function sortBoth(rows: readonly Row[], down: readonly boolean[]) {
  const compare = compareRows(rows, down);
  let compared = 0;
  const keysAt: KeysAt = (run, level) => {
    const values = Array.from(run, (row) => rows[row]![level]!);
    if (values.some((value) => typeof value === "string")) {
      return textKeys(values as (string | null)[], down[level]!);
    }
    return Float64Array.from(values as (number | null)[], (value) =>
      value === null ? Number.NaN : down[level] ? -value : value,
    );
  };
  const places = Int32Array.from(rows, (_, place) => place);
  const counting = (a: number, b: number): number => {
    compared++;
    return compare(a, b);
  };
  const sorted = sortRows(places, { levels: down.length, keysAt, compare: counting });
  return { sorted: [...sorted], wanted: [...places].sort(compare), compared };
}

/** Few different characters, so that many texts begin alike or are the same; well-formed, as records' are. */
const text: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom("a", "ab", "abcdefgh", "~", "\u007f", "\u0000", "é", "\uffff", "😀", "😁"),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""));
const value = {
  text: fc.option(text, { freq: 8 }),
  number: fc.option(fc.constantFrom(-1.5, -0, 0, 1, 1e300, -1e300, 5e-324), { freq: 8 }),
};

describe("sortRows", () => {
  it.each(["text", "number"] as const)(
    "sorts by %s, then text, then number as comparing does",
    (kind) => {
      const row = fc.tuple(value[kind], value.text, value.number);
      const down = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
      fc.assert(
        fc.property(fc.array(row, { maxLength: 200, size: "max" }), down, (rows, isDown) => {
          const { sorted, wanted } = sortBoth(rows, isDown);
          expect(sorted).toEqual(wanted);
        }),
      );
    },
  );

  it.each([
    ["few", 32],
    ["more than few", 33],
    ["many", 5000],
  ])("sorts %s rows", (_, count) => {
    const rows = Array.from(
      { length: count },
      (_, i): Row => [
        i % 13 === 0 ? null : `${"prefix ".repeat(i % 3)}${(i * 7919) % 101}`,
        i % 11 === 0 ? null : ((i * 31) % 97) - 40,
      ],
    );
    for (const down of [
      [false, false],
      [true, false],
      [false, true],
    ]) {
      const { sorted, wanted } = sortBoth(rows, down);
      expect(sorted).toEqual(wanted);
    }
  });

  it("reads on in texts that begin alike instead of comparing them", () => {
    const rows = Array.from({ length: 4000 }, (_, i): Row => {
      const number = String((i * 7919) % 4000).padStart(4, "0");
      return [`${i % 2 === 0 ? "even" : "odd"} and the same for long ${number}`];
    });
    const { sorted, wanted, compared } = sortBoth(rows, [false]);
    expect(sorted).toEqual(wanted);
    expect(compared).toBe(0);
  });

  it("goes on to the next level where texts are the same to their end", () => {
    const rows = Array.from({ length: 4000 }, (_, i): Row => ["the same text", (i * 7919) % 4000]);
    const { sorted, wanted, compared } = sortBoth(rows, [false, false]);
    expect(sorted).toEqual(wanted);
    expect(compared).toBe(0);
  });

  it("compares texts in the end, each of which begins the next", () => {
    const rows = Array.from({ length: 1000 }, (_, i): Row => ["a".repeat((i * 7919) % 1000)]);
    const { sorted, wanted } = sortBoth(rows, [false]);
    expect(sorted).toEqual(wanted);
  });
});
