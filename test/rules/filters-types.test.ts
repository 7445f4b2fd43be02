import { describe, expect, it } from "vitest";
import { ALL_TYPES, ONE_OF_EACH, openAllTypes } from "./filter-table.js";
import {
  expectFilterRefused,
  expectMatches,
  expectRefused,
  matching,
  openTable,
  refusalOf,
} from "./fixture.js";

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

const NOT_COMPARABLE = ["vector", "file", "files"];

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
          expectFilterRefused(table, filter, `invalid_filter ${rule} /${path}/${operator}`);
        }
      }
    }
  });

  it.each(NOT_COMPARABLE)("F-18: %s has only $exists, $notExists and null", (path) => {
    const table = openAllTypes();
    expectMatches(table, { $exists: path }, "a");
    expectMatches(table, { $notExists: path }, "b");
    expectMatches(table, { [path]: null }, "b");
    for (const operator of [...EVERYWHERE, ...TEXTS, ...RANGES, ...LISTS]) {
      for (const operand of [ONE_OF_EACH[path], 1]) {
        const filter = { [path]: { [operator]: operand } };
        expect(refusalOf(() => table.count(filter)).code).toBe("invalid_filter");
      }
    }
    expect(refusalOf(() => table.count({ [path]: ONE_OF_EACH[path] })).code).toBe("invalid_filter");
    expect(refusalOf(() => table.count({ [path]: { $any: [] } })).rule).toBe("F-18");
  });

  it("F-18: an object with a vector refuses a literal for it", () => {
    const sub = { name: "v", type: "vector", vector: { dimension: 2 } };
    const table = openTable([{ name: "o", type: "object", columns: [sub] }]);
    const filter = { o: { $is: { v: [1, 2] } } };
    const message = /^column \[o\.v\]: \$is cannot be used with type vector$/;
    expectFilterRefused(table, filter, "invalid_filter F-18 /o/$is/v", message);
    const contains = { o: { $contains: null } };
    expectFilterRefused(table, contains, "invalid_filter F-18 /o/$contains");
  });

  it("F-18: the refusal does not depend on the data", () => {
    const table = openTable(ALL_TYPES);
    expectFilterRefused(table, { int: { $contains: "a" } }, "invalid_filter F-18 /int/$contains");
    const filter = { $any: [{ int: 1 }, { bool: { $gt: true } }] };
    expectFilterRefused(table, filter, "invalid_filter F-12 /$any/1/bool/$gt");
  });
});

describe("ranges of one column", () => {
  const table = openTable({ n: "int" });
  const values = [null, 1, 2, 3, 4, 5, 6];
  table.insert(values.map((n) => ({ id: `r${n}`, n })));
  const RANGES: readonly (readonly [filter: object, holds: (n: number | null) => boolean])[] = [
    [{ n: { $gt: 1 } }, (n) => n !== null && n > 1],
    [{ n: { $ge: 3 } }, (n) => n !== null && n >= 3],
    [{ n: { $lt: 6 } }, (n) => n !== null && n < 6],
    [{ n: { $le: 4 } }, (n) => n !== null && n <= 4],
    [{ n: { $not: { $gt: 4 } } }, (n) => n === null || n <= 4],
    [{ n: { $not: { $lt: 2 } } }, (n) => n === null || n >= 2],
  ];

  it("F-1, F-12: any three of them intersect", () => {
    for (const a of RANGES) {
      for (const b of RANGES) {
        for (const c of RANGES) {
          const filters = [a, b, c].map(([filter]) => filter);
          const expected = values.filter((n) => [a, b, c].every(([, holds]) => holds(n)));
          const ids = Array.from(table.scan({ filter: { $all: filters } }), ({ id }) => id);
          const wanted = expected.map((n) => `r${n}`).sort();
          expect(ids, JSON.stringify(filters)).toEqual(wanted);
        }
      }
    }
  });
});

