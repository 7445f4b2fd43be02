import { describe, expect, it } from "vitest";
import { NULL_MODES, ONE_OF_EACH, openAllTypes, openPeople } from "./filter-table.js";
import { expectFilterRefused, expectMatches, matching, openTable } from "./fixture.js";

describe.each(NULL_MODES)("equality, null as %s has it", (nullComparison) => {
  const profile = { nullComparison };
  const isSql = nullComparison === "sql";

  it("F-8: $is and $isNot on every comparable type", () => {
    const table = openAllTypes(profile);
    const others: Record<string, unknown> = {
      bool: false,
      int: 8,
      float: 1.25,
      string: "abc",
      text: "a long text ",
      email: "Ann@example.com",
      datetime: "2022-01-31T10:20:30.000001Z",
      multiple: ["b", "a"],
      link: "b",
      object: { sub: 8 },
      json: { k: "w" },
    };
    for (const [column, other] of Object.entries(others)) {
      const value = ONE_OF_EACH[column];
      expectMatches(table, { [column]: { $is: value } }, "a");
      expectMatches(table, { [column]: { $is: other } }, "");
      expectMatches(table, { [column]: { $isNot: value } }, isSql ? "" : "b");
      expectMatches(table, { [column]: { $isNot: other } }, isSql ? "a" : "ab");
    }
    expectMatches(table, { id: "a" }, "a");
    expectMatches(table, { id: { $isNot: "a" } }, "b");
    expectMatches(table, { "service.version": { $isNot: 1 } }, "ab");
  });

  it("F-8: null is equal to null, a missing key is null", () => {
    const table = openAllTypes(profile);
    for (const column of Object.keys(ONE_OF_EACH)) {
      expectMatches(table, { [column]: null }, "b");
      if (!["vector", "file", "files"].includes(column)) {
        expectMatches(table, { [column]: { $is: null } }, "b");
        expectMatches(table, { [column]: { $isNot: null } }, "a");
      }
    }
  });

  it("F-8: objects are compared by all of their sub-columns", () => {
    const { people } = openPeople(profile);
    expectMatches(people, { home: { $is: { city: "X", geo: { lat: 1 } } } }, "a");
    expectMatches(people, { home: { $is: { geo: { lat: 1 }, city: "X" } } }, "a");
    expectMatches(people, { home: { $is: { city: "X" } } }, "b");
    expectMatches(people, { home: { $is: { city: "X", geo: null } } }, "b");
    expectMatches(people, { home: { $is: { city: "X", geo: { lat: null } } } }, "b");
    expectMatches(people, { home: { $is: { geo: { lat: 1 } } } }, "d");
    expectMatches(people, { "home.geo": { $is: { lat: 1 } } }, "ad");
    expectMatches(people, { home: { $isNot: { city: "X" } } }, isSql ? "acd" : "acde");
    expectMatches(people, { home: { $is: { city: "X", nope: undefined } } }, "b");
    expectMatches(people, { home: { $is: [{ city: "X" }, { geo: { lat: 1 } }] } }, "bd");
    expectMatches(people, { home: { $any: [{ $is: { city: "X" } }, null] } }, "be");
  });

  it("F-8: on multiple a string means $includes, an array the whole list", () => {
    const { people } = openPeople(profile);
    expectMatches(people, { tags: "x" }, "ab");
    expectMatches(people, { tags: { $is: "x" } }, "ab");
    expectMatches(people, { tags: { $any: ["x", "y"] } }, "abe");
    expectMatches(people, { tags: { $all: ["x", "y"] } }, "a");
    expectMatches(people, { tags: { $isNot: "x" } }, "cde");
    expectMatches(people, { tags: { $none: ["x"] } }, "cde");
    expectMatches(people, { tags: { $not: "x" } }, "cde");
    expectMatches(people, { tags: ["x", "y"] }, "a");
    expectMatches(people, { tags: ["y", "x"] }, "");
    expectMatches(people, { tags: { $is: ["x"] } }, "b");
    expectMatches(people, { tags: [] }, "c");
    expectMatches(people, { tags: { $any: [["x"], "y"] } }, "abe");
    expectMatches(people, { tags: { $any: [["x"], []] } }, "bc");
    expectMatches(people, { tags: { $isNot: ["x"] } }, isSql ? "ace" : "acde");
    expectMatches(people, { tags: { $none: [["x"], "y"] } }, isSql ? "c" : "cd");
  });

  it("F-9: predicates under a column: AND-ed, and under $all, $any, $not, $none", () => {
    const { people } = openPeople(profile);
    const e = isSql ? "" : "e";
    expectMatches(people, { n: { $ge: 2, $le: 3 } }, "bc");
    expectMatches(people, { n: { $all: [{ $ge: 2 }, { $le: 3 }] } }, "bc");
    expectMatches(people, { n: { $all: { $ge: 2, $le: 3 } } }, "bc");
    expectMatches(people, { n: { $all: [1, 2] } }, "");
    expectMatches(people, { n: { $all: 1 } }, "a");
    expectMatches(people, { n: { $all: [] } }, "abcde");
    expectMatches(people, { n: { $not: 1 } }, `bcd${e}`);
    expectMatches(people, { n: { $not: { $ge: 2, $le: 3 } } }, `ad${e}`);
    expectMatches(people, { n: { $not: [{ $ge: 2 }, { $le: 3 }] } }, `ad${e}`);
    expectMatches(people, { n: { $none: [1, { $gt: 3 }] } }, `bc${e}`);
    expectMatches(people, { n: { $none: { $lt: 2, $gt: 3 } } }, `bc${e}`);
    expectMatches(people, { n: { $none: 1 } }, `bcd${e}`);
    expectMatches(people, { n: { $none: [] } }, "abcde");
    expectMatches(people, { n: { $not: { $not: 1 } } }, "a");
    expectMatches(people, { n: { $any: [{ $all: [{ $gt: 1 }, { $not: 3 }] }, 1] } }, "abd");
    expectMatches(people, { name: { $not: { $any: [{ $contains: "n" }, "Bob"] } } }, `c${e}`);
  });
});

