import { describe, expect, it } from "vitest";
import { NULL_MODES } from "./filter-table.js";
import { expectFilterRefused, expectMatches, matching, openTable } from "./fixture.js";

const DOCS: readonly (readonly [id: string, doc: unknown])[] = [
  ["a", { n: 1, s: "one", list: [1, "x", null], deep: { k: { v: true } } }],
  ["b", { n: "1", s: 1, list: [], deep: { k: null } }],
  ["c", { n: null, list: "x", deep: [] }],
  ["d", [{ n: 5 }, "x"]],
  ["e", "text"],
  ["f", null],
];

describe.each(NULL_MODES)("paths into json, null comparison %s", (nullComparison) => {
  const table = openTable(
    { doc: "json", o: { doc: "json" }, next: "-> items" },
    { nullComparison },
  );
  table.insert(DOCS.map(([id, doc]) => ({ id, doc, o: { doc }, next: "a" })));
  const check = (path: string, condition: unknown, ids: string): void => {
    const label = `${path} ${JSON.stringify(condition)}`;
    expect(matching(table, { [path]: condition }).join(""), label).toBe(ids);
    expect(matching(table, { [`o.${path}`]: condition }).join(""), label).toBe(ids);
    const hasA = matching(table, { id: "a", [path]: condition }).length > 0;
    expect(matching(table, { [`next.${path}`]: condition }).length, label).toBe(hasA ? 6 : 0);
  };

  it("F-17: array positions are numbers", () => {
    check("doc->list->0", 1, "a");
    check("doc->list->1", "x", "a");
    check("doc->0->n", 5, "d");
    check("doc->0", { n: 5 }, "d");
    check("doc->1", "x", "d");
    for (const position of ["-1", "01", "1.0", "length", " 1", "1e0", "9"]) {
      check(`doc->${position}`, { $isNot: null }, "");
    }
    // Strings have no members.
    check("doc->list->length", { $isNot: null }, "");
  });

  it("F-18: a path has all operators, for lists too", () => {
    check("doc->list", { $includes: 1 }, "a");
    check("doc->list", { $includes: "x" }, "a");
    check("doc->list", { $includes: { $contains: "x" } }, "a");
    check("doc->list", { $includes: { $gt: 0 } }, "a");
    check("doc->list", { $includesAny: [7, "x"] }, "a");
    check("doc->list", { $includesAll: "x" }, "bdef");
    check("doc->list", { $includesNone: "x" }, "bcdef");
    check("doc->deep->k->v", { $is: true, $isNot: false }, "a");
    check("doc->n", { $any: [{ $gt: 0 }, { $contains: "1" }] }, "ab");
  });

  it("F-8: an object under an operator is a value, even if empty", () => {
    const values = openTable({ doc: "json" });
    values.insert([
      { id: "empty", doc: {} },
      { id: "full", doc: { v: 1 } },
    ]);
    for (const operator of ["$any", "$all", "$is"]) {
      expect(matching(values, { doc: { [operator]: {} } })).toEqual(["empty"]);
      expect(matching(values, { doc: { [operator]: { v: 1 } } })).toEqual(["full"]);
    }
    for (const operator of ["$not", "$none", "$isNot"]) {
      expect(matching(values, { doc: { [operator]: {} } })).toEqual(["full"]);
    }
  });
});

describe("paths into json", () => {
  const table = openTable({ doc: "json", n: "int" });

  it("F-17: address any key", () => {
    const keys = ["", " ", "a.b", "$is", "constructor", "toString", "__proto__", "é", "0x", "*"];
    const records = keys.map((key, i) => ({
      id: String(i),
      doc: JSON.parse(`{${JSON.stringify(key)}:7}`) as unknown,
    }));
    const keyed = openTable({ doc: "json" });
    keyed.insert(records);
    keys.forEach((key, i) => {
      expect(matching(keyed, { [`doc->${key}`]: 7 }), key).toEqual([String(i)]);
      expect(matching(keyed, { $exists: `doc->${key}` }), key).toEqual([String(i)]);
    });
  });

  it("F-16: literals are JSON, those of ranges numbers, under xata strings too", () => {
    const refused = (condition: unknown, rule: string, below: string): void =>
      expectFilterRefused(table, { "doc->a": condition }, `invalid_filter ${rule} /doc->a${below}`);
    refused({ $is: 1n }, "F-16", "/$is");
    refused({ $is: Number.NaN }, "F-16", "/$is");
    refused({ $gt: true }, "F-12", "/$gt");
    refused({ $gt: "a" }, "F-12", "/$gt");
    refused({ $gt: Number.POSITIVE_INFINITY }, "F-12", "/$gt");
    refused({ $gt: Number.NaN }, "F-12", "/$gt");
    refused({ $any: [{ $gt: 1, a: 1 }] }, "F-7", "/$any/0");
    refused({ $gt: null }, "F-15", "/$gt");
    refused({ $contains: 1 }, "F-10", "/$contains");
    const xata = openTable({ doc: "json" }, "xata");
    xata.insert({ id: "a", doc: '{"a": "m"}' });
    expectMatches(xata, { "doc->a": { $gt: "l", $lt: "n" } }, "a");
    expectMatches(xata, { "doc->a": "m" }, "a");
    expectFilterRefused(
      xata,
      { "doc->a": { $gt: true } },
      "invalid_filter F-12 /doc->a/$gt",
      /expected a number or a string, found true/,
    );
    xata.insert({ id: "c", doc: '{"a": 7}' });
    expectMatches(xata, { "doc->a": { $gt: "5" } }, "a");
    expectMatches(xata, { "doc->a": { $gt: 5 } }, "c");
    xata.delete("c");
    xata.insert({ id: "b" });
    expectMatches(xata, { doc: { $is: "null" } }, "b");
    expectMatches(xata, { doc: { $isNot: "null" } }, "a");
    expectMatches(xata, { doc: { $is: { a: "m" } } }, "a");
    expectFilterRefused(
      xata,
      { doc: { $is: "{" } },
      "invalid_filter F-16 /doc/$is",
      /expected json \(a JSON value\), found "{"/,
    );
  });

  it("F-17: key paths work in filters of json columns only", () => {
    expectFilterRefused(table, { "n->a": 1 }, "unknown_column P-9 /n->a");
    expectFilterRefused(table, { "doc.a": 1 }, "unknown_column P-9 /doc.a");
    expectFilterRefused(table, { "nope->a": 1 }, "unknown_column P-9 /nope->a");
    expect(() => table.query({ sort: { "doc->a": "asc" } })).toThrow();
    expect(() => table.query({ columns: ["doc->a"] })).toThrow();
  });
});
