import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import {
  evaluateQuery,
  matchingRecords,
  type OracleRequest,
  sameUpToTies,
} from "../../src/conformance/oracle/evaluate.js";
import { type OracleDatabase, requireTable } from "../../src/conformance/oracle/model.js";
import { isRandomSort } from "../../src/conformance/oracle/order.js";
import { projectRecord } from "../../src/conformance/oracle/project.js";
import { divergenceLines } from "../../src/conformance/report/text.js";
import { runConformance } from "../../src/conformance/runner/run.js";
import {
  type AnyTable,
  createEngine,
  type IndexOption,
  type QueryRequest,
} from "../../src/index.js";
import type { ProfileOption } from "../../src/profile.js";
import { runs, seed } from "../generated.js";
import { databaseOf, openGenerated } from "./generated-branch.js";

/** Compares as JSON, which includes the order of keys (P-10), and distinguishes −0 from 0. */
function same(actual: unknown, expected: unknown, query: unknown): void {
  const render = (value: unknown): string =>
    JSON.stringify(value, (_, inner) => (Object.is(inner, -0) ? "-0" : inner));
  expect(render(actual), JSON.stringify(query)).toBe(render(expected));
}

/** Compares a query, its count, a scan, and a record by id. */
function compareQuery(table: AnyTable, db: OracleDatabase, query: QueryRequest): void {
  const request = query as OracleRequest; // generated without cursors
  const { columns, filter, sort, page: { offset = 0 } = {} } = request;
  const expected = evaluateQuery(db, table.name, request);
  const { records, meta } = table.query(query);
  const { more, size } = meta.page;
  same({ more, size }, { more: expected.more, size: expected.size }, query);
  if (isRandomSort(sort)) {
    expect(records).toHaveLength(expected.records.length);
    expect(sameUpToTies(db, table.name, request, offset, records), JSON.stringify(query)).toBe(
      true,
    );
  } else {
    same(records, expected.records, query);
    const whole = evaluateQuery(db, table.name, { columns, filter, sort, page: { size: 1e9 } });
    same([...table.scan({ columns, filter, sort })], whole.records, query);
  }
  const [first] = requireTable(db, table.name).records;
  if (first !== undefined) {
    const projected = projectRecord(db, table.name, columns, first);
    same(table.get(first.id, { columns }), projected, query);
  }
  same(table.count(filter), matchingRecords(db, table.name, filter).length, query);
}

describe(`the engine equals the oracle (seed ${seed})`, () => {
  const indexes = fc.constantFrom<IndexOption>("auto", "always", "never");

  const requireSame = (cases: number, from: number): void => {
    let queries = 0;
    const property = fc.property(queryCaseArbitrary(), indexes, (generated, option) => {
      const table = openGenerated(generated, option).table(generated.table);
      const db = databaseOf(generated);
      for (const query of generated.queries) compareQuery(table, db, query);
      queries += generated.queries.length;
    });
    fc.assert(property, { seed: from, numRuns: Math.ceil(cases * runs) });
    expect(queries).toBeGreaterThan(4 * cases * runs);
  };

  const queriesTitle = "F-1 … F-30, S-1 … S-5, P-1 … P-11: queries of generated tables";

  it(queriesTitle, () => requireSame(800, seed));

  it(`${queriesTitle}, many`, { tags: "slow" }, () => requireSame(5000, seed + 1));

  /** Profiles and index options. */
  const engines: readonly (readonly [ProfileOption, IndexOption])[] = [
    ["documented", "auto"],
    ["xata", "always"],
    [{ base: "documented", nullComparison: "sql" }, "never"],
  ];
  const expectLaw = async (
    law: string,
    times: number,
    [profile, indexes]: (typeof engines)[number],
  ) => {
    const engine = createEngine({ profile, indexes, seed: 1, now: 0 });
    const options = { vectors: [], only: [`law:${law}`], runs: Math.ceil(times * runs), seed };
    const { divergences, conforms } = await runConformance({ engine }, options);
    expect(divergences.flatMap(divergenceLines)).toEqual([]);
    expect(conforms).toBe(true);
  };

  const title = "G-1 … G-12, R-1 … R-9, X-4: pages between writes, %j, %s";
  const expectModel = (...engine: (typeof engines)[number]) =>
    expectLaw("commands-follow-the-model", 200, engine);

  it.each(engines.slice(0, 1))(title, expectModel);

  it.each(engines.slice(1))(title, { tags: "slow" }, expectModel);

  it.each(engines)("S-5, G-2: a thousand records, %j, %s", { tags: "slow" }, (...engine) =>
    expectLaw("large-tables-equal-the-oracle", 1000, engine),
  );
});
