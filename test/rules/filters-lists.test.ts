import { describe, expect, it } from "vitest";
import { NULL_MODES } from "./filter-table.js";
import {
  expectFilterRefused,
  expectMatches,
  matching,
  openTable,
  type UntypedTable,
} from "./fixture.js";

/** Lists a to f: two items, one item, a repeated item, empty, null, other items. */
function openLists(nullComparison: "complement" | "sql" = "complement"): UntypedTable {
  const table = openTable({ tags: "multiple", next: "-> items" }, { nullComparison });
  table.insert([
    { id: "a", tags: ["red", "blue"], next: "b" },
    { id: "b", tags: ["red"], next: "d" },
    { id: "c", tags: ["blue", "blue"], next: "e" },
    { id: "d", tags: [] },
    { id: "e", next: "lost" },
    { id: "f", tags: ["dark red", "Red"], next: "a" },
  ]);
  return table;
}

describe.each(NULL_MODES)("lists, null comparison %s", (nullComparison) => {
  const table = openLists(nullComparison);
  const check = (condition: unknown, ids: string): void =>
    expectMatches(table, { tags: condition }, ids);

  it("F-13: operands are predicates without a column", () => {
    check({ $includes: { $startsWith: "r", $endsWith: "d" } }, "ab");
    check({ $includes: { $pattern: "?ed" } }, "abf");
    check({ $includes: { $iPattern: "RE?" } }, "abf");
    check({ $includes: { $isNot: "red" } }, "acf");
    check({ $includes: { $not: { $contains: "e" } } }, "");
    check({ $includes: { $not: { $contains: "r" } } }, "acf");
    check({ $includes: { $none: ["red", "Red"] } }, "acf");
    check({ $includes: { $any: ["Red", { $startsWith: "bl" }] } }, "acf");
    check({ $includes: { $all: [{ $contains: "r" }, { $contains: "k" }] } }, "f");
    check({ $includesAll: { $not: { $any: ["red", "blue"] } } }, "def");
    check({ $includesNone: { $all: [{ $contains: "e" }, { $not: "blue" }] } }, "cde");
    check({ $includes: { $all: [] } }, "abcf");
    check({ $includesNone: { $not: { $any: [] } } }, "de");
  });

  it("F-14: a list behind a null or dangling link has no items", () => {
    const behind = (condition: unknown): string =>
      matching(table, { "next.tags": condition }).join("");
    expect(behind({ $includes: "red" })).toBe("af");
    expect(behind({ $includesNone: "red" })).toBe("bcde");
    expect(behind({ $includesAll: "red" })).toBe("abcde");
    expect(behind({ $not: { $includes: "red" } })).toBe("bcde");
    expect(behind({ $not: { $includesAll: "red" } })).toBe("f");
  });
});

describe("operands of list operators", () => {
  const table = openLists();
  const OPERATORS = ["$includes", "$includesAny", "$includesAll", "$includesNone"];

  it.each(OPERATORS)("F-13, F-16: %s accepts strings and string predicates", (operator) => {
    const refused = (operand: unknown, rule: string, below: string): void =>
      expectFilterRefused(
        table,
        { tags: { [operator]: operand } },
        `invalid_filter ${rule} /tags/${operator}${below}`,
      );
    for (const operand of [1, true, "\ud83d", { x: 1 }]) {
      refused(operand, "F-16", "");
      refused(["red", operand], "F-16", "/1");
    }
    refused(null, "F-15", "");
    refused({ $gt: 1 }, "F-12", "/$gt");
    refused({ $includes: "x" }, "F-18", "/$includes");
    refused({ $exists: "tags" }, "F-1", "/$exists");
    refused({ $foo: 1 }, "F-1", "/$foo");
    refused({ $contains: 1 }, "F-10", "/$contains");
    refused([{ $not: { $is: 1 } }], "F-16", "/0/$not/$is");
    refused([{ $pattern: "\\" }], "F-11", "/0/$pattern");
  });

  it("F-13: under xata items have ranges", () => {
    const ordered = openTable({ tags: "multiple" }, "xata");
    ordered.insert([
      { id: "a", tags: ["a", "z"] },
      { id: "b", tags: ["b"] },
    ]);
    expectMatches(ordered, { tags: { $includes: { $gt: "b" } } }, "a");
    expectMatches(ordered, { tags: { $includesAll: { $ge: "b" } } }, "b");
  });
});
