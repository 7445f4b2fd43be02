import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inviteMember } from "../../src/accounts.js";
import { subscribe } from "../../src/changes.js";
import { queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import type { Notice } from "../../src/engine/notice.js";
import type { Snapshot } from "../../src/engine/snapshot.js";
import { Engine } from "../../src/engine.js";
import { importInto } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import {
  createMigrationRequest,
  listMigrationRequests,
  mergeMigrationRequest,
  missingMigrations,
  pushMigrations,
  updateMigrationRequest,
  updateSchema,
} from "../../src/history.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { MigrationNumbers } from "../../src/persist/catalog-lines.js";
import { ChangeLog } from "../../src/persist/change-log.js";
import { openReplayed } from "../../src/persist/contexts.js";
import { LineReader } from "../../src/persist/lines.js";
import { type Event, eventsArbitrary, happen, mainOf } from "../double/generated-engine.js";
import { runs, seed } from "../generated.js";
import { sealLines } from "../seal-lines.js";
import { openTexts, replayTexts, textOf } from "./texts.js";

/** Kinds of changes to an engine, besides those of `happen`. */
const MORE = {
  put: (engine, n) => {
    const table = tableOf(engine, n);
    table.put(`p${n % 20}`, {});
  },
  upsertMany: (engine, n) => {
    const table = tableOf(engine, n);
    const operations = Array.from({ length: n % 7 }, (_, i) => ({
      update: { table: table.name, id: `p${(n + i) % 20}`, fields: {}, upsert: true },
    }));
    branchOf(engine, n).transaction([
      ...operations,
      { delete: { table: table.name, id: `p${n % 20}` } },
    ]);
  },
  load: (engine, n) => void tableOf(engine, n).load(Array.from({ length: n % 50 }, () => ({}))),
  clear: (engine, n) => {
    const table = tableOf(engine, n);
    for (const { id } of table.query({ columns: [], page: { size: 200 } }).records)
      table.delete(id);
  },
  addColumn: (engine, n) => void tableOf(engine, n).addColumn(columnOf(n)),
  addUnique: (engine, n) => {
    tableOf(engine, n).addColumn({ name: `u${n}`, type: "string", unique: true });
  },
  addObject: (engine, n) => {
    const columns = [columnOf(n), { name: "deep", type: "object", columns: [columnOf(n + 1)] }];
    tableOf(engine, n).addColumn({ name: `o${n}`, type: "object", columns } as never);
  },
  write: (engine, n) => {
    const table = tableOf(engine, n);
    const { records } = table.query({ columns: [], page: { size: 20 } });
    for (const [place, { id }] of records.entries()) {
      for (const { name, type } of table.schema().columns) {
        if (type === "int") table.update(id, { [name]: n + place });
        if (type === "string") table.update(id, { [name]: `ä\n"${n + place}` });
        if (type === "datetime") table.update(id, { [name]: "2020-01-01T00:00:00.000123Z" });
        if (type === "multiple") table.update(id, { [name]: ["a", `b${n}`] });
      }
    }
  },
  renameBranch: (engine, n) => databaseOf(engine).renameBranch(branchOf(engine, n).name, `r${n}`),
  deleteBranch: (engine, n) => databaseOf(engine).deleteBranch(branchOf(engine, n).name),
  deleteTable: (engine, n) => branchOf(engine, n).deleteTable(tableOf(engine, n).name),
  renameDatabase: (engine, n) => {
    engine.workspace("w").renameDatabase("d", `d${n}`);
    branchOf(engine, n, `d${n}`).createTable(`in${n}`);
    engine.workspace("w").renameDatabase(`d${n}`, "d");
  },
  otherDatabase: (engine, n) => {
    const workspace = engine.workspace("w");
    if (n % 3 === 0) workspace.deleteDatabase(`e${n % 4}`);
    else
      workspace
        .createDatabase(`e${n % 4}`)
        .branch("main")
        .createTable("t", [columnOf(n)]);
  },
  workspace: (engine, n) => {
    if (n % 3 === 0) engine.deleteWorkspace(`w${n % 4}`);
    else if (n % 3 === 1) engine.createWorkspace(`w${n % 4}`);
    else engine.renameWorkspace("w", `W${n}`);
  },
  key: (engine, n) => {
    const id = `usr_${n % 3}`;
    if (n % 4 === 0) engine.deleteKey(id, `k${n % 8}`);
    else engine.createKey(id, `k${n % 8}`);
  },
  invite: (engine, n) =>
    void inviteMember(engine.workspace("w"), { email: `i${n}@example.com`, role: "maintainer" }),
  request: (engine, n) => {
    const database = databaseOf(engine);
    const { length } = listMigrationRequests(database);
    if (n % 3 === 0) {
      updateMigrationRequest(database, 1 + (n % Math.max(1, length)), { title: `t${n}` });
    } else {
      const [source, target] = [branchOf(engine, n).name, branchOf(engine, n + 1).name];
      createMigrationRequest(database, { source, target, title: `t${n}` });
    }
  },
  migrate: (engine, n) => {
    const operations = Array.from({ length: 1 + (n % 3) }, (_, i) => ({
      addTable: { table: `m${n}x${i}` },
    }));
    updateSchema(branchOf(engine, n), { operations });
  },
  push: (engine, n) => {
    const [source, target] = [branchOf(engine, n), branchOf(engine, n + 1)];
    pushMigrations(target, missingMigrations(source, target));
  },
  merge: (engine, n) => {
    const database = databaseOf(engine);
    const { length } = listMigrationRequests(database);
    mergeMigrationRequest(database, 1 + (n % Math.max(1, length)));
  },
  metadata: (engine, n) => branchOf(engine, n).setMetadata({ stage: `s${n}` }),
  settings: (engine, n) => void engine.workspace("w").updateSettings({ [`s${n % 3}`]: n }),
  clock: (engine, n) => (n % 2 === 0 ? engine.clock.set(n) : engine.clock.reset()),
  secret: (engine, n) => void engine.drawSecret(1 + (n % 5)),
  setBaseline: (engine) => engine.setBaseline(),
  reset: (engine) => engine.reset(),
} satisfies Record<string, (engine: AnyEngine, n: number) => void>;

type Step =
  | { readonly kind: "event"; readonly event: Event }
  | {
      readonly kind: keyof typeof MORE | "snapshot" | "restore" | "import" | "listen";
      readonly n: number;
    }
  | { readonly kind: "commit" };

describe(`a log (seed ${seed})`, () => {
  it("H-5: after an export, replays to the engine's state, byte for byte, at every commit", () => {
    const kinds = [...Object.keys(MORE), "snapshot", "restore", "restore", "import", "listen"];
    const step = fc.oneof(
      { weight: 4, arbitrary: eventsArbitrary().map(([event]) => event) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1000) }) },
      { weight: 2, arbitrary: fc.constant({ kind: "commit" }) },
    );
    const steps = fc
      .array(step, { minLength: 5, maxLength: 60, size: "max" })
      .map((all) => all.map(asStep));
    let commits = 0;
    const property = fc.property(queryCaseArbitrary(), steps, (given, program) => {
      const engine = enableFiles(createEngine({ profile: given.profile, seed: 1, now: 0 }));
      engine.createWorkspace("w").createDatabase("d");
      for (const { name, columns } of given.tables) mainOf(engine).createTable(name, columns);
      for (const { name } of given.tables) {
        mainOf(engine)
          .table(name)
          .insert([...(given.records[name] ?? [])]);
      }
      commits += expectReplayed(engine, program);
    });
    fc.assert(property, { seed, numRuns: Math.ceil(120 * runs) });
    expect(commits).toBeGreaterThan(300 * runs);
  });
});

