// Random programs: one table of the calls that change an engine, for tests, attacks and data folders. A step is
// a kind and a number, from which the call draws its arguments: plain data, which can be printed and shrunk.
import { createRandom, createWords } from "../random.mjs";

const NAMES = ["x", "X", "y", "z", "c0", "c1", "c2", "c3", "c4", "n", "s"];
const CONTENTS = ["aGVsbG8=", "YQ==", ""];
const makeFile = (random) => ({ name: "a.txt", base64Content: random.pick(CONTENTS) });

/** Few different values: ties are common. */
const VALUES = {
  int: (random) => random.pick([0, 1, 2, -5, 100, random.below(1000)]),
  float: (random) => random.pick([0.5, -0, 1e308, -1e308, 0.1, random.next()]),
  string: (random) =>
    random.pick(["", "a", "b", "ab", 'ä\n"\u2028', "\u{1f600}", `s${random.below(50)}`]),
  text: (random) =>
    random.pick(["text", `text ${random.below(5000)} of many`, "a".repeat(random.below(300))]),
  email: (random) => `u${random.below(9)}@example.com`,
  datetime: (random) =>
    random.pick(["2022-01-01T00:00:00Z", `20${10 + random.below(20)}-05-06T07:08:09.000001Z`]),
  bool: (random) => random.chance(0.5),
  multiple: (random) => random.pick([[], ["a"], ["a", "b", `t${random.below(20)}`]]),
  json: (random) => random.pick([{ a: [1, { b: null }] }, [random.below(3)], "text", 5]),
  link: (random, world) => world.id(random),
  object: (random, world, { columns }) => makeRecord(random, world, columns),
  vector: (random, _, { vector }) =>
    Array.from({ length: vector.dimension }, () => random.pick([0, 1, 0.5, -2])),
  file: makeFile,
  "file[]": (random) => random.several(0, 2, () => makeFile(random)),
};

/** A record without an id; each value may be null or missing. */
function makeRecord(random, world, columns) {
  const record = {};
  for (const column of columns) {
    if (random.chance(0.25)) continue;
    const isUnique = column.unique === true;
    if (column.notNull !== true && random.chance(isUnique ? 0.5 : 0.15)) record[column.name] = null;
    else if (isUnique && column.type === "string")
      record[column.name] = `u${random.below(world.uniques)}`;
    else record[column.name] = VALUES[column.type](random, world, column);
  }
  return record;
}

/** A column of any type; `link` leads to a table that may be missing. */
function makeColumn(random, world, name = random.pick(NAMES)) {
  return random.pick([
    () => ({ name, type: random.pick(["text", "bool", "multiple", "json", "float", "file"]) }),
    () => ({ name, type: "int" }),
    () => ({ name, type: "int", notNull: true, defaultValue: random.below(9) }),
    () => ({ name, type: "float", notNull: true, defaultValue: 0.5 }),
    () => ({ name, type: "string", ...random.pick([{}, { defaultValue: "ä\u2028" }]) }),
    () => ({ name, type: "string", unique: true }),
    () => ({ name, type: "datetime", ...random.pick([{}, { defaultValue: "now" }]) }),
    () => ({ name, type: "file[]" }),
    () => ({ name, type: "link", link: { table: random.pick(world.tables) } }),
    () => ({
      name,
      type: "object",
      columns: [makeColumn(random, world, "k"), makeColumn(random, world, "w")],
    }),
  ])();
}

/**
 * An engine for programs. `options` may replace the names of created tables, the ids and values of records, and
 * the columns of created tables; `fixed` is a branch whose schema stays.
 */
export function createWorld(api, engine, options = {}) {
  const world = {
    ...{
      api,
      engine,
      snapshots: [],
      tables: ["a", "b", "c", "d"],
      uniques: 9,
      many: 40,
      loads: [50],
    },
    id: (random) => `r${random.below(9)}`,
    columnsOf: (_, random) => random.several(0, 4, () => makeColumn(random, world)),
    record: (columns, random) => makeRecord(random, world, columns),
    ...options,
  };
  return world;
}

/** Returns the database of a program, which a reset may have removed. */
function databaseOf(engine) {
  if (!engine.hasDatabase("w", "d")) {
    const isThere = engine.workspaces().some(({ id }) => id === "w");
    (isThere ? engine.workspace("w") : engine.createWorkspace("w")).createDatabase("d");
  }
  return engine.workspace("w").database("d");
}

