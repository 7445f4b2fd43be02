import { describe, expect, it } from "vitest";
import {
  expectFilterRefused,
  matching,
  openBranch,
  openTable,
  refusalOf,
  type UntypedTable,
} from "./fixture.js";

/** One column of every type, named after it. */
const ALL_TYPES: readonly { readonly name: string; readonly type: string }[] = [
  { name: "bool", type: "bool" },
  { name: "int", type: "int" },
  { name: "float", type: "float" },
  { name: "string", type: "string" },
  { name: "text", type: "text" },
  { name: "email", type: "email" },
  { name: "datetime", type: "datetime" },
  { name: "multiple", type: "multiple" },
  { name: "link", type: "link", link: { table: "items" } },
  { name: "object", type: "object", columns: [{ name: "sub", type: "int" }] },
  { name: "json", type: "json" },
  { name: "vector", type: "vector", vector: { dimension: 2 } },
  { name: "file", type: "file" },
  { name: "files", type: "file[]" },
] as never[]; // of several shapes

/** A value of each type. */
const ONE_OF_EACH: Readonly<Record<string, unknown>> = {
  bool: true,
  int: 7,
  float: 1.5,
  string: "Abc",
  text: "a long text",
  email: "ann@example.com",
  datetime: "2022-01-31T10:20:30Z",
  multiple: ["a", "b"],
  link: "a",
  object: { sub: 7 },
  json: { k: "v" },
  vector: [1, 2],
  file: { name: "f" },
  files: [{ name: "f" }],
};

/** A table of all types with the record `a` of {@link ONE_OF_EACH} and the null record `b`. */
function openAllTypes(): UntypedTable {
  const table = openBranch().createTable("items", ALL_TYPES);
  table.insert([{ id: "a", ...ONE_OF_EACH }, { id: "b" }]);
  return table;
}

describe("filters with values that JSON cannot say", () => {
  const table = openTable({ n: "int", s: "string", tags: "multiple", doc: "json" });
  table.insert({ id: "a", n: 1 });

  it("F-1, F-2: Dates and functions are no filters", () => {
    for (const filter of [new Date(0), () => ({})]) {
      expectFilterRefused(table, filter, "F-1");
    }
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      expectFilterRefused(table, { [operator]: new Date(0) }, "F-2", `/${operator}`);
    }
  });

  it("F-2: a key of undefined is absent", () => {
    expect(matching(table, { n: undefined })).toEqual(["a"]);
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      const filter = { [operator]: { n: undefined } };
      expectFilterRefused(table, filter, "F-2", `/${operator}`);
    }
  });

  it("F-2, F-4: refuses holes in arrays, and undefined", () => {
    const holed: unknown[] = [{ n: 1 }];
    holed[2] = { n: 1 };
    for (const operator of ["$all", "$any", "$not", "$none"]) {
      for (const members of [holed, [{ n: 1 }, undefined]]) {
        expectFilterRefused(table, { [operator]: members }, "F-1", `/${operator}/1`);
      }
    }
    const paths = ["n"];
    paths[2] = "s";
    expectFilterRefused(table, { $exists: paths }, "F-4", "/$exists/1");
  });

  it("F-10: a regular expression is no text", () => {
    for (const operator of ["$contains", "$pattern"]) {
      expectFilterRefused(table, { s: { [operator]: /a/ } }, "F-10", `/s/${operator}`);
    }
  });

  it("F-12, F-16: literals of paths into json are JSON", () => {
    for (const [condition, rule, below] of [
      [{ $is: 1n }, "F-16", "/$is"],
      [{ $is: Number.NaN }, "F-16", "/$is"],
      [{ $gt: Number.POSITIVE_INFINITY }, "F-12", "/$gt"],
      [{ $gt: Number.NaN }, "F-12", "/$gt"],
    ] as const) {
      expectFilterRefused(table, { "doc->a": condition }, rule, `/doc->a${below}`);
    }
  });

  it("F-16: columns refuse bigints, symbols, functions, NaN and invalid Dates", () => {
    const all = openAllTypes();
    const literals: Readonly<Record<string, readonly unknown[]>> = {
      bool: [1n],
      int: [Number.NaN, 1n],
      float: [Number.POSITIVE_INFINITY],
      string: [Symbol("s")],
      text: [() => "x"],
      datetime: [new Date(Number.NaN)],
      "object.sub": [1n],
    };
    for (const [path, values] of Object.entries(literals)) {
      for (const literal of values) {
        for (const [condition, below] of [
          [literal, ""],
          [{ $is: literal }, "/$is"],
          [{ $isNot: literal }, "/$isNot"],
          [{ $any: [literal] }, "/$any/0"],
          [[literal], "/0"],
        ] as const) {
          const { code, path: place } = refusalOf(() => all.count({ [path]: condition }));
          expect({ code, place }).toEqual({ code: "invalid_filter", place: `/${path}${below}` });
        }
      }
    }
  });
});

const RANGES = ["$gt", "$ge", "$lt", "$le"];
const TEXTS = ["$contains", "$iContains", "$startsWith", "$endsWith", "$pattern", "$iPattern"];
const LISTS = ["$includes", "$includesAny", "$includesAll", "$includesNone"];
const EVERYWHERE = ["$is", "$isNot", "$any", "$all", "$none", "$not"];
const LISTED = { $any: "$any", $all: "$all", $none: "$none", $not: "$not" };

/** The operator groups of each kind of column, besides those of all columns. */
const GROUPS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  id: [TEXTS],
  string: [TEXTS],
  text: [TEXTS],
  email: [TEXTS],
  int: [RANGES],
  float: [RANGES],
  datetime: [RANGES],
  "service.version": [RANGES],
  "service.createdAt": [RANGES],
  "service.updatedAt": [RANGES],
  multiple: [LISTS],
  bool: [],
  link: [],
  object: [],
  json: [],
};

function literalFor(path: string): unknown {
  if (path === "id") return "a";
  if (path === "service.version") return 0;
  return path.startsWith("service.") ? "2022-01-31T10:20:30Z" : ONE_OF_EACH[path];
}

/** A valid operand of an operator on a column. */
function operandFor(path: string, operator: string): unknown {
  if (TEXTS.includes(operator)) return "a";
  if (LISTS.includes(operator)) return "a";
  return literalFor(path);
}

describe("operators of types", () => {
  it.each(Object.entries(GROUPS))("F-18: %s has exactly its own operators", (path, groups) => {
    const table = openAllTypes();
    for (const operator of EVERYWHERE) {
      const ids = matching(table, { [path]: { [operator]: literalFor(path) } });
      if (["$is", "$any", "$all"].includes(operator)) expect(ids).toContain("a");
      else expect(ids).not.toContain("a");
      if (operator in LISTED) {
        expect(matching(table, { [path]: { [operator]: [{ $is: literalFor(path) }] } })).toEqual(
          ids,
        );
      }
    }
    expect(matching(table, { $exists: path })).toContain("a");
    expect(matching(table, { $notExists: path })).not.toContain("a");
    for (const group of [TEXTS, RANGES, LISTS]) {
      for (const operator of group) {
        const filter = { [path]: { [operator]: operandFor(path, operator) } };
        if (groups.includes(group)) matching(table, filter);
        else {
          const rule = group === RANGES ? "F-12" : "F-18";
          expectFilterRefused(table, filter, rule, `/${path}/${operator}`);
        }
      }
    }
  });
});

describe("patterns", () => {
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
