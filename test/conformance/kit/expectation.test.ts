// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of vectors are written so
import { describe, expect, it } from "vitest";
import type { WireResponse } from "../../../src/conformance/target/connection.js";
import { findMismatch } from "../../../src/conformance/vectors/expectation.js";
import { findDifference } from "../../../src/conformance/vectors/pattern.js";
import { damageText, substitute } from "../../../src/conformance/vectors/variables.js";
import type { Expectation } from "../../../src/conformance/vectors/vector.js";
import { readPointer } from "../../../src/errors.js";
import type { Json } from "../../../src/types.js";

const records = [
  { id: "a", n: 2, s: "x" },
  { id: "b", n: 1, s: "\uff5e" },
  { id: "c", s: "\u{1F600}" },
];
const page: WireResponse = {
  status: 200,
  headers: { allow: "GET, POST" },
  text: "…",
  body: { records, meta: { page: { cursor: "c", more: true, size: 20 } } },
};
const refused: WireResponse = {
  status: 400,
  headers: {},
  text: "…",
  body: { id: "1", code: "invalid_filter", message: "column [n]: no", path: "/filter/n/$gt" },
};

/** The refusal with another body. */
function withBody(body: { readonly [key: string]: Json }): WireResponse {
  return { ...refused, body: { ...(refused.body as object), ...body } };
}

describe("an expectation", () => {
  it.each<[Expectation, WireResponse]>([
    [{ status: 200 }, page],
    [{ status: [200, 201] }, page],
    [{ fails: true }, refused],
    [{ ids: { exact: ["a", "b", "c"] } }, page],
    [{ ids: { unordered: ["c", "a", "b"] } }, page],
    [{ count: 3, page: { more: true, size: 20 } }, page],
    [{ records: { exact: records } }, page],
    [{ at: { "/records/0/n": 2 }, absent: ["/records/2/n"] }, page],
    [{ not: { "/records/0/n": 3 } }, page],
    [{ keys: { "/records/0": ["id", "n", "s"] } }, page],
    [{ headers: { allow: "GET" } }, page],
    [{ contains: { meta: { page: { more: true } } } }, page],
    [{ error: { code: "invalid_filter", message: ["n", "no"], path: "/filter/n" } }, refused],
    [{ error: { rule: "F-12" } }, refused],
    [{ error: { rule: "F-12" } }, withBody({ rule: "F-12" })],
    [{ noBody: true }, { ...page, text: "", body: undefined }],
  ])("%j is met", (expectation, answer) => {
    expect(findMismatch(expectation, answer, true)).toBeUndefined();
  });

  it.each<[Expectation, WireResponse]>([
    [{ status: 201 }, page],
    [{ fails: true }, page],
    [{ fails: true }, { ...page, status: 500 }],
    [{ ids: { exact: ["b", "a", "c"] } }, page],
    [{ ids: { unordered: ["a", "b"] } }, page],
    [{ ids: { unordered: ["a", "a", "b"] } }, page],
    [{ ids: { exact: [] } }, refused],
    [{ count: 2 }, page],
    [{ page: { more: false } }, page],
    [{ page: { size: 3 } }, page],
    [{ records: { exact: records.slice(1) } }, page],
    [{ at: { "/records/0/n": 3 } }, page],
    [{ absent: ["/records/0/n"] }, page],
    [{ not: { "/records/0/n": 2 } }, page],
    [{ keys: { "/records/0": ["n", "id", "s"] } }, page],
    [{ headers: { allow: "PUT" } }, page],
    [{ headers: { location: "." } }, page],
    [{ json: { records } }, page],
    [{ contains: { meta: { page: { more: false } } } }, page],
    [{ error: { code: "invalid_sort" } }, refused],
    [{ error: { message: ["yes"] } }, refused],
    [{ error: { path: "/filter/name" } }, refused],
    [{ error: { path: "/filter/n/$gt/0" } }, refused],
    [{ error: { rule: "F-12" } }, withBody({ rule: "F-11" })],
    [{ status: 400 }, withBody({ rule: "" })],
    [{ status: 400 }, withBody({ rule: "F-99" })],
    [{ status: 400 }, withBody({ code: "" })],
    [{ status: 400 }, withBody({ errors: [{ message: "bad", code: "bad" }] })],
    [{ status: 400 }, withBody({ errors: [], details: [{ message: "bad", rule: "" }] })],
    [{ status: 400 }, withBody({ message: "" })],
    [{ status: 400 }, withBody({ path: "filter" })],
    [{ noBody: true }, page],
  ])("%j is not met", (expectation, answer) => {
    expect(findMismatch(expectation, answer, true)).toBeDefined();
  });

  it("compares errors in tier strict only", () => {
    expect(findMismatch({ error: { code: "invalid_sort" } }, refused, false)).toBeUndefined();
  });
});

