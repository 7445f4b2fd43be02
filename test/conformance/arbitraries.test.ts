import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  makeManyRecords,
  type QueryCase,
  queryCaseArbitrary,
  type WalkCase,
  walkCaseArbitrary,
} from "../../src/conformance/arbitraries/cases.js";
import { evaluateQuery, matchingRecords } from "../../src/conformance/oracle/evaluate.js";
import { isRandomSort } from "../../src/conformance/oracle/order.js";
import { applyWrite } from "../../src/conformance/oracle/write.js";
import type { ColumnDefinition, ColumnSelection } from "../../src/types.js";
import { databaseOf } from "./generated-branch.js";

const OPERATORS = [
  ..."$all $any $not $none $exists $notExists $is $isNot $gt $ge $lt $le".split(" "),
  ..."$contains $startsWith $endsWith $iContains $pattern $iPattern".split(" "),
  ..."$includes $includesAny $includesAll $includesNone".split(" "),
];

function keysIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(keysIn);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

function typesIn(columns: readonly ColumnDefinition[]): string[] {
  return columns.flatMap((column) => [column.type, ...typesIn(column.columns ?? [])]);
}

/** How often each of some things comes. */
function tally(things: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
}

describe("the arbitraries", () => {
  const seed = 20_240_101;
  let cases: QueryCase[];
  let walks: WalkCase[];
  beforeAll(() => {
    cases = fc.sample(queryCaseArbitrary(), { seed, numRuns: 1500 });
    walks = fc.sample(walkCaseArbitrary(), { seed, numRuns: 400 });
  });

  it("F-18: every operator comes often", () => {
    const found = tally(
      keysIn(cases.flatMap(({ queries }) => queries.map(({ filter }) => filter))),
    );
    for (const operator of OPERATORS)
      expect(found.get(operator) ?? 0, operator).toBeGreaterThan(40);
  });

  it("T-1 … T-13: every type of column comes, in tables of every number", () => {
    const columns = cases.flatMap(({ tables }) => tables.map((table) => table.columns));
    const types = tally(columns.flatMap(typesIn));
    expect([...types.keys()].toSorted()).toEqual(
      [
        ..."bool datetime email file file[] float int".split(" "),
        ..."json link multiple object string text vector".split(" "),
      ].toSorted(),
    );
    for (const [type, count] of types) expect(count, type).toBeGreaterThan(200);
    expect(tally(cases.map(({ tables }) => String(tables.length))).size).toBe(3);
  });

  it("P-1 … P-11: every form of a selection comes", () => {
    const entries = cases.flatMap(({ queries }) => queries.flatMap(({ columns }) => columns ?? []));
    const form = (entry: ColumnSelection): string => {
      if (typeof entry !== "string") return "reverse link";
      const names = entry.split(".");
      return `${Math.min(names.length, 3)}${entry.endsWith("*") ? " with a star" : ""}`;
    };
    const forms = tally(entries.map(form));
    expect([...forms.keys()].toSorted()).toEqual([
      ..."1|1 with a star|2|2 with a star|3|3 with a star|reverse link".split("|"),
    ]);
    for (const [name, count] of forms) expect(count, name).toBeGreaterThan(50);
  });

  it("S-1 … S-5: sorts of every form come, random ones among them", () => {
    const sorts = cases.flatMap(({ queries }) => queries.flatMap(({ sort }) => sort ?? []));
    const all = cases.flatMap(({ queries }) => queries.map(({ sort }) => sort));
    expect(all.filter((sort) => isRandomSort(sort)).length).toBeGreaterThan(50);
    expect(sorts.filter((part) => typeof part === "string").length).toBeGreaterThan(200);
    expect(all.filter((sort) => sort && !Array.isArray(sort)).length).toBeGreaterThan(200);
  });

  it("F-30: a good third of the filters match some records and leave some", () => {
    let some = 0;
    let none = 0;
    let every = 0;
    let empty = 0;
    for (const generated of cases) {
      const db = databaseOf(generated);
      const count = generated.records[generated.table]?.length ?? 0;
      for (const { filter } of generated.queries) {
        if (filter === undefined) continue;
        const matching = matchingRecords(db, generated.table, filter).length;
        if (count === 0) empty++;
        else if (matching === 0) none++;
        else if (matching === count) every++;
        else some++;
      }
    }
    const total = some + none + every;
    expect(some / total).toBeGreaterThan(0.35);
    expect(none / total).toBeGreaterThan(0.1);
    expect(every / total).toBeGreaterThan(0.1);
    expect(empty).toBeGreaterThan(20);
  });

  it("T-14: a good share of values is null, and links dangle", () => {
    let nulls = 0;
    let values = 0;
    for (const generated of cases.slice(0, 300)) {
      for (const table of databaseOf(generated).tables) {
        for (const record of table.records) {
          for (const column of table.columns) {
            values++;
            if ((record.columns[column.name] ?? null) === null) nulls++;
          }
        }
      }
    }
    expect(nulls / values).toBeGreaterThan(0.15);
    expect(nulls / values).toBeLessThan(0.4);
  });

  it("G-1 … G-11: the oracle answers every query that is generated", () => {
    const sizes: number[] = [];
    for (const generated of cases) {
      const db = databaseOf(generated);
      for (const query of generated.queries) {
        const { columns, filter, sort, page } = query;
        const request = { columns, filter, sort, page: { size: page?.size, offset: page?.offset } };
        sizes.push(evaluateQuery(db, generated.table, request).records.length);
      }
    }
    expect(sizes.filter((size) => size > 0).length / sizes.length).toBeGreaterThan(0.4);
  });

  it("G-12: walks hold steps of every kind, and most of their writes are accepted", () => {
    const kinds = tally(walks.flatMap(({ steps }) => steps.map((step) => step.kind)));
    expect([...kinds.keys()].toSorted()).toEqual(
      "all back first last next previous query range rest tail write".split(" "),
    );
    const outcomes: string[] = [];
    for (const walk of walks) {
      let db = databaseOf(walk);
      for (const step of walk.steps) {
        if (step.kind !== "write") continue;
        const outcome = applyWrite(db, step.write, 0);
        outcomes.push(typeof outcome === "string" ? outcome : step.write.kind);
        if (typeof outcome !== "string") db = outcome;
      }
    }
    const found = tally(outcomes);
    for (const kind of "insert update replace upsert put delete".split(" ")) {
      expect(found.get(kind) ?? 0, kind).toBeGreaterThan(10);
    }
    expect(found.get("id_in_use") ?? 0).toBeGreaterThan(10);
    expect(found.get("record_not_found") ?? 0).toBeGreaterThan(10);
  });

  it("G-12: many records have distinct ids in no order", () => {
    const table = { name: "t", columns: [{ name: "n", type: "int" as const }] };
    const records = makeManyRecords("documented", table, 5000, 1);
    const ids = records.map((record) => String(record.id));
    expect(new Set(ids).size).toBe(records.length);
    expect(records.length).toBeGreaterThan(4950);
    expect(ids.toSorted()).not.toEqual(ids);
  });

  it("T-10: a failing case shrinks to the columns, records and parts that matter", () => {
    const property = fc.property(queryCaseArbitrary(), ({ queries }) =>
      queries.every(({ filter }) => !keysIn(filter).includes("$iPattern")),
    );
    const { counterexample, failed } = fc.check(property, { seed, numRuns: 500 });
    expect(failed).toBe(true);
    const [smallest] = counterexample ?? [];
    expect(smallest?.queries.filter((query) => Object.keys(query).length > 0)).toHaveLength(1);
    expect(smallest?.tables).toHaveLength(1);
    expect(Object.values(smallest?.records ?? {}).flat()).toEqual([]);
    expect(typesIn(smallest?.tables[0]?.columns ?? []).length).toBeLessThan(3);
    expect(JSON.stringify(smallest?.queries).length).toBeLessThan(150);
  });
});