/** The path of a column, which may be within an object. */
function drawPath(random, columns) {
  const { name = "none", columns: inner = [] } = random.pick(columns) ?? {};
  return inner.length > 0 && random.chance(0.5) ? `${name}.${random.pick(inner).name}` : name;
}

/** The branch, table, names and values of a call. */
function drawPlace(world, n) {
  const random = createRandom(n);
  const { engine, api } = world;
  const database = databaseOf(engine);
  const branches = database.branches().map(({ name }) => name);
  const branch = database.branch(random.pick([branches[0], branches[0], branches[0], ...branches]));
  const others = branches.filter((one) => one !== branch.name);
  const other = database.branch(random.pick(others) ?? branch.name);
  const names = branch.tables().map(({ name }) => name);
  const name = random.pick(names) ?? "none";
  const columnsOf = (of) => (names.includes(of) ? branch.table(of).schema().columns : []);
  const columns = columnsOf(name);
  const record = (of = name) => world.record(columnsOf(of), random);
  return {
    world,
    api,
    engine,
    database,
    branch,
    other,
    name,
    names,
    columns,
    random,
    n,
    get table() {
      return branch.table(name); // throws if there is none
    },
    isFixed: branch.name === world.fixed,
    column: drawPath(random, columns),
    newColumn: () => {
      const column = makeColumn(random, world);
      const { name } = random.pick(columns.filter(({ type }) => type === "object")) ?? {};
      const isWithin = name !== undefined && random.chance(0.3);
      return isWithin ? { ...column, name: `${name}.${column.name}` } : column;
    },
    newId: () => world.id(random),
    /** Often of a record. */
    id: () => {
      if (random.chance(0.5)) return world.id(random);
      const page = { size: 9, offset: random.pick([0, 0, 0, random.below(300)]) };
      const { records } = branch.table(name).query({ columns: [], page });
      return random.pick(records)?.id ?? world.id(random);
    },
    record,
    /** Some of the fields of a record. */
    part: () => Object.fromEntries(Object.entries(record()).filter(() => random.below(3) === 0)),
    /** A record without unique values. */
    plain: () =>
      world.record(
        columns.filter(({ unique }) => unique !== true),
        random,
      ),
  };
}

/** Calls that write records. */
const RECORDS = {
  insert: ({ table, newId, record }) => table.insert({ id: newId(), ...record() }),
  insertWithoutId: ({ table, record }) => table.insert(record()),
  insertMany: ({ world, table, newId, record, random }) => {
    const hasIds = random.chance(0.5);
    table.insert(
      random.several(1, world.many, () => ({ ...(hasIds && { id: newId() }), ...record() })),
    );
  },
  load: ({ world, table, plain, random }) => {
    table.load(random.several(0, random.pick(world.loads), plain));
  },
  update: ({ table, id, part, random }) => table.update(id(), random.chance(0.2) ? {} : part()),
  updateAll: ({ table, record }) => {
    const { records } = table.query({ columns: [], page: { size: 20 } });
    for (const { id } of records) table.update(id, record());
  },
  increment: ({ table, id, columns, random }) => {
    const name = columns.find(({ type }) => type === "int")?.name ?? "none";
    table.update(id(), { [name]: { $increment: random.below(9) } });
  },
  replace: ({ table, id, record }) => table.replace(id(), record()),
  upsert: ({ table, id, record }) => table.upsert(id(), record()),
  put: ({ table, id, record }) => table.put(id(), record()),
  delete: ({ table, id }) => table.delete(id()),
  deleteMany: ({ table, random }) => {
    const ids = [...table.scan({ columns: [] })].map(({ id }) => id);
    const from = random.below(ids.length);
    for (const id of ids.slice(from, from + random.pick([4, 200, 3000]))) table.delete(id);
  },
  deleteTogether: ({ branch, name, id, random }) =>
    branch.transaction(random.several(1, 4, () => ({ delete: { table: name, id: id() } }))),
  // A record that a transaction deletes and inserts again, or inserts and deletes.
  transaction: ({ branch, name: table, names, record, part, id, newId, random }) => {
    const [to, first, second] = [random.pick(names) ?? table, newId(), id()];
    branch.transaction([
      { insert: { table, record: { id: first, ...record() } } },
      { update: { table: to, id: id(), fields: {}, upsert: random.chance(0.5) } },
      { delete: { table: to, id: second } },
      ...random.pick([[], [{ insert: { table: to, record: { id: second, ...record(to) } } }]]),
      { update: { table, id: first, fields: part() } },
      ...random.pick([[], [{ delete: { table, id: first } }]]),
      { get: { table, id: first } },
    ]);
  },
  refused: ({ branch, name: table, record, id, newId }) =>
    branch.transaction([
      { insert: { table, record: { id: newId(), ...record() } } },
      { delete: { table, id: id() } },
      { update: { table, id: "nobody", fields: {} } },
    ]),
};

