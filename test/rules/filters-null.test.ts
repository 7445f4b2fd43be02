import { describe, expect, it } from "vitest";
import type { ProfileOption } from "../../src/index.js";
import { NULL_MODES, openPeople } from "./filter-table.js";
import { expectMatches, idsOf, type LooseTable, matching } from "./fixture.js";

const POSITIVE: readonly unknown[] = [
  { name: "Ann" },
  { name: { $contains: "n" } },
  { name: { $any: ["Ann", "Bob"] } },
  { name: { $pattern: "*" } },
  { name: ["Ann"] },
  { n: { $gt: 1 } },
  { n: { $gt: -1e9, $lt: 1e9 } },
  { n: { $any: [{ $lt: 2 }, { $gt: 3 }] } },
  { team: "red" },
  { team: { $is: { id: "red" } } },
  { "team.label": "Red" },
  { "team.label": { $startsWith: "" } },
  { "team.owner.name": { $endsWith: "b" } },
  { "team.won": { $le: 3 } },
  { "team.service.version": 0 },
  { "home.city": "X" },
  { "home.geo.lat": { $ge: 0 } },
  { home: { $is: { city: "X" } } },
  { home: { city: "X", geo: { lat: 1 } } },
  { $all: [{ name: "Ann" }, { n: 1 }] },
  { $any: [{ name: "Ann" }, { n: 2 }] },
  { $any: [{ name: "Ann", n: 2 }, { "team.label": "Blue" }] },
];

/** A record that is null in every column a filter asks about. */
function nullIds(people: LooseTable, filter: unknown): string[] {
  const columns = [...JSON.stringify(filter).matchAll(/"(name|n|team[.\w]*|home[.\w]*)":/g)];
  const paths = columns.map(([, path]) => path);
  return idsOf(people.query({ filter: { $notExists: paths } }).records);
}

describe.each([
  ["complement", "documented"],
  ["sql", "xata"],
  ["complement", { base: "xata", nullComparison: "complement" }],
  ["sql", { nullComparison: "sql" }],
] as readonly [string, ProfileOption][])("null as %s has it, profile %j", (mode, profile) => {
  const { people } = openPeople(profile);
  const isSql = mode === "sql";
  const metadata =
    profile === "xata" || (typeof profile === "object" && profile.base) ? "xata" : "service";
  const positive = JSON.parse(
    JSON.stringify(POSITIVE).replaceAll("team.service.", `team.${metadata}.`),
  ) as unknown[];

  it("F-30: null satisfies no positive predicate", () => {
    for (const filter of positive) {
      const ids = matching(people, filter);
      for (const id of nullIds(people, filter))
        expect(ids, JSON.stringify(filter)).not.toContain(id);
    }
  });

  it(`F-30: ${isSql ? "a negated comparison with null does not match" : "a negation matches exactly what the thing negated does not"}`, () => {
    for (const filter of positive) {
      const ids = matching(people, filter);
      for (const negation of [{ $not: filter }, { $none: filter }, { $not: { $all: [filter] } }]) {
        const isNone = "$none" in negation && Object.keys(filter as object).length > 1;
        const negated = matching(people, isNone ? { $none: [filter] } : negation);
        const label = JSON.stringify(negation);
        expect(
          negated.filter((id) => ids.includes(id)),
          label,
        ).toEqual([]);
        if (isSql) {
          for (const id of nullIds(people, filter)) expect(negated, label).not.toContain(id);
        } else expect([...ids, ...negated].sort(), label).toEqual(["a", "b", "c", "d", "e"]);
      }
      // A double negation changes nothing, in either.
      expect(matching(people, { $not: { $not: filter } })).toEqual(ids);
    }
  });

  it("F-30: $exists, $notExists, F-15 and the list operators of F-14 are always true or false", () => {
    const certain: unknown[] = [
      { $exists: "name" },
      { $notExists: "team.label" },
      { $exists: ["name", "home.geo"] },
      { name: null },
      { name: { $isNot: null } },
      { "team.label": { $is: null } },
      { home: { $is: {} } },
      { tags: { $includes: "x" } },
      { tags: { $includesAll: "x" } },
      { tags: { $includesNone: "x" } },
      { tags: "x" },
      { "team.owner.tags": { $includesNone: "x" } },
    ];
    for (const filter of certain) {
      const both = [...matching(people, filter), ...matching(people, { $not: filter })];
      expect(both.sort(), JSON.stringify(filter)).toEqual(["a", "b", "c", "d", "e"]);
    }
  });
});

describe("null under negation", () => {
  it("F-30: each mode is the default of its profile", () => {
    const { people: documented } = openPeople("documented");
    const { people: xata } = openPeople("xata");
    expectMatches(documented, { n: { $isNot: 1 } }, "bcde");
    expectMatches(xata, { n: { $isNot: 1 } }, "bcd");
    expect(NULL_MODES).toHaveLength(2);
  });
});
