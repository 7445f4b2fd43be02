import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactSum } from "../../src/value/exact-sum.js";

function sumOf(terms: readonly number[]): number {
  const sum = new ExactSum();
  for (const term of terms) sum.add(term);
  return sum.value;
}

const terms = fc.array(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), { maxLength: 30 });

describe("a sum that is rounded once", () => {
  it("X-6: is what the same sum in whole numbers gives", () => {
    // Multiples of 2^-20 below 2^30 in size are summed by BigInt without any error.
    const part = fc.bigInt({ min: -(2n ** 50n), max: 2n ** 50n });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 50 }), (parts) => {
        const exact = parts.reduce((sum, one) => sum + one, 0n);
        expect(sumOf(parts.map((one) => Number(one) / 2 ** 20))).toBe(Number(exact) / 2 ** 20);
      }),
    );
  });

  it("X-6: does not depend on the order", () => {
    fc.assert(
      fc.property(
        terms.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => {
          expect(sumOf(shuffled)).toBe(sumOf(given));
        },
      ),
    );
  });

  it("X-6: of terms and their negatives is nothing", () => {
    fc.assert(
      fc.property(terms, (given) => {
        expect(sumOf([...given, ...given.map((term) => -term)]) + 0).toBe(0);
      }),
    );
  });

  it.each([
    [[], 0],
    [[0.1, 0.2, 0.3], 0.6],
    [[1e100, 1, -1e100], 1],
    [[2 ** 53, 1, 2 ** -60], 2 ** 53 + 2],
    [[2 ** 53, 1], 2 ** 53],
    [[2 ** 53, 1, -(2 ** -60)], 2 ** 53],
    [[-(2 ** 53), -1, -(2 ** -60)], -(2 ** 53) - 2],
    // Half way, and what decides was added ahead of a sum without an error.
    [[2 ** 52, 2 ** -60, 1, 2 ** 53], 2 ** 52 + 2 ** 53 + 2],
    // A greatest part that is nothing, or less than an error below it.
    [[2 ** 107, 2 ** 52, 0.5, -(2 ** 107)], 2 ** 52],
    [[2 ** 106, 1e16, 2 ** 106, -(2 ** 107)], 1e16],
  ])("X-6: of %j is %d", (given, expected) => {
    expect(sumOf(given)).toBe(expected);
  });
});
