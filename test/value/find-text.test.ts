import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHECKED_UNITS, createSearch } from "../../src/value/find-text.js";
import { seed } from "../generated.js";

function search(needle: string, haystack: string, from = 0): number {
  return createSearch(needle)(haystack, from);
}

/** Periodic texts of few letters. */
const periodic: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.string({
        unit: fc.constantFrom("a", "b", "\u0161", "\u0261"),
        minLength: 1,
        maxLength: 7,
      }),
      fc.integer({ min: 1, max: 40 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(""));

const long: fc.Arbitrary<string> = periodic.map((text) =>
  text.length > 64 ? text : text.repeat(65),
);

describe("createSearch", () => {
  it("F-10: finds the same as indexOf in any text", () => {
    fc.assert(
      fc.property(long, periodic, fc.nat({ max: 100 }), (needle, haystack, from) => {
        expect(search(needle, haystack, from)).toBe(haystack.indexOf(needle, from));
      }),
      { seed, numRuns: 1000 },
    );
  });

  it("F-10: finds a piece of a text anywhere", () => {
    const cut = fc.tuple(periodic, long, fc.nat(), fc.nat());
    fc.assert(
      fc.property(cut, ([before, body, a, b]) => {
        const haystack = before + body + before;
        const start = a % (haystack.length - 65);
        const needle = haystack.slice(start, start + 65 + (b % (haystack.length - start - 64)));
        expect(search(needle, haystack)).toBe(haystack.indexOf(needle));
        const again = haystack.indexOf(needle) + 1;
        expect(search(needle, haystack, again)).toBe(haystack.indexOf(needle, again));
      }),
      { seed, numRuns: 1000 },
    );
  });

  it("L-10: checks the time in a long text", () => {
    let checks = 0;
    createSearch("a".repeat(70), () => checks++)("b".repeat(2 * CHECKED_UNITS + 1), 0);
    expect(checks).toBe(2);
  });

  it("F-10: takes time linear in both texts", () => {
    const needle = `b${"a".repeat(100_000)}`;
    expect(search(needle, "a".repeat(2_000_000))).toBe(-1);
  });

  it.each([
    ["a".repeat(100), "a".repeat(99)],
    [`${"a".repeat(100)}b`, `${"a".repeat(150)}b`],
    [`b${"a".repeat(100)}`, `${"a".repeat(150)}b${"a".repeat(100)}`],
    ["ab".repeat(50), `a${"ab".repeat(60)}`],
    [`${"ab".repeat(50)}a`, `${"ab".repeat(50)}b${"ab".repeat(50)}a`],
    [`\u0161${"a".repeat(70)}`, `a${"a".repeat(70)}\u0161${"a".repeat(70)}`],
  ])("F-10: finds a periodic text, case %#", (needle, haystack) => {
    for (let from = 0; from < haystack.length; from++) {
      expect(search(needle, haystack, from)).toBe(haystack.indexOf(needle, from));
    }
  });
});
