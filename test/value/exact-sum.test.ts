import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divideExactly } from "../../src/conformance/oracle/aggregate.js";
import { ExactSum } from "../../src/value/exact-sum.js";
import { seed } from "../generated.js";

function sumOf(terms: readonly number[]): number {
  const sum = new ExactSum();
  for (const term of terms) sum.add(term);
  return sum.divide();
}

describe("an exact sum", () => {
  it("X-6: equals a sum of bigints", () => {
    // BigInt sums multiples of 2^-20 below 2^30 exactly.
    const part = fc.bigInt({ min: -(2n ** 50n), max: 2n ** 50n });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 50 }), (parts) => {
        const exact = parts.reduce((sum, one) => sum + one, 0n);
        expect(sumOf(parts.map((one) => Number(one) / 2 ** 20))).toBe(Number(exact) / 2 ** 20);
      }),
      { seed },
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
    // A tie, decided by a term that was added before an exact sum.
    [[2 ** 52, 2 ** -60, 1, 2 ** 53], 2 ** 52 + 2 ** 53 + 2],
    // The greatest part is zero, or less than the error below it.
    [[2 ** 107, 2 ** 52, 0.5, -(2 ** 107)], 2 ** 52],
    [[2 ** 106, 1e16, 2 ** 106, -(2 ** 107)], 1e16],
  ])("X-6: %j adds up to %d", (given, expected) => {
    expect(sumOf(given)).toBe(expected);
  });

  it("X-6: of the smallest numbers equals the oracle's", () => {
    const term = fc.double({ min: -(2 ** -1021), max: 2 ** -1021, noNaN: true });
    const count = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(fc.array(term, { maxLength: 20 }), count, (given, divisor) => {
        const sum = new ExactSum();
        for (const one of given) sum.add(one);
        expect(sum.divide(divisor) + 0).toBe(divideExactly(given, BigInt(divisor)) + 0);
      }),
      { seed },
    );
  });

  it("X-6: divided equals a quotient of bigints", () => {
    const part = fc.integer({ min: -(2 ** 31), max: 2 ** 31 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(part, fc.integer({ min: 0, max: 60 })), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 1000 }),
        (given, divisor) => {
          const sum = new ExactSum();
          for (const [digits, exponent] of given) sum.add(digits * 2 ** exponent);
          const exact = given.reduce((so, [d, e]) => so + (BigInt(d) << BigInt(e)), 0n);
          // So many bits that cutting off the others cannot change the rounding.
          const quotient = (exact << 900n) / BigInt(divisor);
          const next = quotient < 0n ? quotient - 1n : quotient + 1n;
          const found = sum.divide(divisor) * 2 ** 900;
          expect([Number(quotient), Number(next)]).toContain(found);
        },
      ),
      { seed },
    );
  });
});
