import fc from "fast-check";
import { inviteMember } from "../../src/accounts.js";
import { subscribe } from "../../src/changes.js";
import type { Snapshot } from "../../src/engine/snapshot.js";
import { importInto } from "../../src/export.js";
import {
  copyRecords,
  createMigrationRequest,
  listMigrationRequests,
  mergeMigrationRequest,
  missingMigrations,
  pushMigrations,
  updateMigrationRequest,
  updateSchema,
} from "../../src/history.js";
import type { AnyEngine, ColumnDefinition } from "../../src/index.js";
import {
  branchOf,
  CALLS,
  type Calls,
  databaseOf,
  happen,
  type Step,
  stepArbitrary,
  tableOf,
} from "../double/generated-engine.js";

/** Kinds of changes to an engine, besides those of `happen`. */
const MORE: Calls = {
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
  workspaceSettings: (engine, n) => engine.workspace("w").updateSettings({ [`s${n % 3}`]: n }),
  // A record, a table or a branch that a later call of the same commit deletes.
  insertAndDelete: (engine, n) => {
    const { name: table } = tableOf(engine, n);
    const insert = { insert: { table, record: { id: `q${n}` } } };
    branchOf(engine, n).transaction([insert, { delete: { table, id: `q${n}` } }]);
  },
  alterTwice: (engine, n) => {
    for (const place of [n, n + 1])
      tableOf(engine, n).addColumn({ ...columnOf(5), name: `g${place}` });
  },
  branchAndDelete: (engine, n) => {
    const branch = databaseOf(engine).createBranch(`x${n}`, { from: "main", data: true });
    const [{ name } = { name: "none" }] = branch.tables();
    branch.table(name).addColumn({ ...columnOf(5), name: `g${n}` });
    branch.table(name).insert({});
    if (n % 2 === 0) databaseOf(engine).createBranch(`y${n}`, { from: `x${n}`, data: true });
    databaseOf(engine).deleteBranch(`x${n}`);
  },
  files: (engine, n) => {
    const table = tableOf(engine, n);
    if (n % 3 === 0) table.addColumn({ name: `f${n % 4}`, type: n % 2 === 0 ? "file" : "file[]" });
    const { columns } = table.schema();
    const given = { name: `${n}.txt`, base64Content: ["aGVsbG8=", "YQ==", ""][n % 3]! };
    for (const { name, type } of columns) {
      if (type === "file") table.put(`p${n % 5}`, { [name]: given });
      if (type === "file[]") table.put(`p${n % 5}`, { [name]: [given, given] });
    }
  },
  copyRecords: (engine, n) => {
    const [source, target] = [branchOf(engine, n), branchOf(engine, n + 1)];
    copyRecords(source, target);
  },
  applySchema: (engine, n) => {
    const [from, to] = [tableOf(engine, n).name, `s${n % 3}`];
    const operations = [
      { renameTable: { oldName: from, newName: to } },
      { addTable: { table: n % 2 === 0 ? from : `s${n}` } },
      { renameTable: { oldName: to, newName: `s${(n + 1) % 3}` } },
      { removeTable: { table: n % 4 === 0 ? from : `s${(n + 1) % 3}` } },
    ];
    updateSchema(branchOf(engine, n), { operations: operations.slice(0, 1 + (n % 4)) });
  },
  clock: (engine, n) => (n % 2 === 0 ? engine.clock.set(n) : engine.clock.reset()),
  secret: (engine, n) => void engine.drawSecret(1 + (n % 5)),
  setBaseline: (engine) => engine.setBaseline(),
  reset: (engine) => engine.reset(),
};

const OTHERS = ["snapshot", "restore", "restore", "import", "listen"] as const;

/** Groups of two to twenty steps, each for one commit. */
export function groupsArbitrary(maxLength: number): fc.Arbitrary<readonly (readonly Step[])[]> {
  const step = fc.oneof(
    { weight: 4, arbitrary: stepArbitrary(Object.keys(CALLS)) },
    { weight: 5, arbitrary: stepArbitrary([...Object.keys(MORE), ...OTHERS]) },
  );
  const group = fc.array(step, { minLength: 1, maxLength: 20, size: "max" });
  return fc.array(group, { minLength: 2, maxLength, size: "max" });
}

/** Runs steps on an engine; ignores refusals. `base` is the export that an import reads. */
export function createRunner(engine: AnyEngine, base: string): (step: Step) => void {
  const snapshots: Snapshot[] = [];
  let listening: Disposable | undefined;
  const restore: Calls[string] = (_, n) => {
    if (snapshots.length > 0) engine.restore(snapshots[n % snapshots.length]!);
  };
  const others: Readonly<Record<(typeof OTHERS)[number], Calls[string]>> = {
    snapshot: () => snapshots.push(engine.snapshot()),
    restore,
    import: () => importInto(engine, base),
    listen: () => {
      listening?.[Symbol.dispose]();
      listening = listening === undefined ? subscribe(engine, () => {}) : undefined;
    },
  };
  return (step) => happen(engine, step, { ...CALLS, ...MORE, ...others });
}

export function columnOf(n: number): ColumnDefinition {
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