describe("a change of the catalog", () => {
  const made = (tables: number) => {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    for (let n = 0; n < tables; n++) main.createTable(`t${n}`, [columnOf(n)]).insert({});
    for (const name of ["b", "other"]) databaseOf(engine).createBranch(name, { from: "main" });
    for (let n = 0; n < tables; n++) {
      engine.createKey("usr_0", `k${n}`);
      const request = { source: "other", target: "main", title: `r${n}` };
      createMigrationRequest(databaseOf(engine), request);
    }
    for (let n = 0; n < tables; n++) engine.deleteKey("usr_0", `k${n}`);
    return logged(engine);
  };

  it.each([
    ["a table", (engine) => void branchOf(engine, 0).createTable("new", [columnOf(1)])],
    ["a column", (engine) => void branchOf(engine, 0).table("t1").addColumn(columnOf(9))],
    ["a renamed table", (engine) => branchOf(engine, 0).table("t1").rename("new")],
    ["a deleted table", (engine) => void branchOf(engine, 0).deleteTable("t1")],
    ["a renamed branch", (engine) => void databaseOf(engine).renameBranch("b", "c")],
    ["a key", (engine) => void engine.createKey("usr_0", "new")],
    [
      "a deleted key",
      (engine) => {
        engine.createKey("usr_0", "new");
        engine.deleteKey("usr_0", "new");
      },
    ],
    ["a record", (engine) => void branchOf(engine, 0).table("t1").insert({})],
    [
      "a migration request",
      (engine) => updateMigrationRequest(databaseOf(engine), 2, { title: "changed" }),
    ],
    ["settings", (engine) => void databaseOf(engine).updateSettings({ a: 1 })],
    [
      "a migration of several steps",
      (engine) => {
        const operations = ["x", "y", "z"].map((table) => ({ addTable: { table } }));
        updateSchema(branchOf(engine, 0), { operations });
      },
    ],
  ] satisfies [string, (engine: AnyEngine) => void][])("logs only %s", (_, act) => {
    const [few, many] = [made(10), made(200)].map(({ engine, log, base, header }) => {
      act(engine);
      const text = log.commit().join("");
      expect(textOf(openTexts(base, header + text))).toBe(textOf(engine));
      return text.length;
    });
    expect(many).toBeLessThan(few! + 60);
    expect(few).toBeLessThan(1500);
  });

  it("K-3: logs all migration requests of a renamed branch", () => {
    const { engine, log, base, header } = made(3);
    databaseOf(engine).renameBranch("other", "last");
    expect(textOf(openTexts(base, header + log.commit().join("")))).toBe(textOf(engine));
  });

  it("is refused if a replay would refuse it", () => {
    const { engine, log, base, header } = made(2);
    const before = textOf(engine);
    const labels = ["a", "", "b"];
    delete labels[1];
    expect(() => branchOf(engine, 0).setMetadata({ labels })).toThrow(TwinbaseError);
    expect(textOf(engine)).toBe(before);
    branchOf(engine, 0).createTable("new");
    expect(textOf(openTexts(base, header + log.commit().join("")))).toBe(textOf(engine));
  });
});

