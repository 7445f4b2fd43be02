import { describe, expect, it } from "vitest";
import {
  compareText,
  equalJson,
  instantOf,
  instantText,
  lowerCase,
  matchesPattern,
} from "../../../src/conformance/oracle/values.js";

describe("the oracle's values", () => {
  it("T-4: text is ordered by code points, not by UTF-16 units", () => {
    const texts = ["\u{1F600}", "～", "ab", "a", "", "b"];
    expect(texts.toSorted(compareText)).toEqual(["", "a", "ab", "b", "～", "\u{1F600}"]);
  });

  it.each([
    ["2022-01-31T10:20:30Z", "2022-01-31T10:20:30Z"],
    ["2022-01-31t10:20:30.500z", "2022-01-31T10:20:30.5Z"],
    ["2022-01-31T10:20:30.1234569Z", "2022-01-31T10:20:30.123456Z"],
    ["2022-01-31T10:20:30.0000009Z", "2022-01-31T10:20:30Z"],
    ["2022-03-01T00:30:00+01:00", "2022-02-28T23:30:00Z"],
    ["2020-02-28T23:30:00-01:30", "2020-02-29T01:00:00Z"],
    ["0001-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.000001Z"],
    ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"],
  ])("T-7: %s is the instant %s", (given, text) => {
    expect(instantText(instantOf(given))).toBe(text);
  });

  it("F-10: lower case is taken point by point, and a longer one is not taken", () => {
    expect(lowerCase("AÉΣİ\u{10400}")).toBe("aéσİ\u{10428}");
  });

  it.each([
    ["*", "", true],
    ["?", "", false],
    ["?", "\u{1F600}", true],
    ["a*b", "ab", true],
    ["a*b", "axxb", true],
    ["a*b", "axxbc", false],
    ["*a*a*", "ba", false],
    ["*a*a*", "bacad", true],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["\\\\?", "\\x", true],
    ["\\a", "a", true],
    ["", "", true],
    ["", "a", false],
  ])("F-11: %j on %j is %s", (pattern, text, result) => {
    expect(matchesPattern(pattern, text)).toBe(result);
  });

  it("F-8: json is equal deeply, whatever the order of keys", () => {
    expect(equalJson({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toBe(true);
    expect(equalJson({ a: 1 }, { a: 1, b: null })).toBe(false);
    expect(equalJson({ a: 1 }, { b: 1 })).toBe(false);
    expect(equalJson([1, 2], [2, 1])).toBe(false);
    expect(equalJson([1], { 0: 1 })).toBe(false);
    expect(equalJson(1, "1")).toBe(false);
    expect(equalJson(null, {})).toBe(false);
  });
});
