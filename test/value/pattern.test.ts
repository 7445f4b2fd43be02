import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, endsInEscape, matchPattern } from "../../src/value/pattern.js";
import { seed } from "../generated.js";
import { anyCharacter } from "./any-character.js";

function matches(pattern: string, text: string): boolean {
  return matchPattern(compilePattern(pattern, { left: 1 << 20 }), text);
}

/** F-11 by recursion over the code points. */
function matchesByDefinition(pattern: readonly string[], text: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return text.length === 0;
  if (head === "*") {
    return (
      matchesByDefinition(rest, text) ||
      (text.length > 0 && matchesByDefinition(pattern, text.slice(1)))
    );
  }
  if (text.length === 0) return false;
  if (head === "?") return matchesByDefinition(rest, text.slice(1));
  const [literal, behind] = head === "\\" ? [rest[0], rest.slice(1)] : [head, rest];
  return text[0] === literal && matchesByDefinition(behind, text.slice(1));
}

describe("matchPattern", () => {
  it.each([
    ["", ""],
    ["*", ""],
    ["*", "anything"],
    ["***a***", "bab"],
    ["?", "😀"],
    ["a?c", "a😀c"],
    ["a*bc", "abcbc"],
    ["*a?c*", "aac-abc"],
    ["*a?", "a\u{10000}"],
    ["*a?", "a\u{103ff}"],
    ["*😀?b*", "😀😀ab"],
    ["\\😀", "😀"],
    ["?\\*\\?", "😀*?"],
    ["*\\**", "a*b"],
    ["a?\\?*", "ab?c"],
    ["100\\%", "100%"],
    ["*\n*", "a\nb"],
    ["a.c", "a.c"],
    ["[ab]+", "[ab]+"],
    ["*\u0000", "\u0000\u0000"],
  ])("F-11: %j matches %j", (pattern, text) => {
    expect(matches(pattern, text)).toBe(true);
  });

  it.each([
    ["abc", "ABC"],
    ["*abc*", "abxc"],
    ["*a?*b", "ab"],
    ["*a?c*", "abbc-ac"],
    ["a*b*c", "a-c-b"],
    ["a.c", "abc"],
    ["*ab*ab*", "xabx"],
    ["????a*", "a😀😀"],
    ["*????a*", "a😀😀"],
    ["????*", "😀a"],
    ["*a??*", "😀a"],
    ["\ud83d*", "😀"],
    ["*\ude00", "😀"],
    ["\ud83d\\\ude00", "😀"],
  ])("F-11: %j does not match %j", (pattern, text) => {
    expect(matches(pattern, text)).toBe(false);
  });

  it("F-11: equals the definition", () => {
    const pattern = fc
      .array(
        fc.constantFrom("a", "a", "b", "😀", "*", "*", "?", "?", "\\*", "\\?", "\\\\", "\\a"),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join(""));
    const text = fc
      .array(fc.constantFrom("a", "a", "a", "b", "😀", "😁", "*", "?", "\\"), { maxLength: 9 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        expect(matches(p, t)).toBe(matchesByDefinition([...p], [...t]));
      }),
      { seed, numRuns: 20_000 },
    );
  });

  it("F-11: matches the texts that a pattern is derived from", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 4 }).map((text) => ({
          pattern: text.replaceAll(/[\\*?]/g, "\\$&"),
          text,
        })),
        fc.string({ unit: anyCharacter, maxLength: 4 }).map((text) => ({ pattern: "*", text })),
        fc
          .string({ unit: anyCharacter, minLength: 1, maxLength: 1 })
          .map((text) => ({ pattern: "?", text })),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, (made) => {
        const pattern = made.map((piece) => piece.pattern).join("");
        expect(matches(pattern, made.map((piece) => piece.text).join(""))).toBe(true);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it.each([
    ["*a*a*a*a*a*b", "a".repeat(100_000)],
    ["*a?a?a?a?a?b*", "a".repeat(100_000)],
    [`${"*a".repeat(1000)}b`, "a".repeat(100_000)],
    [`${"?*".repeat(50_000)}b`, "a".repeat(100_000)],
    [`*${"?".repeat(50_000)}b*`, "a".repeat(100_000)],
    [`${"*".repeat(100_000)}b`, "a".repeat(100_000)],
    ["*a*a*a*a*a*b", "a😀".repeat(100_000)],
    [`*a${"?".repeat(10_000)}b*`, "a".repeat(100_000)],
    [`*${"a?".repeat(10_000)}b*`, "a".repeat(100_000)],
    [`*${"a".repeat(10_000)}b${"a".repeat(10_000)}*`, "a".repeat(200_000)],
    [`*${"a".repeat(10_000)}?${"b".repeat(10_000)}*`, "a".repeat(100_000)],
  ])("F-11: takes at most pattern × text steps, case %#", (pattern, text) => {
    // Backtracking would not end.
    expect(matches(pattern, text)).toBe(false);
  });

  it.each([
    "?".repeat(400_000),
    `a${"?".repeat(400_000)}`,
    `${"?".repeat(200_000)}${"a".repeat(200_000)}`,
    `*${"?".repeat(400_000)}`,
  ])("F-11: rejects texts shorter than a long pattern at once, case %#", (long) => {
    // Walking the pattern for each text would not end.
    const pattern = compilePattern(long, { left: 1 << 20 });
    for (let n = 0; n < 400_000; n++) if (matchPattern(pattern, "a")) expect.fail();
  });
});

describe("a pattern with many failing candidates", () => {
  it.each([
    [`*a${"?".repeat(100)}b*`, `${"a".repeat(300)}b${"a".repeat(5)}`, true],
    [`*a${"?".repeat(100)}b*a`, `${"a".repeat(300)}b`, false],
    [`*a${"?".repeat(50)}\\??*b`, `${"a".repeat(300)}?ab`, true],
    [`*\u{1f600}${"?".repeat(40)}b*c`, `${"\u{1f600}".repeat(300)}bc`, true],
  ])("F-11: matches, case %#", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it("F-11: equals a regular expression", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "?", "\u{1f600}"), maxLength: 60 });
    const text = fc.string({ unit: fc.constantFrom("a", "a", "a", "\u{1f600}"), maxLength: 200 });
    fc.assert(
      fc.property(part, part, text, (first, second, given) => {
        const source = [first, second].map((one) => one.replaceAll("?", ".")).join(".*");
        const expected = new RegExp(`^.*${source}.*$`, "u").test(given);
        expect(matches(`*${first}*${second}*`, given)).toBe(expected);
      }),
      { seed, numRuns: 2000 },
    );
  });
});

describe("endsInEscape", () => {
  it.each(["\\", "a\\", "*\\", "?\\", "\\\\\\", "a?b\\"])("F-11: refuses %j", (pattern) => {
    expect(endsInEscape(pattern)).toBe(true);
  });

  it.each(["", "\\\\", "a\\\\", "\\*\\?", "\\\\\\\\"])("F-11: accepts %j", (pattern) => {
    expect(endsInEscape(pattern)).toBe(false);
  });
});
