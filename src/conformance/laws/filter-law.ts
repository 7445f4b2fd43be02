import fc from "fast-check";
import type { ColumnDefinition, Json } from "../../types.js";
import { fixtureArbitrary, type LawCase, oneOf } from "../arbitraries/people.js";
import { evaluateQuery, type OracleRequest } from "../oracle/evaluate.js";
import type { RuleId, Tier } from "../rules.js";
import { databaseOf } from "./compare.js";
import { defineLaw, type Law } from "./law.js";

interface FilterCase extends LawCase {
  readonly filters: readonly Json[];
}

/** A law as a row: id, title, rules, tier, cases. */
type FilterRow = readonly [
  id: string,
  title: string,
  rules: readonly RuleId[],
  tier: Tier,
  cases: fc.Arbitrary<FilterCase>,
];

/** A law whose filters match the same records as the oracle. */
export function filterLaw([id, title, rules, tier, cases]: FilterRow): Law {
  return defineLaw({
    ...{ id, title, rules, tier },
    cases: () => cases,
    async check(scene, { fixture, filters }) {
      const db = databaseOf(scene.traits, fixture);
      for (const filter of filters) {
        const request = { filter, page: { size: 200 } } as OracleRequest; // rows create valid requests
        const ids = evaluateQuery(db, "people", request).records.map((record) => record.id);
        await scene.query("people", { filter, page: { size: 50 } });
        scene.expect({ status: 200, ids: { unordered: ids } }, title);
      }
    },
  });
}

/** A law whose filters all match the same records, for any null comparison. */
export function equivalence([id, title, rules, tier, cases]: FilterRow): Law {
  return defineLaw({
    ...{ id, title, rules, tier },
    cases: () => cases,
    async check(scene, { filters: [first = {}, ...others] }) {
      const { ids } = await scene.query("people", { filter: first, page: { size: 50 } });
      for (const filter of others) {
        await scene.query("people", { filter, page: { size: 50 } });
        scene.expect({ status: 200, ids: { unordered: ids } }, title);
      }
    },
  });
}

export function onPeople(filters: fc.Arbitrary<readonly Json[]>): fc.Arbitrary<FilterCase> {
  return fc.record({ fixture: fixtureArbitrary(), filters });
}

const NAME: ColumnDefinition = { name: "name", type: "string" };
const LETTERS = ["a", "b", "*", "?", "\\", "é", "\u{1F600}", "\n"];

export function onTexts(filtersOf: (text: string) => readonly Json[]): fc.Arbitrary<FilterCase> {
  const text = fc.array(oneOf(LETTERS), { maxLength: 3 }).map((some) => some.join(""));
  const texts = fc.array(fc.option(text, { nil: undefined }), { maxLength: 5 });
  return fc
    .record({ texts, text, pick: fc.nat(), own: fc.boolean() })
    .map(({ texts: given, text: other, pick, own }) => {
      const present = given.filter((each) => each !== undefined);
      const chosen = own ? present[pick % Math.max(1, present.length)] : undefined;
      const records = given.map((name, i) => ({
        id: `p${i + 1}`,
        ...(name === undefined ? {} : { name }),
      }));
      const table = { name: "people", columns: [NAME], records };
      return { fixture: { tables: [table] }, filters: filtersOf(chosen ?? other) };
    });
}
