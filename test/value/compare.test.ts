import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareStrings } from "../../src/value/compare.js";
import { seed } from "../generated.js";

const units = fc.oneof(
  fc.constantFrom(0x41, 0x42, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff),
  fc.integer({ min: 0, max: 0xffff }),
);
const anyString = fc.array(units, { maxLength: 6 }).map((codes) => String.fromCharCode(...codes));

/** Compares lists of code points member by member. */
function compareByDefinition(a: string, b: string): number {
  const x = [...a].map((char) => char.codePointAt(0)!);
  const y = [...b].map((char) => char.codePointAt(0)!);
  for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
  return x.length - y.length;
}

describe("compareStrings", () => {
  it("T-4: is the order of code points in long texts, too", () => {
    const long = fc.tuple(fc.constantFrom(4094, 4095, 4096, 8191, 8192), anyString);
    fc.assert(
      fc.property(long, anyString, anyString, ([length, middle], a, b) => {
        const [x, y] = ["x".repeat(length) + middle + a, "x".repeat(length) + middle + b];
        expect(Math.sign(compareStrings(x, y))).toBe(Math.sign(compareByDefinition(x, y)));
      }),
      { seed },
    );
  });

  it("T-4: is the order of code points, for lone surrogates too", () => {
    fc.assert(
      fc.property(anyString, anyString, anyString, (prefix, a, b) => {
        const [x, y] = [prefix + a, prefix + b];
        expect(Math.sign(compareStrings(x, y))).toBe(Math.sign(compareByDefinition(x, y)));
      }),
      { seed, numRuns: 3000 },
    );
  });
});