describe("equality", () => {
  it("F-8: links by id: a string, or an object of which only the id is read", () => {
    const { people } = openPeople();
    expectMatches(people, { team: { $is: "red" } }, "ad");
    expectMatches(people, { team: { $is: { id: "red" } } }, "ad");
    expectMatches(people, { team: { $is: { id: "red", label: "nope", x: [] } } }, "ad");
    expectMatches(people, { team: { $isNot: { id: "red" } } }, "bce");
    expectMatches(people, { "team.owner": "b" }, "ad");
    expectMatches(people, { team: "lost" }, "c");
    expectMatches(people, { team: "nobody" }, "");
    expectFilterRefused(
      people,
      { team: { $is: { label: "Red" } } },
      "invalid_filter F-16 /team/$is",
    );
    expectFilterRefused(
      people,
      { team: { $is: [[{ label: "Red" }]] } },
      "invalid_filter F-16 /team/$is/0/0",
    );
  });

  it("F-8: json by deep equality, whatever the type of the value", () => {
    const table = openTable({ doc: "json" });
    const values = [1, "1", true, [1, "x"], { a: [1], b: null }, [], {}, [[]]];
    values.forEach((doc, i) => {
      table.insert({ id: String(i), doc });
    });
    table.insert({ id: "null" });
    values.forEach((doc, i) => {
      expectMatches(table, { doc: { $is: doc } }, String(i));
      expectMatches(table, { doc: { $any: [doc, { never: 1 }] } }, String(i));
      expect(matching(table, { doc: { $isNot: doc } })).toHaveLength(values.length);
    });
    expectMatches(table, { doc: { b: null, a: [1] } }, "4");
    expectMatches(table, { doc: { a: [1] } }, "");
    expectMatches(table, { doc: [1, "x"] }, "3");
    expectMatches(table, { doc: {} }, "6");
    expectMatches(table, { doc: ["x", 1] }, "");
  });

  it("F-8: strings longer than a column takes, and ids no record has, match nothing", () => {
    const table = openAllTypes();
    expectMatches(table, { string: "x".repeat(3000) }, "");
    expectMatches(table, { email: "no address" }, "");
    expectMatches(table, { id: "" }, "");
    expectMatches(table, { id: { $any: ["\n", "x".repeat(300)] } }, "");
  });

  it("F-15: null under any other operator is refused", () => {
    const table = openAllTypes();
    const refused = (filter: object, path: string): void =>
      expectFilterRefused(table, filter, `invalid_filter F-15 ${path}`);
    for (const operator of ["$gt", "$ge", "$lt", "$le", "$not", "$all"]) {
      refused({ int: { [operator]: null } }, `/int/${operator}`);
    }
    for (const operator of ["$contains", "$startsWith", "$endsWith", "$pattern", "$iPattern"]) {
      refused({ string: { [operator]: null } }, `/string/${operator}`);
    }
    for (const operator of ["$includes", "$includesAny", "$includesAll", "$includesNone"]) {
      refused({ multiple: { [operator]: null } }, `/multiple/${operator}`);
    }
    refused({ int: { $all: [1, null] } }, "/int/$all/1");
    refused({ int: { $not: [null] } }, "/int/$not/0");
  });
});
