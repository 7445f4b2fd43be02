import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNearest } from "../../src/value/nearest.js";
import { seed } from "../generated.js";

const COLUMNS = ["id", "name", "full_name", "email", "zipcode", "rating", "created"];

describe("findNearest", () => {
  it.each([
    ["nam", "name"],
    ["nmae", "name"],
    ["Name", "name"],
    ["namee", "name"],
    ["nane", "name"],
    ["fullName", "full_name"],
    ["fulname", "full_name"],
    ["zip_code", "zipcode"],
    ["zpicdoe", "zipcode"],
    ["ratings", "rating"],
    ["ID", "id"],
    ["name", "name"],
  ])("P-9: %s suggests %s", (word, nearest) => {
    expect(findNearest(word, COLUMNS)).toBe(nearest);
  });

  it.each([
    "x",
    "",
    "foo",
    "zip",
    "names_of",
    "address",
    "e",
    "x".repeat(65),
    "name".repeat(250_000),
  ])("P-9: suggests nothing, case %#", (word) => {
    expect(findNearest(word, COLUMNS)).toBeUndefined();
  });

  it.each([
    ["$gte", "$ge"],
    ["$startWith", "$startsWith"],
    ["$IncludesAny", "$includesAny"],
    ["$nto", "$not"],
  ])("F-1: %s suggests %s", (word, operator) => {
    const operators = [
      "$is",
      "$isNot",
      "$not",
      "$ge",
      "$gt",
      "$startsWith",
      "$includes",
      "$includesAny",
    ];
    expect(findNearest(word, operators)).toBe(operator);
  });

  it("P-9: returns the nearest name, the first of ties", () => {
    expect(findNearest("abcdef", ["abcdxx", "abcdex", "abcdez"])).toBe("abcdex");
    expect(findNearest("abcdef", new Set(["abcdxx", "abcxef", "abcdeg"]))).toBe("abcxef");
    expect(findNearest("abc", [])).toBeUndefined();
  });

  it("P-9: searches words of up to 64 characters", () => {
    const name = "n".repeat(64);
    expect(findNearest(name, [name])).toBe(name);
    expect(findNearest(`${name}n`, [name])).toBeUndefined();
  });

  it("E-5: examines a thousand names, but not all of an endless list", () => {
    const names = Array.from({ length: 1000 }, (_, i) => `column_${i}`);
    expect(findNearest("colunm_999", names)).toBe("column_999");
    let looked = 0;
    function* endless(): Generator<string> {
      for (;;) yield `column_${looked++}`;
    }
    expect(findNearest("colunm_x", endless())).toBe("column_0");
    expect(looked).toBeLessThan(100_000);
  });

  it("P-9: finds a name with one typo", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 6, maxLength: 64 });
    fc.assert(
      fc.property(word, fc.nat(), fc.nat(), (meant, at, other) => {
        const i = at % meant.length;
        const typo = `${meant.slice(0, i)}x${meant.slice(i + (other % 2))}`;
        const found = findNearest(typo, [meant]);
        expect(found).toBe(typo.length > 64 ? undefined : meant);
      }),
      { seed },
    );
  });

  it("P-9: equals a search by plain edit distance", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const limit = a.length < 2 ? 0 : Math.max(1, Math.floor(a.length / 3));
        expect(findNearest(a, [b])).toBe(distance(a, b) <= limit ? b : undefined);
      }),
      { seed, numRuns: 3000 },
    );
  });
});

/** Optimal string alignment distance, by its recursive definition. */
function distance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const known = new Map<number, number>();
  const at = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = i * 100 + j;
    const found = known.get(key);
    if (found !== undefined) return found;
    const options = [
      at(i - 1, j) + 1,
      at(i, j - 1) + 1,
      at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    ];
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
      options.push(at(i - 2, j - 2) + 1);
    }
    const best = Math.min(...options);
    known.set(key, best);
    return best;
  };
  return at(a.length, b.length);
}
