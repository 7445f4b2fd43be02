import fc from "fast-check";
import { type QueryCase, queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import { enableFiles } from "../../src/files.js";
import { type AnyBranch, type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";

/** An engine after generated calls, and valid queries for one of its tables. */
export interface GeneratedEngine {
  readonly engine: AnyEngine;
  readonly case: QueryCase;
}

/** A call to an engine, which may be refused. */
export type Event = { readonly kind: (typeof KINDS)[number]; readonly n: number };

const KINDS = [
  "insert",
  "update",
  "delete",
  "branch",
  "renameTable",
  "makeTable",
  "removeColumn",
  "renameColumn",
  "user",
  "deleteUser",
  "gitBranch",
  "settings",
  "random",
  "advance",
] as const;

/** Engines with generated tables and records in several branches, users, mappings and settings. */
export function engineArbitrary(): fc.Arbitrary<GeneratedEngine> {
  return fc
    .tuple(queryCaseArbitrary(), eventsArbitrary(), fc.integer())
    .map(([generated, events, seed]) => ({
      engine: live(generated, events, seed),
      case: generated,
    }));
}

export function eventsArbitrary(): fc.Arbitrary<readonly Event[]> {
  const event = fc.record({ kind: fc.constantFrom(...KINDS), n: fc.nat(1000) });
  return fc.array(event, { maxLength: 25, size: "max" });
}

/** The branch of the generated tables. */
export function mainOf(engine: AnyEngine): AnyBranch {
  return engine.workspace("w").database("d").branch("main");
}

function live(
  { profile, tables, records }: QueryCase,
  events: readonly Event[],
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

/** Makes the call of an event; ignores refusals. */
export function happen(engine: AnyEngine, event: Event): void {
  try {
    act(engine, event);
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
  }
}

function act(engine: AnyEngine, { kind, n }: Event): void {
  const database = engine.workspace("w").database("d");
  const branches = database.branches();
  const branch = database.branch(branches[n % branches.length]?.name ?? "main");
  const names = branch.tables();
  const table = branch.table(names[n % names.length]?.name ?? "");
  const columns = table.schema().columns;
  const column = columns[n % Math.max(1, columns.length)]?.name ?? "";
  const ids = table.query({ columns: [], page: { size: 100 } }).records.map(({ id }) => id);
  const id = ids[n % Math.max(1, ids.length)] ?? "";
  const isMain = branch.name === "main";
  const acts: Readonly<Record<Event["kind"], () => unknown>> = {
    insert: () => table.insert(n % 2 === 0 ? {} : { id: `i${n}` }),
    update: () => table.update(id, {}),
    delete: () => table.delete(id),
    branch: () => database.createBranch(`b${n}`, n % 2 === 0 ? { from: branch.name } : {}),
    renameTable: () => isMain || table.rename(`t${n}`),
    makeTable: () => branch.createTable(`t${n}`, [{ name: "n", type: "int", defaultValue: n }]),
    removeColumn: () => isMain || table.removeColumn(column),
    renameColumn: () => isMain || table.renameColumn(column, `c${n}`),
    user: () =>
      engine.createUser({
        email: `u${n}@example.com`,
        fullname: `Üser ${n}`,
        keys: [`key ${n}`],
        workspaces: n % 2 === 0 ? ["w"] : [],
      }),
    deleteUser: () => engine.deleteUser(`usr_${n % 4}`),
    gitBranch: () =>
      database.gitBranches.add({
        gitBranch: `feature/${n}`,
        [engine.profile.mappingTarget]: branch.name,
      }),
    settings: () => database.updateSettings({ [`s${n % 3}`]: [n, null, { ä: "\u2028" }] }),
    random: () => table.query({ sort: { "*": "random" } }),
    advance: () => engine.clock.advance(n / 8),
  };
  acts[kind]();
}
