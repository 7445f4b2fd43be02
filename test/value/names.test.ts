import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isColumnName, isName } from "../../src/value/names.js";
import { seed } from "../generated.js";

describe("isName", () => {
  it.each([..."a Z 0 _ - ~ my-db_1~x constructor __proto__".split(" "), "x".repeat(255)])(
    "N-1: accepts %s",
    (name) => {
      expect(isName(name)).toBe(true);
    },
  );

  it.each([
    ..."a.b a:b a/b $a é 😀".split(" "),
    ...["", "a b", "a\n", "\na", "a\u0000", "x".repeat(256)],
    ...[undefined, null, 1, ["a"], { toString: () => "a" }],
  ])("N-1: refuses %j", (name) => {
    expect(isName(name)).toBe(false);
  });

  it("N-1: allows exactly the characters listed", () => {
    for (let code = 0; code <= 0xffff; code++) {
      const char = String.fromCharCode(code);
      if (isName(char) !== /[A-Za-z0-9_\-~]/.test(char)) expect.fail(`U+${code.toString(16)}`);
    }
  });
});

describe("isColumnName", () => {
  it.each([..."name id service 00 01 1a -1 1-0 4294967295 12345678901 constructor".split(" ")])(
    "N-3: accepts the shape of %s",
    (name) => {
      expect(isColumnName(name)).toBe(true);
    },
  );

  it.each([
    ..."$a a.b 0 10 9 4294967294 __proto__".split(" "),
    ...["", "a b", "x".repeat(256), 1, null],
  ])("N-3: refuses %j", (name) => {
    expect(isColumnName(name)).toBe(false);
  });

  it("N-3: a column keeps its position among the keys of an object", () => {
    const name = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_~-]{1,12}$/),
      fc.integer({ min: 0, max: 2 ** 33 }).map(String),
    );
    fc.assert(
      fc.property(name, (column) => {
        const keys = Object.keys(JSON.parse(`{"first":1,"${column}":2}`) as object);
        if (isColumnName(column)) expect(keys.at(-1)).toBe(column);
      }),
      { seed, numRuns: 2000 },
    );
  });
});