describe("a pattern", () => {
  it.each<[Json, unknown]>([
    [{ $match: "^a.c$" }, "abc"],
    [{ $type: "integer" }, 1],
    [{ $type: "datetime" }, "2020-01-01T00:00:00.5Z"],
    [{ $type: "array" }, []],
    [{ $type: "object" }, {}],
    [{ $metadata: true }, { version: 0, createdAt: "2020-01-01T00:00:00Z" }],
    [{ $json: { a: [1] } }, '{ "a": [1] }'],
    [
      { a: { $type: "string" }, b: [1, null] },
      { b: [1, null], a: "" },
    ],
    [
      { $key: 1, $count: 2 },
      { $key: 1, $count: 2 },
    ],
  ])("%j matches %j", (pattern, found) => {
    expect(findDifference(pattern, found)).toBeUndefined();
  });

  it.each<[Json, unknown, string]>([
    [{ $match: "^a$" }, "ab", ""],
    [{ $type: "integer" }, 1.5, ""],
    [{ $type: "datetime" }, "2020-01-01T00:00:00.50Z", ""],
    [{ $type: "datetime" }, "2020-01-01", ""],
    [{ $metadata: true }, { version: -1 }, ""],
    [{ $metadata: true }, { version: 1, updatedAt: "today" }, ""],
    [{ $json: 1 }, 1, ""],
    [{ a: 1 }, { a: 1, b: 2 }, "/b"],
    [{ a: 1, b: 2 }, { a: 1 }, "/b"],
    [[1, 2], [1], ""],
    [[1, { a: 1 }], [1, { a: 2 }], "/1/a"],
    [1, "1", ""],
    [null, undefined, ""],
    [{}, [], ""],
  ])("%j does not match %j", (pattern, found, pointer) => {
    expect(findDifference(pattern, found)).toMatchObject({ pointer });
  });

  it("allows additional keys only as a subset", () => {
    expect(findDifference({ a: { b: 1 } }, { a: { b: 1, c: 2 } }, "subset")).toBeUndefined();
    expect(findDifference({ a: { b: 1 } }, { a: { b: 2, c: 2 } }, "subset")).toBeDefined();
  });
});

describe("a JSON pointer", () => {
  it("follows keys, indexes and escapes, or returns undefined", () => {
    const value = { a: [{ "x/y~z": 1 }] };
    expect(readPointer(value, "/a/0/x~1y~0z")).toBe(1);
    expect(readPointer(value, "")).toBe(value);
    expect(readPointer(value, "/a/1")).toBeUndefined();
    expect(readPointer(value, "/toString")).toBeUndefined();
  });
});

describe("variables", () => {
  const variables = new Map<string, Json>([
    ["a", "x"],
    ["n", 3],
    ["c", "AB"],
  ]);
  it.each<[Json, Json]>([
    ["${a}", "x"],
    ["${n}", 3],
    ["-${n}-${a}-", "-3-x-"],
    [{ "${a}": ["${n}", null, true] }, { x: [3, null, true] }],
    ["${repeat:3:ab}", "ababab"],
    ["${repeat:n:.}", "..."],
    ["${damage:0:c}", "BB"],
    ["${damage:-1:c}", "AA"],
    [{ "${repeat}": [2, { b: "${n}" }] }, [{ b: 3 }, { b: 3 }]],
    [{ "${nest}": [2, "$not", { id: "${a}" }] }, { $not: { $not: { id: "x" } } }],
    ["$a {a} $", "$a {a} $"],
  ])("in %j give %j", (template, value) => {
    expect(substitute(template, variables)).toEqual(value);
  });

  it("N-5: keep __proto__ as a key", () => {
    const given = JSON.parse('{"__proto__":{"a":"${a}"}}') as Json;
    expect(JSON.stringify(substitute(given, variables))).toBe('{"__proto__":{"a":"x"}}');
  });

  it("throw if unknown", () => {
    expect(() => substitute("${nope}", variables)).toThrow("nope");
  });

  it("damage one character; positions wrap around", () => {
    expect(damageText("xyz", 4)).toBe("xAz");
    expect(damageText("xAz", -2)).toBe("xBz");
  });
});
