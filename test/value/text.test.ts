import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCodePoints, foldCase, isEmail, isText } from "../../src/value/text.js";
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

describe("isText", () => {
  it.each([
    ["", true],
    ["plain", true],
    ["😀", true],
    ["\ud7ff\ue000", true],
    ["\ud83d", false],
    ["\ude00", false],
    ["\ude00\ud83d", false],
    ["a\ud83db", false],
  ])("T-4: of %j is %j", (text, expected) => {
    expect(isText(text)).toBe(expected);
  });
});

describe("countCodePoints", () => {
  it.each([
    ["a😀b😀", 4],
    ["x".repeat(100_000), 100_000],
    ["😀".repeat(1000), 1000],
    [`${"x".repeat(40)}\ud83d`, 41],
    [`${"x".repeat(40)}\uffff`, 41],
  ])("T-4: counts code points, case %#", (text, count) => {
    expect(countCodePoints(text)).toBe(count);
  });

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
  it.each([
    ["STRASSE ß ẞ", "strasse ß ß"],
    ["ΟΔΟΣ ΣΑΣ", "οδοσ σασ"],
    ["İstanbul I", "İstanbul i"],
    ["K\u212a\u2126", "kkω"],
    ["𐐀𐐨", "𐐨𐐨"],
    ["\ud801A", "\ud801a"],
    ["Ǆ ǅ ǆ", "ǆ ǆ ǆ"],
  ])("F-10: folds %j to %j", (text, folded) => {
    expect(foldCase(text)).toBe(folded);
  });

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

  it.each([
    "a@example.com",
    "a@b",
    "a.b+c@sub.example.co.uk",
    "a@1-2.3",
    ".a..b.@b.org",
    "!#$%&'*+/=?^_`{|}~-@b.org",
    `a@${"b".repeat(63)}.${"c".repeat(63)}`,
    long(254),
  ])("T-6: accepts %s", (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    "ä@example.de",
    "a@exämple.de",
    "😀@x.org",
    '"x y"@example.org',
    "a@-b.org",
    "a@b-.org",
    "a@b_c.org",
    `a@${"b".repeat(64)}.org`,
    "a@b c.org",
    "a@b.org ",
    "a@b.org\n",
    "a@b.org\u007f",
    "a@b.org\u0085",
    "a@b\u00a0.org",
    "a@b\u3000.org",
    "\ud83d@b.org",
    "a@b.org\ud83d",
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
