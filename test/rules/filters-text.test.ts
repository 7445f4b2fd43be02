import { describe, expect, it } from "vitest";
import { openAllTypes } from "./filter-table.js";
import { expectFilterRefused, matching, openTable } from "./fixture.js";

/** The texts that a condition matches, the same for each column type with strings. */
function matches(texts: readonly string[], condition: unknown): string[] {
  const table = openTable({ s: "string", t: "text", doc: "json", list: "multiple" });
  const id = (index: number): string => `r${String(index).padStart(3, "0")}`;
  table.insert(texts.map((s, i) => ({ id: id(i), s, t: s, doc: { s }, list: [s] })));
  table.insert({ id: "zz" });
  const found = matching(table, { s: condition });
  for (const path of ["t", "doc->s"]) {
    expect(matching(table, { [path]: condition }), path).toEqual(found);
  }
  expect(matching(table, { list: { $includes: condition } }), "list").toEqual(found);
  // The negation matches all other rows, null included.
  expect(matching(table, { s: { $not: condition } })).toEqual(
    [...texts.map((_, i) => id(i)), "zz"].filter((other) => !found.includes(other)),
  );
  return found.map((found) => texts[Number(found.slice(1))] ?? "?");
}

const WORDS = [
  ...["", "a", "A", "abc", "xabc", "abcx", "ABC", "a.c", "a*c", "ab\nc", "á", "😀", "b😀c"],
];

describe("string operators", () => {
  it("F-10: a backslash is an ordinary character", () => {
    const texts = ["a\\", "A\\b", "b"];
    expect(matches(texts, { $contains: "\\" })).toEqual(["a\\", "A\\b"]);
    expect(matches(texts, { $startsWith: "A\\" })).toEqual(["A\\b"]);
    expect(matches(texts, { $endsWith: "\\" })).toEqual(["a\\"]);
    expect(matches(texts, { $iContains: "a\\" })).toEqual(["a\\", "A\\b"]);
  });

  it("F-10: $iContains lower-cases both sides, code point by code point", () => {
    const texts = [
      ...["Straße", "STRASSE", "ΑΣ", "ας", "ασ", "\u0130", "i", "i\u0307", "K", "\u212a"],
      ...["Ǆ", "ǆ"],
    ];
    expect(matches(texts, { $iContains: "STRASSE" })).toEqual(["STRASSE"]);
    expect(matches(texts, { $iContains: "strAßE" })).toEqual(["Straße"]);
    // The lower case of Σ is always σ; the final ς is another letter.
    expect(matches(texts, { $iContains: "ασ" })).toEqual(["ΑΣ", "ασ"]);
    expect(matches(texts, { $iContains: "ΑΣ" })).toEqual(["ΑΣ", "ασ"]);
    expect(matches(texts, { $iContains: "ς" })).toEqual(["ας"]);
    // The lower case of İ is two code points long, so İ stays as it is.
    expect(matches(texts, { $iContains: "\u0130" })).toEqual(["\u0130"]);
    expect(matches(texts, { $iContains: "I\u0307" })).toEqual(["i\u0307"]);
    expect(matches(texts, { $iContains: "k" })).toEqual(["K", "\u212a"]);
    expect(matches(texts, { $iContains: "Ǆ" })).toEqual(["Ǆ", "ǆ"]);
    expect(matches(["𐐀b", "𐐨b"], { $iContains: "𐐀" })).toEqual(["𐐀b", "𐐨b"]);
  });

  it("F-10: the operand is a string without lone surrogates", () => {
    const table = openAllTypes();
    const operators = [
      "$contains",
      "$startsWith",
      "$endsWith",
      "$iContains",
      "$pattern",
      "$iPattern",
    ];
    for (const operator of operators) {
      for (const operand of [1, true, {}, ["a"], "\ud83d", /a/]) {
        const filter = { string: { [operator]: operand } };
        expectFilterRefused(table, filter, `invalid_filter F-10 /string/${operator}`);
      }
    }
  });
});

describe("patterns", () => {
  const CASES: readonly (readonly [pattern: string, matched: readonly string[]])[] = [
    ["", [""]],
    ["**", WORDS],
    ["???", ["abc", "ABC", "a.c", "a*c", "b😀c"]],
    ["?*", WORDS.slice(1)],
    ["a", ["a"]],
    ["a*", ["a", "abc", "abcx", "a.c", "a*c", "ab\nc"]],
    ["*c", ["abc", "xabc", "a.c", "a*c", "ab\nc", "b😀c"]],
    ["a*c", ["abc", "a.c", "a*c", "ab\nc"]],
    ["a?c", ["abc", "a.c", "a*c"]],
    ["a\\*c", ["a*c"]],
    ["*b*", ["abc", "xabc", "abcx", "ab\nc", "b😀c"]],
    ["*ab*bc", []],
    ["[abc]", []],
  ];

  it.each(CASES)("F-11: %j matches the whole string", (pattern, matched) => {
    expect(matches(WORDS, { $pattern: pattern })).toEqual(matched);
  });

  it("F-11: refuses a lone \\ at the end", () => {
    const table = openAllTypes();
    for (const pattern of ["\\", "a\\", "*\\", "\\\\\\"]) {
      for (const operator of ["$pattern", "$iPattern"]) {
        const filter = { string: { [operator]: pattern } };
        expectFilterRefused(table, filter, `invalid_filter F-11 /string/${operator}`);
        const item = { multiple: { $includes: { [operator]: pattern } } };
        const place = `/multiple/$includes/${operator}`;
        expectFilterRefused(table, item, `invalid_filter F-11 ${place}`);
      }
    }
  });

  it("F-11: $iPattern ignores case as $iContains does", () => {
    expect(matches(WORDS, { $iPattern: "A*C" })).toEqual(["abc", "ABC", "a.c", "a*c", "ab\nc"]);
    expect(matches(WORDS, { $iPattern: "?BC" })).toEqual(["abc", "ABC"]);
    expect(matches(WORDS, { $iPattern: "Á" })).toEqual(["á"]);
    expect(matches(["ΑΣ", "ας", "ασ"], { $iPattern: "?Σ" })).toEqual(["ΑΣ", "ασ"]);
    expect(matches(["\u0130", "i"], { $iPattern: "\u0130" })).toEqual(["\u0130"]);
    expect(matches(["\u0130x", "ix"], { $iPattern: "?X" })).toEqual(["\u0130x", "ix"]);
  });

  it("F-11: takes at most pattern × text steps", { tags: "slow" }, () => {
    const long = "a".repeat(100_000);
    const table = openTable({ t: "text" });
    table.insert([
      { id: "as", t: long },
      { id: "asb", t: `${long}b` },
      { id: "bas", t: `b${long}` },
    ]);
    const check = (condition: object, ids: string[]): void =>
      expect(matching(table, { t: condition })).toEqual(ids);
    check({ $pattern: "*a*a*a*a*a*b" }, ["asb"]);
    check({ $iPattern: "*A*A*A*A*A*B" }, ["asb"]);
    check({ $pattern: "*a?a?a?*b?" }, []);
    check({ $pattern: `${"*a".repeat(500)}*c` }, []);
    check({ $pattern: `${"*?".repeat(500)}b` }, ["asb"]);
    check({ $pattern: "*".repeat(100_000) }, ["as", "asb", "bas"]);
    check({ $pattern: `*${"a".repeat(500)}b${"a".repeat(500)}*` }, []);
    check({ $pattern: `*${"?".repeat(500)}b${"?".repeat(500)}*` }, []);
  });
});