/** A copy of an engine that logs its changes. */
function logged(given: AnyEngine) {
  const base = textOf(given);
  const { replay, replayed: found } = replayTexts(base);
  const context = openReplayed(found);
  const numbers = new MigrationNumbers();
  for (const [number, migration] of replay.migrations) numbers.set(migration, number);
  const header = sealLines([["twinbase-log", 1, { commits: 1 }]]);
  const reader = new LineReader(() => {});
  reader.write(header);
  const log = new ChangeLog(context, { commits: 1, numbers, sum: reader.sum });
  const persist = (notice: Notice) => log.add(notice);
  context.feed.persistWith({ requireReady: () => {}, persist, flushed: () => undefined });
  return { engine: new Engine(context), base, log, header };
}

/** Runs a program on a logged copy, compares the replay at each commit, and returns their number. */
function expectReplayed(given: AnyEngine, program: readonly Step[]): number {
  const { engine, base, log, header } = logged(given);
  let text = header;
  const snapshots: Snapshot[] = [];
  let commits = 0;
  let listening: Disposable | undefined;
  for (const step of [...program, { kind: "commit" } as const]) {
    try {
      switch (step.kind) {
        case "event":
          happen(engine, step.event);
          break;
        case "snapshot":
          snapshots.push(engine.snapshot());
          break;
        case "restore":
          if (snapshots.length > 0) engine.restore(snapshots[step.n % snapshots.length]!);
          break;
        case "import":
          importInto(engine, base);
          break;
        case "listen":
          if (listening === undefined) listening = subscribe(engine, () => {});
          else {
            listening[Symbol.dispose]();
            listening = undefined;
          }
          break;
        case "commit":
          text += log.commit().join("");
          commits++;
          expect(textOf(openTexts(base, text))).toBe(textOf(engine));
          break;
        default:
          MORE[step.kind](engine, step.n);
      }
    } catch (error) {
      if (!(error instanceof TwinbaseError)) throw error;
    }
  }
  return commits;
}

function asStep(given: object | undefined): Step {
  const step = given ?? { kind: "commit" };
  const { kind } = step as { kind: string };
  const isEvent = kind !== "commit" && !(kind in MORE) && !OTHERS.includes(kind);
  return (isEvent ? { kind: "event", event: step } : step) as Step; // as generated
}

const OTHERS = ["snapshot", "restore", "import", "listen"];

function databaseOf(engine: AnyEngine, name = "d") {
  return engine.workspace("w").database(name);
}

function branchOf(engine: AnyEngine, n: number, database = "d") {
  const branches = databaseOf(engine, database).branches();
  return databaseOf(engine, database).branch(branches[n % branches.length]!.name);
}

function tableOf(engine: AnyEngine, n: number) {
  const branch = branchOf(engine, n);
  const tables = branch.tables();
  return branch.table(tables[n % Math.max(1, tables.length)]?.name ?? "none");
}

function columnOf(n: number) {
  const columns = [
    { name: `a${n}`, type: "int" },
    { name: `b${n}`, type: "string", defaultValue: "x" },
    { name: `c${n}`, type: "datetime", defaultValue: "now" },
    { name: `d${n}`, type: "multiple" },
    { name: `e${n}`, type: "json" },
    { name: `f${n}`, type: "float", notNull: true, defaultValue: 0.5 },
  ] as const;
  return columns[n % columns.length]!;
}
