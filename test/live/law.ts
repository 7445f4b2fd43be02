import fc from "fast-check";
import { CALLS, type Calls, runStep, type Step, weigh } from "../../scripts/programs/calls.mjs";
import { type Watched, watchCount, watchQuery } from "../../scripts/programs/lives.mjs";
import { type QueryCase, queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import { CLOCK_START, makeRecord, RECORD_IDS } from "../../src/conformance/arbitraries/domains.js";
import { isRandomSort } from "../../src/conformance/oracle/order.js";
import { Engine } from "../../src/engine.js";
import { enableFiles } from "../../src/files.js";
import { createEngine, type QueryRequest } from "../../src/index.js";
import * as lives from "../../src/live.js";
import { resolveProfile } from "../../src/shape/profile.js";
import { openWorld, stepOf } from "../programs.js";

/** The calls of a program, by weight; the rest are seldom. */
const WEIGHTS = {
  insert: 40,
  update: 90,
  delete: 25,
  transaction: 20,
  atomic: 10,
  insertMany: 10,
  replace: 10,
  upsert: 10,
  deleteTogether: 3,
  load: 1,
  refused: 1,
  addColumn: 1,
  removeColumn: 1,
  renameColumn: 1,
  setSchema: 1,
  renameTable: 1,
  deleteTable: 1,
  createTable: 1,
  snapshot: 1,
  restore: 1,
  branch: 1,
  fork: 1,
  advance: 1,
};

const LIVE_CALLS: Calls = {
  ...CALLS,
  atomic: ({ engine, table, id, part, record }) =>
    Engine.contextOf(engine).call(() => {
      const [first, second] = [id(), id()];
      table.update(first, part());
      table.update(first, part());
      table.delete(second);
      table.insert({ ...record(), id: second });
    }),
  fork: ({ engine, branch, table, id }) =>
    engine.fork().workspace("w").database("d").branch(branch.name).table(table.name).delete(id()),
};

/** Few values, all kinds of links, and queries that depend on them: most steps change pages. */
const DENSE: Pick<QueryCase, "fixture" | "table"> = {
  table: "users",
  fixture: {
    tables: [
      {
        name: "teams",
        columns: [
          { name: "name", type: "string" },
          { name: "n", type: "int" },
          { name: "lead", type: "link", link: { table: "users" } },
        ],
        records: [],
      },
      {
        name: "users",
        columns: [
          { name: "n", type: "int" },
          { name: "ok", type: "bool" },
          { name: "team", type: "link", link: { table: "teams" } },
        ],
        records: [],
      },
    ],
  },
};
const FILTERS: readonly QueryRequest["filter"][] = [
  undefined,
  { n: { $ge: 0 } },
  { n: 1 },
  { ok: true },
  { team: "a" },
  { "team.n": { $ge: 0 } },
  { $any: [{ n: 1 }, { "team.lead.n": 1 }] },
  { $not: { "team.n": 1 } },
];
const MEMBERS = { name: "<-teams.lead", as: "leads", sort: { n: "desc" }, limit: 2 } as const;
const SELECTED: readonly QueryRequest["columns"][] = [
  undefined,
  ["n"],
  ["n", "team.n"],
  ["team.lead.n"],
  ["n", MEMBERS],
  [{ ...MEMBERS, columns: ["lead.ok"], sort: { "lead.n": "asc" }, offset: 1 }],
];
const SORTS: readonly QueryRequest["sort"][] = [
  undefined,
  { n: "asc" },
  { n: "desc" },
  { "team.n": "desc" },
  [{ ok: "asc" }, { "team.lead.n": "asc" }],
  { "team.n": "asc", n: "desc" },
];

const denseQuery: fc.Arbitrary<QueryRequest> = fc
  .tuple(
    fc.constantFrom(...FILTERS),
    fc.constantFrom(...SELECTED),
    fc.constantFrom(...SORTS),
    fc.constantFrom(0, 0, 1, 3),
  )
  .map(([filter, columns, sort, offset]) => ({ filter, columns, sort, page: { offset } }));

const dense: fc.Arbitrary<QueryCase> = fc
  .record({
    profile: fc.constantFrom("documented" as const, "xata" as const),
    queries: fc.array(denseQuery, { minLength: 3, maxLength: 3 }),
  })
  .map((given) => ({ ...DENSE, ...given }));

export const programs: fc.Arbitrary<{
  given: QueryCase;
  steps: readonly Step[];
  sizes: readonly number[];
}> = fc.record({
  given: fc.oneof({ weight: 3, arbitrary: dense }, queryCaseArbitrary({ records: 10, length: 4 })),
  steps: fc.array(stepOf(weigh(WEIGHTS)), { minLength: 1, maxLength: 40, size: "max" }),
  sizes: fc.array(fc.constantFrom(1, 1, 1, 2, 3, 0), { minLength: 4, maxLength: 4 }),
});

/** Decides how much time live queries have; those that are stale are compared at the end. */
export interface Pace {
  readonly limits: { readonly queryMs: number };
  afterStep(): void;
  /** Gives all queries the time that they need. */
  finish(): void;
}

interface Program {
  readonly given: QueryCase;
  readonly steps: readonly Step[];
  readonly sizes: readonly number[];
}

/** Runs a program; returns where a live query differs from a fresh one. */
export function findBreach({ given, steps, sizes }: Program, pace?: Pace): string | undefined {
  let now = CLOCK_START;
  const tick = (): void => {
    now += 500;
  };
  const { profile, fixture, queries } = given;
  const { tables } = fixture;
  const engine = enableFiles(
    createEngine({ profile, seed: 7, now: () => now, ...(pace && { limits: pace.limits }) }),
  );
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  for (const { name, columns } of tables) branch.createTable(name, columns);
  for (const { name, records } of tables) {
    try {
      branch.table(name).insert([...records]);
    } catch {
      // Links of the first tables may be checked.
    }
  }
  const { base, metadataColumn } = resolveProfile(profile);
  const world = openWorld(engine, {
    many: 3,
    loads: [5],
    tables: tables.map(({ name }) => name),
    id: (random) => random.pick(RECORD_IDS.slice(0, 9)),
    columnsOf: (name) => tables.find((one) => one.name === name)?.columns ?? [],
    record: (columns, random) => {
      const made = makeRecord({ base, metadataColumn }, columns, random.below(2 ** 31));
      return { ...made, id: undefined };
    },
  });
  const calls = { ...LIVE_CALLS, advance: tick };
  const watched: Watched[] = [];
  for (const [i, query] of queries.entries()) {
    if (isRandomSort(query.sort as never)) continue;
    const size = sizes[i] ?? 0;
    const request = size === 0 ? query : { ...query, page: { ...query.page, size } };
    watched.push(watchQuery(lives, branch.table(given.table), request));
    watched.push(watchCount(lives, branch.table(given.table), query.filter));
    const { page } = branch.table(given.table).query(request).meta;
    for (const next of [
      { after: page.cursor },
      { before: page.cursor },
      { after: page.cursor, before: "end" },
      { before: "end" },
    ]) {
      const further = { page: { size: 1 + (size % 3), ...next } };
      watched.push(
        watchQuery(
          lives,
          branch.table(given.table),
          next.before === "end" && next.after === undefined ? { ...query, ...further } : further,
        ),
      );
    }
  }
  for (const [at, step] of steps.entries()) {
    tick();
    runStep(world, step, calls);
    pace?.afterStep();
    for (const { check, live } of watched) {
      if (live.isStale) continue;
      const breach = check(pace !== undefined);
      if (breach !== undefined) return `after step ${at}, ${JSON.stringify(step)}: ${breach}`;
    }
  }
  if (pace !== undefined) {
    pace.finish();
    branch.createTable("last", []);
    for (const { check, live } of watched) {
      const breach = live.isStale ? "still stale" : check(true);
      if (breach !== undefined) return `at the end: ${breach}`;
    }
  }
  for (const { live } of watched) live.close();
  return undefined;
}
