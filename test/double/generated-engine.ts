import fc from "fast-check";
import { type QueryCase, queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import { enableFiles } from "../../src/files.js";
import {
  type AnyBranch,
  type AnyDatabase,
  type AnyEngine,
  type AnyTable,
  createEngine,
  TwinbaseError,
} from "../../src/index.js";

/** An engine after generated calls, and valid queries for one of its tables. */
export interface GeneratedEngine {
  readonly engine: AnyEngine;
  readonly case: QueryCase;
}

/** A call to an engine; `n` chooses what it concerns. */
export interface Step {
  readonly kind: string;
  readonly n: number;
}

export type Calls = Readonly<Record<string, (engine: AnyEngine, n: number) => unknown>>;

/** Engines with generated tables and records in several branches, users, mappings and settings. */
export function engineArbitrary(): fc.Arbitrary<GeneratedEngine> {
  return fc
    .tuple(queryCaseArbitrary(), eventsArbitrary(), fc.integer())
    .map(([generated, events, seed]) => ({
      engine: live(generated, events, seed),
      case: generated,
    }));
}

export function eventsArbitrary(): fc.Arbitrary<readonly Step[]> {
  return fc.array(stepArbitrary(Object.keys(CALLS)), { maxLength: 25, size: "max" });
}

export function stepArbitrary(kinds: readonly string[]): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1000) });
}

/** The branch of the generated tables. */
export function mainOf(engine: AnyEngine): AnyBranch {
  return engine.workspace("w").database("d").branch("main");
}

function live(
  { profile, tables, records }: QueryCase,
  events: readonly Step[],
  seed: number,
): AnyEngine {
  const engine = enableFiles(createEngine({ profile, seed, now: 0 }));
  engine.createWorkspace("w", { name: "Wörkspace" }).createDatabase("d", { ui: { color: "red" } });
  const main = mainOf(engine);
  for (const { name, columns } of tables) {
    // Links to tables that follow are not checked (T-17, T-18).
    main.createTable(name, columns).insert([...(records[name] ?? [])]);
  }
  for (const event of events) happen(engine, event);
  return engine;
}

/** Makes the call of a step; ignores refusals. */
export function happen(engine: AnyEngine, { kind, n }: Step, calls: Calls = CALLS): void {
  try {
    calls[kind]!(engine, n);
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
  }
}

export const CALLS: Calls = {
  insert: (engine, n) => tableOf(engine, n).insert(n % 2 === 0 ? {} : { id: `i${n}` }),
  update: (engine, n) => tableOf(engine, n).update(idOf(engine, n), {}),
  delete: (engine, n) => tableOf(engine, n).delete(idOf(engine, n)),
  branch: (engine, n) =>
    databaseOf(engine).createBranch(`b${n}`, n % 2 === 0 ? { from: branchOf(engine, n).name } : {}),
  renameTable: (engine, n) => isMain(engine, n) || tableOf(engine, n).rename(`t${n}`),
  makeTable: (engine, n) =>
    branchOf(engine, n).createTable(`t${n}`, [{ name: "n", type: "int", defaultValue: n }]),
  removeColumn: (engine, n) =>
    isMain(engine, n) || tableOf(engine, n).removeColumn(columnName(engine, n)),
  renameColumn: (engine, n) =>
    isMain(engine, n) || tableOf(engine, n).renameColumn(columnName(engine, n), `c${n}`),
  user: (engine, n) =>
    engine.createUser({
      email: `u${n}@example.com`,
      fullname: `Üser ${n}`,
      keys: [`key ${n}`],
      workspaces: n % 2 === 0 ? ["w"] : [],
    }),
  deleteUser: (engine, n) => engine.deleteUser(`usr_${n % 4}`),
  gitBranch: (engine, n) =>
    databaseOf(engine).gitBranches.add({
      gitBranch: `feature/${n}`,
      [engine.profile.mappingTarget]: branchOf(engine, n).name,
    }),
  settings: (engine, n) =>
    databaseOf(engine).updateSettings({ [`s${n % 3}`]: [n, null, { ä: "\u2028" }] }),
  random: (engine, n) => tableOf(engine, n).query({ sort: { "*": "random" } }),
  advance: (engine, n) => engine.clock.advance(n / 8),
};

export function databaseOf(engine: AnyEngine, name = "d"): AnyDatabase {
  return engine.workspace("w").database(name);
}

export function branchOf(engine: AnyEngine, n: number, database = "d"): AnyBranch {
  const branches = databaseOf(engine, database).branches();
  return databaseOf(engine, database).branch(branches[n % branches.length]!.name);
}

export function tableOf(engine: AnyEngine, n: number): AnyTable {
  const branch = branchOf(engine, n);
  const tables = branch.tables();
  return branch.table(tables[n % Math.max(1, tables.length)]?.name ?? "none");
}

const isMain = (engine: AnyEngine, n: number): boolean => branchOf(engine, n).name === "main";

function columnName(engine: AnyEngine, n: number): string {
  const { columns } = tableOf(engine, n).schema();
  return columns[n % Math.max(1, columns.length)]?.name ?? "";
}

function idOf(engine: AnyEngine, n: number): string {
  const { records } = tableOf(engine, n).query({ columns: [], page: { size: 100 } });
  return records[n % Math.max(1, records.length)]?.id ?? "";
}