describe("literals", () => {
  const WRONG: Readonly<Record<string, readonly unknown[]>> = {
    bool: ["true", 1, 1n],
    int: ["7", true, 1.5, 2 ** 53, Number.NaN, 1n],
    float: ["7", true, Number.POSITIVE_INFINITY],
    string: [1, true, "\ud83d", { x: 1 }, Symbol("s")],
    text: [1, () => "x"],
    email: [1, false],
    datetime: [1, "2022-01-31", "yesterday", true, new Date(Number.NaN)],
    multiple: [1, true, [1], ["a", null], [["a"]], ["\ud83d"]],
    link: [1, true, "", "\n", "\ud83d"],
    object: [1, "x", true],
    id: [1, true, "\ud83d"],
    "service.version": ["0", 1.5],
    "service.createdAt": [0, "now"],
    "link.int": ["7"],
    "object.sub": ["7", 1.5],
  };

  it.each(Object.entries(WRONG))("F-16: %s refuses literals of another type", (path, literals) => {
    for (const table of [openAllTypes(), openTable(ALL_TYPES.map(toNowhere))]) {
      for (const literal of literals) {
        const refused = (condition: unknown, below: string): void => {
          const call = (): unknown => table.count({ [path]: condition });
          const { code, path: place } = refusalOf(call);
          expect({ code, place }).toEqual({ code: "invalid_filter", place: `/${path}${below}` });
        };
        if (path === "link.int" && table.count() === 0) continue;
        if (!Array.isArray(literal)) refused(literal, "");
        refused(
          { $is: literal },
          `/$is${Array.isArray(literal) && path !== "multiple" ? "/0" : ""}`,
        );
        refused({ $isNot: literal }, "/$isNot");
        if (Array.isArray(literal)) continue;
        refused({ $any: [literal] }, "/$any/0");
        refused({ $none: literal }, "/$none");
        refused([literal], path === "multiple" ? "" : "/0");
      }
    }
    function toNowhere(column: object): object {
      return { ...column, link: { table: "items" } };
    }
  });

  it("F-16: only objects, links and json take objects", () => {
    const table = openAllTypes();
    for (const path of [
      ...["bool", "int", "float", "string", "text", "email", "datetime", "multiple"],
    ]) {
      const filter = { [path]: { $is: {} } };
      expectFilterRefused(table, filter, `invalid_filter F-16 /${path}/$is`);
    }
  });

  it("F-16: ranges take literals of the column's type", () => {
    const table = openAllTypes();
    const cases: [string, unknown][] = [
      ["int", "7"],
      ["int", 7.5],
      ["int", [7]],
      ["int", { $is: 7 }],
      ["float", true],
      ["datetime", 0],
      ["datetime", "tomorrow"],
      ["service.version", "1"],
    ];
    for (const [path, operand] of cases) {
      const filter = { [path]: { $gt: operand } };
      expectFilterRefused(table, filter, `invalid_filter F-16 /${path}/$gt`);
    }
  });

  it("F-16: checks literals even if no record is read", () => {
    const empty = openTable({ n: "int" });
    const filters: [unknown, path: string][] = [
      [{ $any: [{ n: 1 }, { n: "x" }] }, "/$any/1/n"],
      [{ $all: [{ $any: [] }, { n: "x" }] }, "/$all/1/n"],
      [{ id: "nobody", n: "x" }, "/n"],
      [{ $not: { n: { $any: [1, "x"] } } }, "/$not/n/$any/1"],
    ];
    for (const [filter, path] of filters) {
      expectRefused(() => empty.count(filter), `invalid_filter F-16 ${path}`);
    }
    expectFilterRefused(empty, { $any: [{ n: 1 }, { m: 1 }] }, "unknown_column P-9 /$any/1/m");
    const unknown = { $exists: ["n", "m"] };
    expectFilterRefused(empty, unknown, "unknown_column P-9 /$exists/1");
    expectFilterRefused(empty, { "n.x": 1 }, "unknown_column P-9 /n.x");
    expectFilterRefused(empty, { "n->x": 1 }, "unknown_column P-9 /n->x");
  });
});
