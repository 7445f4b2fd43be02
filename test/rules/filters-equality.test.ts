import { describe, it } from "vitest";
import { NULL_MODES, ONE_OF_EACH, openAllTypes, openPeople } from "./filter-table.js";
import { expectFilterRefused, expectMatches } from "./fixture.js";

describe.each(NULL_MODES)("equality, null comparison %s", (nullComparison) => {
  const profile = { nullComparison };
  const isSql = nullComparison === "sql";

  it("F-8: $is and $isNot work on every comparable type", () => {
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

  it("F-8: null equals null", () => {
    const table = openAllTypes(profile);
    for (const column of Object.keys(ONE_OF_EACH)) {
      expectMatches(table, { [column]: null }, "b");
      if (!["vector", "file", "files"].includes(column)) {
        expectMatches(table, { [column]: { $is: null } }, "b");
        expectMatches(table, { [column]: { $any: [null, ONE_OF_EACH[column]] } }, "ab");
        expectMatches(table, { [column]: { $isNot: null } }, "a");
      }
    }
  });
});

describe("equality", () => {
  it("F-30: each profile has its own comparison with null", () => {
    expectMatches(openAllTypes("documented"), { int: { $isNot: 7 } }, "b");
    expectMatches(openAllTypes("xata"), { int: { $isNot: 7 } }, "");
  });

  it("F-8: links are equal by id, given as a string or an object", () => {
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

  it("F-8: strings too long for the column and impossible ids match nothing", () => {
    const table = openAllTypes();
    expectMatches(table, { string: "x".repeat(3000) }, "");
    expectMatches(table, { email: "no address" }, "");
    expectMatches(table, { id: "" }, "");
    expectMatches(table, { id: { $any: ["\n", "x".repeat(300)] } }, "");
  });

  it("F-15: other operators refuse null", () => {
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
