import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCodePoints, foldCase, isEmail } from "../../src/value/text.js";
import { seed } from "../generated.js";
import { anyCharacter } from "./any-character.js";

const anyUnits = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x61, 0xe9, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000),
      fc.integer({ min: 0, max: 0xffff }),
    ),
    { maxLength: 80 },
  )
  .map((codes) => String.fromCharCode(...codes));

describe("countCodePoints", () => {
  it("T-4: counts as the string iterator does", () => {
    fc.assert(
      fc.property(anyUnits, (text) => countCodePoints(text) === [...text].length),
      { seed },
    );
  });
});

/** F-10 by its definition. */
function foldByDefinition(text: string): string {
  return [...text]
    .map((char) => ([...char.toLowerCase()].length > 1 ? char : char.toLowerCase()))
    .join("");
}

describe("foldCase", () => {
  it("F-10: lower-cases every code point as the definition does, alone and in a word", {
    tags: "slow",
  }, () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code);
      const folded = foldByDefinition(char);
      if (foldCase(char) !== folded) expect.fail(`U+${code.toString(16)}`);
      if (foldCase(`A${char} ${char}B`) !== `a${folded} ${folded}b`) {
        expect.fail(`U+${code.toString(16)} in a word`);
      }
    }
  });

  it("F-10: folds each code point separately", () => {
    const char = fc.constantFrom(..."aAΣσςİIıi\u0307\u0300 .'ÀǅẞK𐐀\u00ad");
    const text = fc
      .array(fc.oneof(char, fc.string({ unit: anyCharacter, maxLength: 1 })))
      .map((c) => c.join(""));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(foldCase(a)).toBe(foldByDefinition(a));
        expect(foldCase(a + b)).toBe(foldCase(a) + foldCase(b));
        expect(foldCase(foldCase(a))).toBe(foldCase(a));
      }),
      { seed, numRuns: 1000 },
    );
  });
});

describe("isEmail", () => {
  const long = (length: number): string => `${"a".repeat(length - 6)}@b.org`;

  it.each(["!#$%&'*+/=?^_`{|}~-@b.org", long(254)])("T-6: accepts %s", (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    "a@b.org\n",
    "\ud83d@b.org",
    `a@${"b".repeat(64)}.org`,
    long(255),
    `${"a".repeat(100_000)}@b.org`,
    `a@${"b-".repeat(100_000)}`,
  ])("T-6: refuses %j", (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it("T-6: equals its definition", () => {
    const part = fc.constantFrom("", "a", "A9", "é", "@", ".", "-", "_", "b.c");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        const [local = "", domain = "", ...more] = text.split("@");
        const isLabel = (label: string): boolean =>
          /^[a-zA-Z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-");
        const good =
          /^[a-zA-Z0-9._-]+$/.test(local) && more.length === 0 && domain.split(".").every(isLabel);
        expect(isEmail(text)).toBe(good);
      }),
      { seed, numRuns: 2000 },
    );
  });
});
