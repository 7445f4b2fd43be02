import { enableFiles } from "../../dist/files.js";
import {
  copyRecords,
  createMigrationRequest,
  listMigrationRequests,
  mergeMigrationRequest,
  missingMigrations,
  pushMigrations,
  updateSchema,
} from "../../dist/history.js";
import { createEngine } from "../../dist/index.js";
import { open, textOf } from "./folder-program.mjs";

const TYPES = ["int", "string", "file", "file[]", "json", "datetime", "multiple", "link"];

function columnOf(n) {
  const type = TYPES[n % TYPES.length];
  const column = {
    name: `c${n % 7}`,
    type,
    ...(type === "link" && { link: { table: `t${n % 3}` } }),
  };
  if (type === "int" && n % 3 === 0) return { ...column, notNull: true, defaultValue: n };
  if (type === "string" && n % 3 === 0) return { ...column, defaultValue: "ä\u2028" };
  return type === "string" && n % 3 === 1 ? { ...column, unique: true } : column;
}

const FILE = { name: "a.txt", base64Content: "aGVsbG8=" };
const VALUES = { int: 5, string: "s", file: FILE, "file[]": [FILE, FILE], json: { a: [1] } };

function recordOf(table, n) {
  const members = table.schema().columns.map(({ name, type, unique }) => {
    const value = { ...VALUES, datetime: "2020-01-01T00:00:00.000123Z", multiple: ["x"] }[type];
    return [name, unique ? `u${n % 9}` : type === "link" ? `r${n % 9}` : value];
  });
  return Object.fromEntries(members.filter((_, place) => (n + place) % 3 > 0));
}

/** Calls by place: engine, database, branch, table, number. */
const CALLS = [
  ({ table, n }) => table.insert([{ id: `r${n % 9}` }, recordOf(table, n)]),
  ({ table, n }) => table.put(`r${n % 9}`, recordOf(table, n)),
  ({ table, n }) => table.upsert(`r${n % 9}`, recordOf(table, n)),
  ({ table, n }) => table.delete(`r${n % 9}`),
  ({ table }) => table.query({ columns: [] }).records.map(({ id }) => table.delete(id)),
  ({ branch, table, n }) =>
    branch.transaction([
      { insert: { table: table.name, record: { id: `q${n % 5}` } } },
      { update: { table: table.name, id: `r${n % 9}`, fields: {}, upsert: true } },
      { delete: { table: table.name, id: n % 2 === 0 ? `q${n % 5}` : `r${n % 9}` } },
    ]),
  ({ branch, n }) => branch.createTable(`t${n % 5}`, [columnOf(n), columnOf(n + 1)]),
  ({ branch, table }) => branch.deleteTable(table.name),
  ({ table, n }) => table.rename(`t${n % 5}`),
  ({ table, n }) => table.addColumn(columnOf(n)),
  ({ table, n }) => table.addColumn({ name: `n${n}`, type: "int", notNull: true, defaultValue: n }),
  ({ table, n }) => table.addColumn({ name: `o${n}`, type: "object", columns: [columnOf(n)] }),
  ({ table, n }) => table.removeColumn(table.schema().columns[n % 3].name),
  ({ table, n }) => table.renameColumn(table.schema().columns[n % 3].name, `x${n % 7}`),
  ({ database, branch, n }) =>
    database.createBranch(`b${n % 4}`, { from: branch.name, data: n % 2 > 0 }),
  ({ database, branch }) => database.deleteBranch(branch.name),
  ({ database, branch, n }) => database.renameBranch(branch.name, `b${n % 4}`),
  ({ engine, n }) =>
    engine
      .createWorkspace(`w${n % 3}`)
      .createDatabase("d")
      .branch("main")
      .createTable("t"),
  ({ engine, n }) => engine.deleteWorkspace(`w${n % 3}`),
  ({ workspace, n }) =>
    workspace
      .createDatabase(`e${n % 3}`)
      .branch("main")
      .createTable("t"),
  ({ workspace, n }) => workspace.renameDatabase(`e${n % 3}`, `e${(n + 1) % 3}`),
  ({ workspace, n }) => workspace.deleteDatabase(`e${n % 3}`),
  ({ database, n }) => database.updateSettings({ [`s${n % 3}`]: n }),
  ({ branch, n }) => branch.setMetadata({ stage: `s${n}`, labels: ["a"] }),
  ({ database, branch, n }) =>
    database.gitBranches.add({ gitBranch: `g${n % 3}`, serviceBranch: branch.name }),
  ({ database, n }) => database.gitBranches.remove(`g${n % 3}`),
  ({ engine, n }) =>
    engine.createUser({ email: "u@example.com", fullname: `u${n}`, workspaces: ["w"] }),
  ({ engine, n }) => engine.deleteUser(`usr_${n % 4}`),
  ({ engine, n }) => engine.createKey("usr_0", `k${n % 3}`),
  ({ engine, n }) => engine.deleteKey("usr_0", `k${n % 3}`),
  ({ engine, n }) => engine.clock.advance(n),
  ({ branch, n }) => {
    const operations = [
      { addTable: { table: `m${n % 3}` } },
      { renameTable: { oldName: `m${n % 3}`, newName: `m${(n + 1) % 3}` } },
      { addColumn: { table: `m${(n + 1) % 3}`, column: columnOf(n) } },
      { removeTable: { table: `m${(n + 1) % 3}` } },
    ];
    updateSchema(branch, { operations: operations.slice(0, 1 + (n % 4)) });
  },
  ({ branch, other }) => pushMigrations(other, missingMigrations(branch, other)),
  ({ branch, other }) => copyRecords(branch, other),
  ({ database, branch, other, n }) =>
    createMigrationRequest(database, { source: branch.name, target: other.name, title: `t${n}` }),
  ({ database, n }) =>
    mergeMigrationRequest(database, 1 + (n % listMigrationRequests(database).length)),
  ({ engine, snapshots }) => snapshots.push(engine.snapshot()),
  ({ engine, snapshots, n }) => engine.restore(snapshots[n % snapshots.length]),
  ({ engine, n }) => n % 4 === 0 && engine.reset(),
];

