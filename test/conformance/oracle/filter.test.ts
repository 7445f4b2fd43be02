import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/conformance/oracle/model.js";
import type { Filter } from "../../../src/types.js";
import { database, matching, stored, verdicts, XATA } from "./fixture.js";

type Case = [rule: string, columns: JsonObject, filter: Filter, complement: boolean, sql?: boolean];

const FULL: JsonObject = {
  name: "Ann",
  age: 30,
  rate: 0.5,
  live: true,
  seen: "2022-01-01T00:00:00Z",
  tags: ["a", "b"],
  team: "t",
  home: { zip: 100, city: "Ulm", geo: { lat: 1 } },
  doc: { a: [1, "x", null], b: { c: true } },
  vec: [1, 2],
};

const CASES: Case[] = [
  ["F-1: the keys are AND-ed", FULL, { name: "Ann", age: 30 }, true],
  ["F-1: the keys are AND-ed", FULL, { name: "Ann", age: 31 }, false],
  ["F-1: {} matches everything", {}, {}, true],
  ["F-2: $any over the keys of an object", FULL, { $any: { name: "Bob", age: 30 } }, true],
  ["F-2: $all over the keys of an object", FULL, { $all: { name: "Bob", age: 30 } }, false],
  ["F-2: a member AND-s its keys", FULL, { $any: [{ name: "Ann", age: 1 }, { age: 2 }] }, false],
  ["F-2: $all of nothing", FULL, { $all: [] }, true],
  ["F-2: $all of nothing", FULL, { $all: {} }, true],
  ["F-2: $any of nothing", FULL, { $any: [] }, false],
  ["F-2: $any of nothing", FULL, { $any: {} }, false],
  ["F-2: $any of an empty filter", FULL, { $any: [{}] }, true],
  ["F-3: $not AND-s, then negates", FULL, { $not: { name: "Ann", age: 31 } }, true],
  ["F-3: $not AND-s, then negates", FULL, { $not: [{ name: "Ann" }, { age: 30 }] }, false],
  ["F-3: $not of nothing", FULL, { $not: [] }, false],
  ["F-3: $none is $not around $any", FULL, { $none: { name: "Ann", age: 31 } }, false],
  ["F-3: $none is $not around $any", FULL, { $none: [{ name: "Bob" }, { age: 31 }] }, true],
  ["F-3: $none of nothing", FULL, { $none: [] }, true],
  ["F-4: $exists", FULL, { $exists: "home" }, true],
  ["F-4: $exists", {}, { $exists: "home" }, false],
  ["F-4: an object of nulls is null", { home: { zip: null } }, { $exists: "home" }, false],
  ["F-4: $exists of a dangling link", { team: "gone" }, { $exists: "team" }, true],
  ["F-4: $exists of a vector", FULL, { $exists: "vec" }, true],
  ["F-4: an array AND-s", FULL, { $exists: ["name", "mail"] }, false],
  ["F-4: an array AND-s", {}, { $notExists: ["name", "mail"] }, true],
  ["F-4: an array AND-s", FULL, { $notExists: ["name", "mail"] }, false],
  ["F-5: a plain null", {}, { name: null }, true],
  ["F-5: a plain null", FULL, { name: null }, false],
  ["F-6: dotted", FULL, { "home.geo.lat": 1 }, true],
  ["F-6: nested", FULL, { home: { geo: { lat: 1 }, zip: 100 } }, true],
  ["F-6: mixed", FULL, { "home.geo": { lat: 1 } }, true],
  ["F-6: through a link", FULL, { team: { name: "T" } }, true],
  ["F-6: through a link to itself", FULL, { "team.owner.age": 30 }, true],
  ["F-6: a link's id", FULL, { "team.id": "t" }, true],
  ["F-6: a link's metadata", FULL, { "team.service.version": 0 }, true],
  ["F-7: a predicate", FULL, { team: { $is: "t" } }, true],
  ["F-7: members are relative filters", FULL, { team: { $any: [{ name: "X" }, "t"] } }, true],
  ["F-7: an object alone too", FULL, { home: { $none: { zip: 1, city: "Bonn" } } }, true],
  ["F-7: a plain array too", FULL, { team: [{ name: "X" }, { owner: "u" }] }, true],
  ["F-7: a relative $exists", FULL, { team: { $exists: "name" } }, true],
  ["F-7: a relative $notExists", FULL, { home: { $notExists: ["city"] } }, false],
  ["F-8: numbers by value", { rate: 0 }, { rate: -0 }, true],
  ["F-8: datetimes by instant", FULL, { seen: "2022-01-01T01:00:00.0000004+01:00" }, true],
  ["F-8: strings exactly", FULL, { name: "ann" }, false],
  ["F-8: of a link's object only the id", FULL, { team: { $is: { id: "t", name: "X" } } }, true],
  ["F-8: objects whole", FULL, { home: { $is: { zip: 100, city: "Ulm" } } }, false],
  [
    "F-8: null equal to null",
    { home: { zip: 1 } },
    { home: { $is: { zip: 1, city: null } } },
    true,
  ],
  ["F-8: {} is null", { home: { zip: null } }, { home: { $is: {} } }, true],
  ["F-8: {} is null", FULL, { home: { $isNot: {} } }, true],
  ["F-8: an array means any", FULL, { age: { $is: [1, 30] } }, true],
  ["F-8: and to $isNot none", FULL, { age: { $isNot: [1, 30] } }, false],
  ["F-8: a plain array too", FULL, { age: [1, 2] }, false],
  ["F-8: a list is its whole list", FULL, { tags: ["a", "b"] }, true],
  ["F-8: in order", FULL, { tags: ["b", "a"] }, false],
  ["F-8: a string means $includes", FULL, { tags: "b" }, true],
  ["F-8: $isNot a string, $includesNone", FULL, { tags: { $isNot: "b" } }, false],
  ["F-8: as a member too", FULL, { tags: { $any: ["x", ["a", "b"]] } }, true],
  ["F-8: as a member too", FULL, { tags: { $none: ["b", ["a"]] } }, false],
  ["F-9: any of the values", FULL, { age: { $any: [1, { $gt: 29 }] } }, true],
  ["F-9: any of the values", FULL, { age: { $any: [1, { $gt: 30 }] } }, false],
  ["F-10: $contains is exact", FULL, { name: { $contains: "nn" } }, true],
  ["F-10: $contains is exact", FULL, { name: { $contains: "NN" } }, false],
  ["F-10: $startsWith", FULL, { name: { $startsWith: "An" } }, true],
  ["F-10: $endsWith", FULL, { id: { $endsWith: "u" } }, true],
  ["F-10: $iContains", FULL, { name: { $iContains: "NN" } }, true],
  ["F-11: $pattern", FULL, { name: { $pattern: "A?n" } }, true],
  ["F-11: $pattern is whole", FULL, { name: { $pattern: "A?" } }, false],
  ["F-11: $iPattern", FULL, { name: { $iPattern: "a*N" } }, true],
  ["F-12: several at once", FULL, { age: { $ge: 30, $lt: 31 } }, true],
  ["F-12: $gt", FULL, { age: { $gt: 30 } }, false],
  ["F-12: $le", FULL, { rate: { $le: 0.5 } }, true],
  ["F-12: datetimes", FULL, { seen: { $gt: "2021-12-31T23:59:59.999999Z" } }, true],
  ["F-12: service.*", FULL, { "service.version": { $lt: 1 } }, true],
  ["F-12: service.*", FULL, { "service.createdAt": { $ge: "2024-01-01T01:00:00+01:00" } }, true],
  ["F-13: $includes a predicate", FULL, { tags: { $includes: { $startsWith: "b" } } }, true],
  ["F-13: an array means any", FULL, { tags: { $includesAll: ["a", "b"] } }, true],
  ["F-13: $includesAll", FULL, { tags: { $includesAll: "a" } }, false],
  ["F-13: $includesNone", FULL, { tags: { $includesNone: [{ $not: "a" }] } }, false],
  ["F-14: a null list", {}, { tags: { $includes: "a" } }, false],
  ["F-14: a null list", {}, { tags: { $includesNone: "a" } }, true],
  ["F-14: a null list", {}, { tags: { $includesAll: "a" } }, true],
  ["F-14: an empty list", { tags: [] }, { tags: { $includesAll: "a" } }, true],
  ["F-14: in both modes", {}, { $not: { tags: { $includesAny: "a" } } }, true],
  ["F-15: $is null", {}, { age: { $is: null } }, true],
  ["F-15: $isNot null", {}, { age: { $isNot: null } }, false],
  ["F-15: null as a member", {}, { age: { $is: [1, null] } }, true],
  ["F-15: null as a member", FULL, { age: { $isNot: [1, null] } }, true],
  ["F-15: null as a member", {}, { age: { $none: [1, null] } }, false],
  ["F-17: a path into json", FULL, { "doc->b->c": true }, true],
  ["F-17: an array position", FULL, { "doc->a->1": { $contains: "x" } }, true],
  ["F-17: leads nowhere", FULL, { "doc->b->constructor": null }, true],
  ["F-17: JSON null", FULL, { $exists: "doc->a->2" }, false],
  ["F-17: another type is false", FULL, { "doc->a->1": { $gt: 0 } }, false],
  ["F-17: and its negation true", FULL, { "doc->a->1": { $not: { $gt: 0 } } }, true],
  ["F-17: lists", FULL, { "doc->a": { $includes: [{ $startsWith: "x" }] } }, true],
  ["F-18: the whole json value", FULL, { "doc->b": { c: true } }, true],
  ["F-18: a link's id has text operators", FULL, { "team.id": { $startsWith: "t" } }, true],
  ["F-30: no positive predicate", {}, { age: { $ge: 0 } }, false],
  ["F-30: $isNot", {}, { age: { $isNot: 1 } }, true, false],
  ["F-30: $not", {}, { $not: { age: 1 } }, true, false],
  ["F-30: $none", {}, { $none: [{ age: 1 }, { name: "x" }] }, true, false],
  ["F-30: predicate-level $not", {}, { age: { $not: { $gt: 1 } } }, true, false],
  ["F-30: predicate-level $none", {}, { age: { $none: [1, 2] } }, true, false],
  ["F-30: a double negation", {}, { $not: { $not: { age: 1 } } }, false],
  ["F-30: false AND unknown is false", {}, { $not: { age: 1, id: "x" } }, true],
  ["F-30: true OR unknown is true", {}, { $not: { $any: { age: 1, id: "u" } } }, false],
  ["F-30: through a null link", {}, { team: { $not: { name: "T" } } }, true, false],
  [
    "F-30: through a dangling link",
    { team: "gone" },
    { "team.name": { $isNot: "T" } },
    true,
    false,
  ],
  ["T-9: a dangling link's id", { team: "gone" }, { "team.id": "gone" }, true],
  ["T-9: its metadata is null", { team: "gone" }, { "team.service.version": null }, true],
];

describe("the oracle's filter", () => {
  it.each(CASES)("%s: %j under %j", (_, columns, filter, complement, sql = complement) => {
    expect(verdicts(columns, filter)).toEqual([complement, sql]);
  });

  it("F-12: the xata profile orders strings and ids too", () => {
    const db = database([stored("a", { name: "～" }), stored("b", { name: "😀" })], [], XATA);
    expect(matching(db, { name: { $gt: "～" } })).toBe("b");
    expect(matching(db, { id: { $le: "a" } })).toBe("a");
  });

  it("T-11: the xata profile reads a string for a whole json column as JSON", () => {
    const users = [stored("a", { doc: "1" }), stored("b", { doc: 1 }), stored("c", { doc: [1] })];
    expect(matching(database(users, [], XATA), { doc: "1" })).toBe("b");
    expect(matching(database(users, [], XATA), { doc: { $any: ["[1]", '"1"'] } })).toBe("a c");
    expect(matching(database(users), { doc: "1" })).toBe("a");
    expect(
      matching(database([stored("a", { doc: { k: "1" } })], [], XATA), { "doc->k": "1" }),
    ).toBe("a");
  });
});
