import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactSum } from "../../src/value/exact-sum.js";
import { Sums } from "../../src/value/sums.js";
import { runs, seed } from "../generated.js";

/** Returns the rounded results by group, and whether they were decided at first. */
function sumUp(numbers: readonly number[], of: readonly number[] | undefined, isAverage: boolean) {
  const sums = new Sums();
  const add = (): void => {
    const [values, groups] = [Float64Array.from(numbers), of && Int32Array.from(of)];
    for (let from = 0; from < numbers.length; from += 3) {
      const to = Math.min(numbers.length, from + 3);
      sums.add(values.subarray(from, to), groups?.subarray(from, to), groups ? 4 : 1);
    }
  };
  const rowsOf = (group: number): number =>
    numbers.filter((_, i) => (of?.[i] ?? 0) === group).length;
  const kind = isAverage ? "average" : "sum";
  add();
  const isDecided = sums.round(new Set([kind]), rowsOf);
  if (!isDecided) {
    add();
    sums.round(new Set([kind]), rowsOf);
  }
  const values = [0, 1, 2, 3].map((group) => sums.resultOf(kind, group));
  return { values, isDecided };
}

function exact(numbers: readonly number[], isAverage: boolean): number {
  const sum = new ExactSum();
  const terms = numbers.filter((number) => !Number.isNaN(number));
  for (const term of terms) sum.add(term);
  return terms.length === 0 ? Number.NaN : sum.divide(isAverage ? terms.length : 1);
}

const LEAST = Number.MIN_VALUE;
const MOST = Number.MAX_VALUE;

describe("X-6: sums and averages are rounded once", () => {
  it.each<[string, number[]]>([
    ["a tie that the smallest term breaks", [1, 2 ** -53, 2 ** -200]],
    ["a tie that a negative term breaks", [1, 2 ** -53, -(2 ** -200)]],
    ["an average that is a tie", [3, 3 * 2 ** -53, 0]],
    ["terms that cancel", [1e300, 1, -1e300, 1e-300, -1]],
    ["a sum that overflows on the way", [MOST, MOST, -MOST, 1]],
    ["a sum that overflows", [MOST, MOST]],
  ])("undecided by two numbers: %s", (_, numbers) => {
    const both = [false, true].map((isAverage) => {
      const { values, isDecided } = sumUp(numbers, undefined, isAverage);
      expect(values[0]).toBe(exact(numbers, isAverage));
      return isDecided;
    });
    expect(both).toContain(false);
  });

  it.each<[string, number[]]>([
    ["decimals, of which the sum is a tie", [0.1, 0.2]],
    ["many decimals", Array.from({ length: 10_000 }, (_, i) => (i % 51) / 10)],
    ["whole numbers that cancel", [2 ** 53 - 1, 1, 5, -(2 ** 53), 7]],
    ["zeros", [0, 0]],
    ["the smallest numbers", [LEAST, LEAST, -LEAST]],
  ])("decided by two numbers: %s", (_, numbers) => {
    const { values, isDecided } = sumUp(numbers, undefined, false);
    expect([values[0], isDecided]).toEqual([exact(numbers, false), true]);
    expect(sumUp(numbers, undefined, true).values[0]).toBe(exact(numbers, true));
  });

  it("of any numbers and groups", () => {
    const number = fc.oneof(
      fc.double({ noDefaultInfinity: true }),
      fc.integer().map((n) => n / 10),
      fc.constantFrom(Number.NaN, 0, 1, -1, 2 ** -53, 1 + 2 ** -52, LEAST, MOST, -MOST, 1e16, 0.1),
      fc
        .tuple(fc.integer({ min: -1074, max: 1023 }), fc.boolean())
        .map(([e, s]) => (s ? 1 : -1) * 2 ** e),
    );
    const row = fc.tuple(number, fc.nat(3));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.boolean(), (rows, isAverage) => {
        const numbers = rows.map(([each]) => (each === 0 ? 0 : each));
        const groups = rows.map(([, group]) => group);
        const { values } = sumUp(numbers, groups, isAverage);
        for (let group = 0; group < 4; group++) {
          const own = numbers.filter((_, i) => groups[i] === group);
          expect(values[group]).toBe(exact(own, isAverage));
        }
        expect(sumUp(numbers, undefined, isAverage).values[0]).toBe(exact(numbers, isAverage));
      }),
      { seed, numRuns: Math.ceil(2000 * runs) },
    );
  });
});
