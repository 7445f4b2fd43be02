import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceOf as distanceByTable, wordsOf } from "../../src/conformance/oracle/search.js";
import { Lexicon } from "../../src/search/words/lexicon.js";
import { codePointsOf } from "../../src/search/words/matching-words.js";
import { wordsIn } from "../../src/search/words/words.js";
import { editDistance } from "../../src/value/nearest.js";
import { runs, seed } from "../generated.js";

describe("Q-2: words of a text", () => {
  it.each([
    ["don't", ["DON", "T"]],
    ["a_b@x.io", ["A", "B", "X", "IO"]],
    ["", []],
    [" -- !? ", []],
    ["Straße", ["STRASSE"]],
    ["ISTANBUL İstanbul ıstanbul", ["ISTANBUL", "ISTANBUL", "ISTANBUL"]],
    ["ΟΔΟΣ οδός", ["ΟΔΟΣ", "ΟΔΟΣ"]],
    ["café cafe\u0301 CAFÉ", ["CAFE", "CAFE", "CAFE"]],
    ["東京とtokyo", ["東", "京", "と", "TOKYO"]],
    ["カタカナ 한국어", ["カタカナ", "한국어"]],
    ["日本語。中文", ["日", "本", "語", "中", "文"]],
    ["x\u{20000}y", ["X", "\u{20000}", "Y"]],
    ["\u{1d400}\u{1d401}", ["AB"]],
    ["1½ ٣", ["11⁄2", "٣"]],
    ["ﬁn", ["FIN"]],
    ["\u0301", []],
    ["a\u0301\u0302 b", ["A", "B"]],
    ["x😀y", ["X", "Y"]],
    ["\ud800a\udc00b", ["A", "B"]],
    ["हिन्दी", ["हिन्दी"]],
  ])("of %j are %j", (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it("equal those of the oracle, for any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom(..."aÉßİςσ\u0301 .-日あア\u{20000}\u{1f600}ﬁ９") }),
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(wordsIn(given)).toEqual(wordsOf(given));
      }),
      { seed, numRuns: Math.ceil(500 * runs) },
    );
  });
});

describe("Q-3: distance of words", () => {
  it.each([
    ["abc", "abc", 0],
    ["abc", "acb", 1],
    ["abc", "ab", 1],
    ["abc", "abcd", 1],
    ["abc", "axc", 1],
    // Optimal string alignment: no code point changes twice.
    ["ca", "abc", 3],
    ["abcd", "badc", 2],
    ["a\u{10400}b", "ab", 1],
  ])("of %s and %s is %i", (one, other, distance) => {
    expect(distanceByTable(one, other)).toBe(distance);
    const points = [one, other].map(codePointsOf) as [number[], number[]];
    expect(editDistance(...points, 3)).toBe(distance);
    expect(Math.min(2, editDistance(...points, 1))).toBe(Math.min(2, distance));
  });
});

describe("Q-3, Q-4: words of a lexicon", () => {
  it("have stable ids when forms exceed the cache, and for long forms", () => {
    const lexicon = new Lexicon();
    const long = "x".repeat(70);
    const text = `${long} ${long}y ${long.toUpperCase()}`;
    const readLong = (): number[] => [
      lexicon.intern(text, 0, 70),
      lexicon.intern(text, 71, 142),
      lexicon.intern(text, 143, 213),
    ];
    expect(readLong()).toEqual([0, 1, 0]);
    const count = 270_000;
    for (let i = 0; i < count; i++) lexicon.intern(`w${i}`);
    for (let i = 0; i < count; i += 1009)
      expect(lexicon.intern(`.w${i}.`, 1, -1 + `.w${i}.`.length)).toBe(i + 2);
    expect(readLong()).toEqual([0, 1, 0]);
    expect(lexicon.words.length).toBe(count + 2);
  });
});