function call(engine, snapshots, { kind, n }) {
  const workspace = engine.workspace("w");
  const database = workspace.database("d");
  const branches = database.branches();
  const [branch, other] = [n, n + 1].map((at) =>
    database.branch(branches[at % branches.length].name),
  );
  const tables = branch.tables();
  const { name } = tables[n % Math.max(1, tables.length)] ?? { name: "none" };
  const table = tables.length === 0 ? branch.createTable(name) : branch.table(name);
  CALLS[kind]({ engine, workspace, database, branch, other, table, snapshots, n });
}

/** Commits groups of calls, closes or copies the folder, opens it again, and compares. */
export async function groupCalls(folder, copyOf, random, seed) {
  const [faults, groups] = [[], 20];
  const begin = () => enableFiles(createEngine({ seed: 7, now: 0 }));
  const openAt = (at) => open(at, { initial: begin });
  let engine = await openAt(folder);
  engine.createWorkspace("w").createDatabase("d");
  let snapshots = [];
  for (let group = 0; group < groups && faults.length === 0; group++) {
    const calls = Array.from({ length: 2 + random(19) }, () => ({
      kind: random(CALLS.length),
      n: random(1000),
    }));
    for (const each of calls) {
      try {
        call(engine, snapshots, each);
      } catch (error) {
        if (error.name !== "TwinbaseError" && !(error instanceof TypeError)) throw error;
      }
    }
    await engine.flushed();
    const text = textOf(engine);
    const isClosed = random(2) === 0;
    if (isClosed) await engine.close();
    const what = `group ${group} of seed ${seed}: ${JSON.stringify(calls)}`;
    try {
      const again = await openAt(isClosed ? folder : copyOf(folder));
      if (textOf(again) !== text) faults.push(`${what}: opens in another state`);
      if (isClosed) [engine, snapshots] = [again, []];
      else await again.close();
    } catch (error) {
      faults.push(`${what}: ${error.message}`);
    }
  }
  await engine.close();
  return { faults, groups };
}
