import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  makeManyRecords,
  type QueryCase,
  queryCaseArbitrary,
} from "../../src/conformance/arbitraries/cases.js";
import { type Program, programArbitrary } from "../../src/conformance/arbitraries/commands.js";
import { renderWrite } from "../../src/conformance/arbitraries/walk.js";
import { evaluateQuery, matchingRecords } from "../../src/conformance/oracle/evaluate.js";
import { requireTable } from "../../src/conformance/oracle/model.js";
import { isRandomSort } from "../../src/conformance/oracle/order.js";
import { fillDatabase } from "../../src/conformance/oracle/world.js";
import { applyWrite } from "../../src/conformance/oracle/write.js";
import { resolveTraits } from "../../src/conformance/target/target.js";
import { createEngine } from "../../src/index.js";
import { resolveProfile } from "../../src/shape/profile.js";
import type { ColumnDefinition, ColumnSelection } from "../../src/types.js";
import { databaseOf } from "./generated-branch.js";

const SCHEMA = { tables: [], base: "documented", metadataColumn: "service" } as const;

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

/** Counts equal texts. */
function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

function expectKeys(counts: object, expected: readonly string[]): void {
  expect(Object.keys(counts).toSorted()).toEqual(expected.toSorted());
}

describe("the arbitraries", () => {
  const seed = 20_240_101;
  let cases: QueryCase[];
  let programs: Program[];
  beforeAll(() => {
    cases = fc.sample(queryCaseArbitrary(), { seed, numRuns: 1500 });
    const traits = resolveTraits({ engine: createEngine() });
    programs = fc.sample(programArbitrary(traits), { seed, numRuns: 400 });
  });

  it("F-18: every operator occurs often", () => {
    const filters = cases.flatMap(({ queries }) => queries.map(({ filter }) => filter));
    const found = tally(keysIn(filters));
    for (const operator of OPERATORS) expect(found[operator] ?? 0, operator).toBeGreaterThan(40);
  });

  it("T-1 … T-13: every column type occurs, in one to three tables", () => {
    const types = tally(
      cases.flatMap(({ fixture }) => fixture.tables.flatMap(({ columns }) => typesIn(columns))),
    );
    expectKeys(types, [
      ..."bool datetime email file file[] float int".split(" "),
      ..."json link multiple object string text vector".split(" "),
    ]);
    for (const [type, count] of Object.entries(types)) expect(count, type).toBeGreaterThan(200);
    expectKeys(tally(cases.map(({ fixture }) => String(fixture.tables.length))), ["1", "2", "3"]);
  });

  it("P-1 … P-11: every form of a selection occurs", () => {
    const entries = cases.flatMap(({ queries }) => queries.flatMap(({ columns }) => columns ?? []));
    const form = (entry: ColumnSelection): string => {
      if (typeof entry !== "string") return "reverse link";
      const names = entry.split(".");
      return `${Math.min(names.length, 3)}${entry.endsWith("*") ? " with a star" : ""}`;
    };
    const forms = tally(entries.map(form));
    expectKeys(forms, "1|1 with a star|2|2 with a star|3|3 with a star|reverse link".split("|"));
    for (const [name, count] of Object.entries(forms)) expect(count, name).toBeGreaterThan(50);
  });

  it("S-1 … S-5: every form of a sort occurs, including random ones", () => {
    const all = cases.flatMap(({ queries }) => queries.map(({ sort }) => sort));
    const parts = all.flatMap((sort) => sort ?? []);
    expect(all.filter((sort) => isRandomSort(sort)).length).toBeGreaterThan(50);
    expect(parts.filter((part) => typeof part === "string").length).toBeGreaterThan(200);
    expect(all.filter((sort) => sort && !Array.isArray(sort)).length).toBeGreaterThan(200);
  });

  it("F-30: more than a third of the filters match some records and not others", () => {
    const outcomes = cases.flatMap((generated) => {
      const db = databaseOf(generated);
      const count = requireTable(db, generated.table).records.length;
      const filters = generated.queries.flatMap(({ filter }) => (filter ? [filter] : []));
      return filters.map((filter) => {
        const matching = matchingRecords(db, generated.table, filter).length;
        if (count === 0) return "empty";
        return matching === 0 ? "none" : matching === count ? "every" : "some";
      });
    });
    const { some = 0, none = 0, every = 0, empty } = tally(outcomes);
    const total = some + none + every;
    expect(some / total).toBeGreaterThan(0.35);
    expect(none / total).toBeGreaterThan(0.1);
    expect(every / total).toBeGreaterThan(0.1);
    expect(empty).toBeGreaterThan(20);
  });

  it("T-14: 15 to 40 % of the values are null", () => {
    const tables = cases.slice(0, 300).flatMap((generated) => databaseOf(generated).tables);
    const values = tables.flatMap(({ columns, records }) =>
      records.flatMap((record) => columns.map(({ name }) => record.columns[name] ?? null)),
    );
    const nulls = values.filter((value) => value === null).length;
    expect(nulls / values.length).toBeGreaterThan(0.15);
    expect(nulls / values.length).toBeLessThan(0.4);
  });

  it("G-1 … G-11: the oracle answers every generated query", () => {
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

  it("G-12: programs have steps of every kind, and writes accepted and refused", () => {
    const steps = programs.flatMap((program) => program.steps);
    const kinds = tally(steps.flatMap((step) => (step.kind === "page" ? [step.step.kind] : [])));
    expectKeys(kinds, "back first last next previous query range rest tail".split(" "));
    expectKeys(tally(steps.map(({ kind }) => kind)), [
      ..."page|writes|branch|drop branch|table|rename table|drop table".split("|"),
      ..."column|rename column|drop column|map|unmap".split("|"),
    ]);
    const outcomes: string[] = [];
    for (const { fixture, steps } of programs) {
      let db = fillDatabase(resolveProfile("documented"), fixture.tables, 0);
      for (const step of steps) {
        if (step.kind !== "writes") continue;
        for (const each of step.seeds) {
          const write = renderWrite(SCHEMA, fixture.tables[each % fixture.tables.length]!, each);
          const outcome = applyWrite(db, write, 0);
          outcomes.push(typeof outcome === "string" ? outcome : write.kind);
          if (typeof outcome !== "string") db = outcome;
        }
      }
    }
    const found = tally(outcomes);
    const writes = "insert update replace upsert put delete".split(" ");
    for (const kind of [...writes, "taken", "missing"]) {
      expect(found[kind] ?? 0, kind).toBeGreaterThan(10);
    }
  });

  it("G-12: generated records have distinct, unsorted ids", () => {
    const table = { name: "t", columns: [{ name: "n", type: "int" as const }] };
    const records = makeManyRecords("documented", table, 5000, 1);
    const ids = records.map((record) => String(record.id));
    expect(new Set(ids).size).toBe(records.length);
    expect(records.length).toBeGreaterThan(4950);
    expect(ids.toSorted()).not.toEqual(ids);
  });

  it("T-10: a failing case shrinks to the relevant columns, records and parts", () => {
    const property = fc.property(queryCaseArbitrary(), ({ queries }) =>
      queries.every(({ filter }) => !keysIn(filter).includes("$iPattern")),
    );
    const { counterexample, failed } = fc.check(property, { seed, numRuns: 500 });
    expect(failed).toBe(true);
    const [smallest] = counterexample ?? [];
    expect(smallest?.queries.filter((query) => Object.keys(query).length > 0)).toHaveLength(1);
    expect(smallest?.fixture.tables).toHaveLength(1);
    const [table] = smallest?.fixture.tables ?? [];
    expect(table?.records).toEqual([]);
    expect(typesIn(table?.columns ?? []).length).toBeLessThan(3);
    expect(JSON.stringify(smallest?.queries).length).toBeLessThan(150);
  });
});