/** Calls that change tables, except those of a fixed branch. */
const SCHEMA = {
  createTable: ({ world, branch, random }) => {
    const name = random.pick(world.tables);
    branch.createTable(name, world.columnsOf(name, random));
  },
  deleteTable: ({ branch, name }) => branch.deleteTable(name),
  renameTable: ({ world, table, random }) => table.rename(random.pick(world.tables)),
  addColumn: ({ table, newColumn }) => table.addColumn(newColumn()),
  addColumns: ({ table, newColumn }) => {
    for (let i = 0; i < 2; i++) table.addColumn(newColumn());
  },
  alterColumn: ({ table, columns, random }) => {
    const [flag, isSet] = [random.pick(["unique", "notNull"]), random.chance(0.5)];
    table.alterColumn({ ...random.pick(columns), [flag]: isSet });
  },
  removeColumn: ({ table, column }) => table.removeColumn(column),
  renameColumn: ({ table, column, random }) => table.renameColumn(column, random.pick(NAMES)),
  setSchema: ({ world, table, name, columns, random }) => {
    const kept = columns.filter(() => random.chance(0.8)).reverse();
    const isWhole = world.tables.includes(name) && random.chance(0.5);
    const next = isWhole ? world.columnsOf(name, random) : kept;
    table.setSchema({ columns: next }, { dropValues: random.chance(0.8) });
  },
  migrate: ({ api, world, branch, name, newColumn, random }) => {
    const [to, last] = [random.pick(world.tables), random.pick(world.tables)];
    const operations = [
      { addTable: { table: random.pick(["m0", "m1", name]) } },
      { renameTable: { oldName: name, newName: to } },
      { addColumn: { table: to, column: newColumn() } },
      { addTable: { table: name } },
      { renameTable: { oldName: to, newName: last } },
      { removeTable: { table: random.pick([name, last]) } },
    ];
    const from = random.below(operations.length);
    api.updateSchema(branch, { operations: operations.slice(from, from + random.below(7)) });
  },
  push: ({ api, branch, other }) =>
    api.pushMigrations(branch, api.missingMigrations(other, branch)),
  merge: ({ api, database, random }) => {
    const { length } = api.listMigrationRequests(database);
    api.mergeMigrationRequest(database, 1 + random.below(length));
  },
};

