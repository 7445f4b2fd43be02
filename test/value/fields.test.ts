import { describe, expect, it } from "vitest";
import { readFields, readJsonObject, readString, readStrings } from "../../src/value/fields.js";
import { expectRefusal } from "../refusal.js";

const place = { what: "thing", path: "/thing", rule: "X-5" };

describe("readFields", () => {
  it("E-3: an absent object counts as empty", () => {
    expect(readFields(undefined, ["a"], place)).toEqual({});
  });

  it("R-9: an undefined field counts as absent", () => {
    expect(Object.keys(readFields({ a: undefined, b: 1 }, ["a", "b"], place))).toEqual(["b"]);
    expect(readFields({ c: undefined }, ["a"], place)).toEqual({});
  });

  it.each([null, 1, "x", [], true, new Map(), new Date(0)])("E-3: %j is no object", (value) => {
    expectRefusal(() => readFields(value, ["a"], place), {
      code: "invalid_request",
      path: "/thing",
      rule: "X-5",
    });
  });

  it("E-3: an unknown key is named, with the nearest known one", () => {
    expectRefusal(() => readFields({ colour: 1 }, ["color"], place), {
      code: "invalid_request",
      path: "/thing/colour",
      rule: "E-3",
      message: /unknown key "colour"; did you mean color\?/,
    });
  });

  it.each(["__proto__", "constructor", "toString", "a/b~c"])("N-5: %s is unknown", (key) => {
    const value: unknown = JSON.parse(`{${JSON.stringify(key)}: {"a": 1}}`);
    expectRefusal(() => readFields(value, ["a"], place), { code: "invalid_request", rule: "E-3" });
  });

  it("N-5: fields of a prototype do not count", () => {
    expect(readFields(Object.create(null), ["a"], place)).toEqual({});
    expectRefusal(() => readFields(Object.create({ a: 1 }), ["a"], place), {
      code: "invalid_request",
    });
  });
});

describe("readString", () => {
  it("counts characters, not code units", () => {
    expect(readString("🟥".repeat(32), 1, 32, place)).toBe("🟥".repeat(32));
  });

  it.each(["", "\ud800", "🟥".repeat(33), "x".repeat(33), "x".repeat(1000), 3, undefined, null])(
    "refuses %j",
    (value) => {
      expectRefusal(() => readString(value, 1, 32, place), {
        code: "invalid_request",
        path: "/thing",
      });
    },
  );
});

describe("readStrings", () => {
  it("rejects other values than arrays, and points to a member that is not a string", () => {
    expect(readStrings(["a", "b"], place)).toEqual(["a", "b"]);
    expectRefusal(() => readStrings("ab", place), { code: "invalid_request", path: "/thing" });
    expectRefusal(() => readStrings(["a", 1], place), {
      code: "invalid_request",
      path: "/thing/1",
    });
  });
});

describe("readJsonObject", () => {
  it("R-6: copies at every level", () => {
    const given = { a: [{ b: 1 }], c: null, d: undefined };
    const copy = readJsonObject(given, place);
    expect(copy).toEqual({ a: [{ b: 1 }], c: null });
    given.a[0]!.b = 2;
    expect(copy).toEqual({ a: [{ b: 1 }], c: null });
  });

  it.each([
    [{ a: Number.NaN }, "/thing/a"],
    [{ a: [1, () => 1] }, "/thing/a/1"],
    [{ a: { b: 1n } }, "/thing/a/b"],
    [{ a: new Map() }, "/thing/a"],
    [[], "/thing"],
    [null, "/thing"],
  ])("refuses %o", (value, path) => {
    expectRefusal(() => readJsonObject(value, place), { code: "invalid_request", path });
  });

  it("N-5: __proto__ is a key like any other", () => {
    const copy = readJsonObject(JSON.parse('{"__proto__": {"a": 1}}'), place);
    expect(Object.keys(copy)).toEqual(["__proto__"]);
    expect(copy.a).toBeUndefined();
  });

  it("E-5: refuses a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expectRefusal(() => readJsonObject(cycle, place), { code: "invalid_request" });
  });
});
