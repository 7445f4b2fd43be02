import type { Json } from "../../types.js";
import { CLOCK_START } from "../arbitraries/domains.js";
import { evaluateQuery, type OracleRequest } from "../oracle/evaluate.js";
import type { OracleDatabase } from "../oracle/model.js";
import { applyWrite } from "../oracle/write.js";
import type { Fixture, TargetTraits } from "../target/target.js";
import { defineLaw, type Law, type LawCase, type LawDefinition } from "./law.js";
import type { Scene } from "./scene.js";

/** The ids that earlier filters of a case matched, in the order of these filters. */
type Found = readonly (readonly string[])[];

/**
 * A filter, and the ids it has to match: those that a function makes of earlier answers. Without a
 * function the oracle says them.
 */
export type Claim = readonly [filter: Json, expected?: (found: Found) => readonly string[]];

/** A law about what filters of `people` match: a sentence, its cases, and filters to send. */
interface FilterLaw<C extends LawCase> extends Omit<LawDefinition<C>, "check"> {
  /** Filters whose answers are taken as they come. */
  readonly observed?: (given: C) => readonly Json[];
  readonly claims: (given: C, traits: TargetTraits) => readonly Claim[];
}

/** Defines a law that sends filters and compares the ids that they match. */
export function defineFilterLaw<C extends LawCase>(definition: FilterLaw<C>): Law {
  const { observed, claims, ...law } = definition;
  return defineLaw<C>({
    ...law,
    async check(scene, given) {
      const found: (readonly string[])[] = [];
      for (const filter of observed?.(given) ?? []) found.push(await matchedIds(scene, filter));
      const db = oracleDatabase(scene.traits, given.fixture);
      for (const [filter, expected] of claims(given, scene.traits)) {
        const ids = expected === undefined ? oracleIds(db, filter) : expected(found);
        await matchedIds(scene, filter);
        scene.expect({ status: 200, ids: { unordered: ids } }, law.title);
      }
    },
  });
}

/** Claims that filters match what the first observed filter matched. */
export function sameAsObserved(...filters: readonly Json[]): Claim[] {
  return filters.map((filter): Claim => [filter, ([first = []]) => first]);
}

/** A fixture as the oracle holds it; times of creation are its own. */
function oracleDatabase({ profile }: TargetTraits, fixture: Fixture): OracleDatabase {
  const empty = fixture.tables.map(({ name, columns }) => ({ name, columns, records: [] }));
  return fixture.tables.reduce<OracleDatabase>(
    (db, { name, records }) => {
      const written = applyWrite(db, { kind: "insert", table: name, records }, CLOCK_START);
      if (typeof written === "string") throw new Error(`a generated record is ${written}`);
      return written;
    },
    { profile, tables: empty },
  );
}

function oracleIds(db: OracleDatabase, filter: Json): string[] {
  const request = { filter, page: { size: 200 } } as OracleRequest; // as a case makes it
  return evaluateQuery(db, "people", request).records.map(({ id }) => id);
}

async function matchedIds(scene: Scene, filter: Json): Promise<readonly string[]> {
  return (await scene.query("people", { filter, page: { size: 50 } })).ids;
}