const CATALOG = {
  branch: ({ database, branch, random }) => {
    const options = { from: branch.name, ...random.pick([{}, { data: true }]) };
    database.createBranch(`b${random.below(4)}`, random.chance(0.2) ? {} : options);
  },
  deleteBranch: ({ database, other }) => database.deleteBranch(other.name),
  renameBranch: ({ database, branch, random }) =>
    database.renameBranch(branch.name, `b${random.below(4)}`),
  // A later call of the same commit deletes the branch.
  branchAndDelete: ({ database, branch, name, newColumn, random }) => {
    const made = database.createBranch("passing", { from: branch.name, data: true });
    if (random.chance(0.5)) made.table(name).addColumn(newColumn());
    made.table(name).insert({});
    if (random.chance(0.5)) database.createBranch("b0", { from: "passing", data: true });
    database.deleteBranch("passing");
  },
  renameDatabase: ({ engine }) => {
    const workspace = engine.workspace("w");
    workspace.renameDatabase("d", "e0");
    try {
      workspace.database("e0").branch("main").createTable("within");
    } finally {
      workspace.renameDatabase("e0", "d");
    }
  },
  otherDatabase: ({ engine, newColumn, random }) => {
    const [workspace, name] = [engine.workspace("w"), `e${random.below(3)}`];
    const create = () => workspace.createDatabase(name).branch("main");
    random.pick([
      () => create().createTable("t", [newColumn()]),
      () => workspace.deleteDatabase(name),
      () => workspace.renameDatabase(name, `e${random.below(3)}`),
    ])();
  },
  workspace: ({ engine, random }) => {
    const id = `w${random.below(3)}`;
    random.pick([
      () => engine.createWorkspace(id).createDatabase("d").branch("main").createTable("t"),
      () => engine.deleteWorkspace(id),
      () => engine.renameWorkspace("w", `W${random.below(9)}`),
    ])();
  },
  gitBranch: ({ engine, database, branch, random }) => {
    const gitBranch = `feature/${random.below(3)}`;
    if (random.chance(0.3)) database.gitBranches.remove(gitBranch);
    else database.gitBranches.add({ gitBranch, [engine.profile.mappingTarget]: branch.name });
  },
  settings: ({ engine, database, random }) =>
    random
      .pick([database, engine.workspace("w")])
      .updateSettings({ [`s${random.below(3)}`]: [random.below(9), null, { ä: "\u2028" }] }),
  metadata: ({ branch, random }) =>
    branch.setMetadata({ stage: `s${random.below(9)}`, labels: ["a"] }),
  user: ({ engine, random }) => {
    const n = random.below(9);
    const workspaces = random.pick([[], ["w"]]);
    engine.createUser({
      email: `u${n}@example.com`,
      fullname: `Üser ${n}`,
      keys: [`key ${n}`],
      workspaces,
    });
  },
  deleteUser: ({ engine, random }) => engine.deleteUser(`usr_${random.below(4)}`),
  key: ({ engine, random }) => {
    const [user, name] = [`usr_${random.below(3)}`, `k${random.below(4)}`];
    if (random.chance(0.3)) engine.deleteKey(user, name);
    else engine.createKey(user, name);
  },
  invite: ({ api, engine, random }) => {
    const email = `i${random.below(9)}@example.com`;
    api.inviteMember(engine.workspace("w"), { email, role: "maintainer" });
  },
  request: ({ api, database, branch, other, random }) => {
    const { length } = api.listMigrationRequests(database);
    const title = `t${random.below(9)}`;
    if (random.chance(0.3)) {
      api.updateMigrationRequest(database, 1 + random.below(length), { title });
    } else {
      const ends = { source: branch.name, target: other.name };
      api.createMigrationRequest(database, { ...ends, title });
    }
  },
  copyRecords: ({ api, branch, other }) => api.copyRecords(branch, other),
};

/** Calls that concern the whole engine. */
const WHOLE = {
  random: ({ table }) => table.query({ sort: { "*": "random" } }),
  advance: ({ engine, random }) => engine.clock.advance(random.below(1000) / 8),
  clock: ({ engine, n, random }) =>
    random.chance(0.5) ? engine.clock.set(n) : engine.clock.reset(),
  secret: ({ engine, random }) => engine.drawSecret(1 + random.below(5)),
  snapshot: ({ world, engine }) => world.snapshots.push(engine.snapshot()),
  restore: ({ world, engine, random }) => {
    if (world.snapshots.length > 0) engine.restore(random.pick(world.snapshots));
  },
  setBaseline: ({ engine }) => engine.setBaseline(),
  reset: ({ engine }) => engine.reset(),
  import: ({ api, world, engine }) =>
    api.importInto(engine, world.base ?? api.exportEngine(engine)),
  listen: ({ api, world, engine }) => {
    const { listening } = world;
    listening?.unsubscribe();
    world.listening = listening === undefined ? api.subscribe(engine, () => {}) : undefined;
  },
};

const unlessFixed = ([kind, act]) => [kind, (place) => place.isFixed || act(place)];

/** The calls by kind. */
export const CALLS = {
  ...RECORDS,
  ...Object.fromEntries(Object.entries(SCHEMA).map(unlessFixed)),
  ...CATALOG,
  ...WHOLE,
};

/** The kinds of calls, in groups. */
export const KINDS = {
  records: Object.keys(RECORDS),
  schema: Object.keys(SCHEMA),
  catalog: Object.keys(CATALOG),
  whole: Object.keys(WHOLE),
};

/** Makes the call of a step. */
export function makeCall(world, [kind, n], calls = CALLS) {
  return calls[kind](drawPlace(world, n));
}

/** Makes the call of a step; ignores a refusal, which changes nothing. */
export function runStep(world, step, calls = CALLS) {
  try {
    makeCall(world, step, calls);
  } catch (error) {
    if (error?.name !== "TwinbaseError") throw error;
  }
}

/** Returns each kind as often as it has weight. */
export function weigh(weights) {
  return Object.entries(weights).flatMap(([kind, often]) => new Array(often).fill(kind));
}

/** A program of steps of these kinds. */
export function createProgram(seed, length, kinds) {
  const words = createWords(seed);
  return Array.from({ length }, () => [kinds[words() % kinds.length], words()]);
}
