import { isDeepStrictEqual } from "node:util";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/types.js";
import { canonicalJson, cloneJson, copyJson, equalJson } from "../../src/value/json.js";
import { seed } from "../generated.js";
import { anyCharacter } from "./any-character.js";

/** JSON values over few scalars and keys, so that equal ones are common. */
const smallJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, "", "1", "a", "null"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "1", "__proto__"), tie("value"), { maxKeys: 2 }),
  ),
})).value;

const proto = (): Json => JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":null}}') as Json;

function nest(levels: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** The same value with the keys of every object reversed. */
function reverseKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reverseKeys(member)] as const);
  return Object.fromEntries(entries.reverse()) as Json;
}

function copied(value: unknown): Json {
  const copy = copyJson(value);
  if ("fault" in copy) throw new Error(`${copy.fault} at ${copy.at}`);
  return copy.value;
}

describe("copyJson", () => {
  it("T-11: copies any JSON value deeply", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue({ stringUnit: anyCharacter }) as fc.Arbitrary<Json>, smallJson),
        (value) => {
          const text = JSON.stringify(value);
          const copy = copied(value);
          expect(isDeepStrictEqual(copy, JSON.parse(text))).toBe(true);
          scribble(copy);
          expect(JSON.stringify(value)).toBe(text);
        },
      ),
      { seed },
    );
  });

  it("T-11: accepts objects without a prototype and of another realm", () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    expect(copied(bare)).toStrictEqual({ a: 1 });
    expect(copied(runInNewContext("({ a: [{ b: 1 }] })"))).toStrictEqual({ a: [{ b: 1 }] });
  });

  it("N-5: keeps __proto__ as an ordinary key and touches no prototype", () => {
    const copy = copied(proto());
    expect(Object.keys(copy as object)).toStrictEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect((copy as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(copy)).toBe(JSON.stringify(proto()));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("E-5: allows 500 levels", () => {
    expect(equalJson(copied(nest(500)), nest(500) as Json)).toBe(true);
    expect(copyJson(nest(501))).toMatchObject({ fault: "more than 500 levels" });
    expect(copyJson(nest(100_000))).toMatchObject({ fault: "more than 500 levels" });
  });

  const cycle: { self?: unknown } = {};
  cycle.self = [cycle];
  class Point {
    readonly x: number = 1;
  }
  it.each([
    ["undefined", undefined, "undefined", ""],
    ["undefined in an array", [1, undefined], "undefined", "/1"],
    ["a hole", new Array(1), "undefined", "/0"],
    ["NaN", { a: Number.NaN }, "NaN", "/a"],
    ["Infinity", [[Number.POSITIVE_INFINITY]], "Infinity", "/0/0"],
    ["-Infinity", Number.NEGATIVE_INFINITY, "-Infinity", ""],
    ["a bigint", { a: [1n] }, "a bigint", "/a/0"],
    ["a symbol", { a: Symbol("s") }, "a symbol", "/a"],
    ["a function", { a: () => 1 }, "a function", "/a"],
    ["a class instance", { a: new Point() }, "an instance of a class", "/a"],
    ["a Map", [new Map()], "an instance of a class", "/0"],
    ["a boxed string", Object("x"), "an instance of a class", ""],
    ["bytes", new Uint8Array(2), "an instance of a class", ""],
    ["an object with another prototype", Object.create({ a: 1 }), "an instance of a class", ""],
    ["an invalid Date", [new Date(Number.NaN)], "a Date without RFC 3339 form", "/0"],
    ["a Date in the year 10000", new Date(253_402_300_800_000), "a Date without RFC 3339 form", ""],
    ["a cycle", { a: cycle }, "a cycle", "/a/self/0"],
    ["a lone surrogate", { "a/b": { "~": "\ud800" } }, "a lone surrogate", "/a~1b/~0"],
    ["a lone surrogate in a key", [{ "\udc00": 1 }], "a lone surrogate in a key", "/0/\udc00"],
  ])("T-11: refuses %s", (_name, value, fault, at) => {
    expect(copyJson(value)).toStrictEqual({ fault, at });
  });
});

/** Changes every array and object of a value. */
function scribble(value: Json): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) scribble(member as Json);
  if (Array.isArray(value)) value.push("scribble");
  else Object.assign(value, { scribble: true });
}

describe("cloneJson", () => {
  it("R-6: returns an equal, independent value", () => {
    fc.assert(
      fc.property(smallJson, (value) => {
        const text = JSON.stringify(value);
        const clone = cloneJson(value);
        expect(isDeepStrictEqual(clone, copied(value))).toBe(true);
        expect(JSON.stringify(clone)).toBe(text);
        scribble(clone);
        expect(JSON.stringify(value)).toBe(text);
      }),
      { seed },
    );
  });

  it("N-5: keeps __proto__ as an ordinary key", () => {
    const clone = cloneJson(proto());
    expect(Object.getPrototypeOf(clone)).toBe(Object.prototype);
    expect(JSON.stringify(clone)).toBe(JSON.stringify(proto()));
    // writable, as any other property.
    expect(Object.getOwnPropertyDescriptors(clone)).toStrictEqual(
      Object.getOwnPropertyDescriptors(proto()),
    );
  });
});

describe("equalJson", () => {
  it.each<[Json, Json]>([
    [[], { length: 0 }],
    [{}, 1],
    [{ toString: 1 }, { b: 1 }],
    [JSON.parse('{"__proto__":1}') as Json, { a: 1 }],
    [JSON.parse('{"__proto__":{}}') as Json, { a: {} }],
    ["a", "A"],
  ])("T-11: %j differs from %j", (a, b) => {
    expect(equalJson(a, b)).toBe(false);
    expect(equalJson(b, a)).toBe(false);
    expect(canonicalJson(a)).not.toBe(canonicalJson(b));
  });

  it("T-11: is deep equality, as in canonicalJson", () => {
    fc.assert(
      fc.property(smallJson, smallJson, (a, b) => {
        const equal = isDeepStrictEqual(a, b) || isDeepStrictEqual(copied(a), copied(b));
        expect(equalJson(a, b)).toBe(equal);
        expect(canonicalJson(a) === canonicalJson(b)).toBe(equal);
        expect(equalJson(a, reverseKeys(a))).toBe(true);
        expect(canonicalJson(reverseKeys(a))).toBe(canonicalJson(a));
      }),
      { seed, numRuns: 5000 },
    );
  });
});

describe("canonicalJson", () => {
  it("T-11: is the JSON text with sorted keys", () => {
    const value = { b: [1, -0, 'x"y'], a: { d: null, c: true } };
    expect(canonicalJson(value)).toBe('{"a":{"c":true,"d":null},"b":[1,0,"x\\"y"]}');
  });
});
