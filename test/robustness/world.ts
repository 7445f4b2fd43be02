import { SAMPLES, SETUP, toXata, USER_COLUMNS } from "../../scripts/attack/samples.mjs";
import { enableFiles } from "../../src/files.js";
import { createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine, type ProfileName } from "../../src/index.js";
import { searchBranch, searchTable, vectorSearch } from "../../src/search.js";

/** The handles of an engine with the world of the samples. */
function placeOf(engine: AnyEngine) {
  const acme = engine.workspace("acme");
  const shop = acme.database("shop");
  const main = shop.branch("main");
  return { engine, acme, shop, main, users: main.table("users") };
}

type Place = ReturnType<typeof placeOf>;

/** A public method with valid arguments. */
export interface GoodCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly call: (engine: AnyEngine, ...args: readonly unknown[]) => unknown;
}

/** Calls by name, with lists of valid arguments. */
type Calls = Readonly<
  Record<string, readonly [(place: Place, ...args: never[]) => unknown, ...unknown[][]]>
>;

/** An engine with an entity of every kind; those of a profile are equal. */
export async function openWorld(profile: ProfileName): Promise<AnyEngine> {
  const engine = createEngine({ profile: profile as "documented", seed: 1, now: 0 });
  enableFiles(engine);
  engine.createWorkspace("acme");
  engine.createUser({ email: "ann@example.com", fullname: "Ann", workspaces: ["acme"] });
  const ask = createFetch(engine, { workspace: "acme" });
  for (const [method, path, body] of SETUP) {
    if (path.startsWith("/_twinbase")) continue;
    const text = JSON.stringify(body);
    const sent = profile === "xata" ? toXata(text) : text;
    const { status } = await ask(`http://localhost${path}`, { method, body: sent });
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  }
  return engine;
}

/** Calls that read. */
export function readsOf(engine: AnyEngine): readonly GoodCall[] {
  const { users } = placeOf(engine);
  const bodies = bodiesIn(engine);
  const [query = {}] = bodies("queryTable") as { filter?: object; columns?: object }[];
  const { filter, columns } = query;
  const [after, before] = [0, 2].map(
    (offset) => users.query({ sort: { age: "asc" }, page: { size: 1, offset } }).meta.page.cursor,
  );
  return listCalls({
    query: [
      (at, request) => at.users.query(request),
      [query],
      [{ page: { after, before, size: 5 }, columns: ["name"] }],
      [{ page: { start: after } }],
      [{ page: { before: "end" }, sort: { age: "asc" }, consistency: "strong" }],
    ],
    scan: [(at, request) => [...at.users.scan(request)], [{ filter, sort: ["name", "home.zip"] }]],
    count: [
      (at, given) => at.users.count(given),
      [filter],
      [{ age: { $any: [1, 2, 3] }, doc: { $is: { a: [1] } }, labels: ["red"] }],
    ],
    summarize: [(at, request) => at.users.summarize(request), bodies("summarizeTable")],
    aggregate: [(at, request) => at.users.aggregate(request), bodies("aggregateTable")],
    searchTable: [(at, request) => searchTable(at.users, request), bodies("searchTable")],
    searchBranch: [
      (at, request) => searchBranch(at.main, request),
      ...bodies("searchBranch").map((body) => [body]),
    ],
    vectorSearch: [(at, request) => vectorSearch(at.users, request), bodies("vectorSearchTable")],
    explain: [(at, request) => at.users.explain(request), [query]],
    get: [(at, id, options) => at.users.get(id, options), ["u1", { columns }]],
    resolve: [
      (at, request) => at.shop.gitBranches.resolve(request),
      [{ gitBranch: "feature", fallbackBranch: "dev" }],
    ],
  });
}

/** Calls that write, but leave every name that they use. */
export function writesOf(engine: AnyEngine): readonly GoodCall[] {
  const bodies = bodiesIn(engine);
  const one = (operation: string): unknown => bodies(operation)[0];
  const record = one("insertRecordWithID") as { readonly id: string };
  const { id: _, ...user } = record;
  const [plain] = (one("bulkInsertTableRecords") as { records: object[] }).records;
  const { age, team, home, labels, doc } = user as { readonly [name: string]: unknown };
  const { operations } = one("branchTransaction") as { operations: object[] };
  const metadata = one("updateBranchMetadata");
  return listCalls({
    insert: [
      (at, given, options) => at.users.insert(given, options),
      [user, { columns: ["team.name"] }],
      [[plain, { id: "e", "home.city": "Y", "home.zip": 2 }, { home }]],
    ],
    load: [
      (at, given) => at.users.load(given),
      [
        [
          { home, age, labels },
          { team, home },
        ],
      ],
    ],
    update: [
      (at, id, changes, options) => at.users.update(id, changes, options),
      ["u1", { ...user, age: { $increment: 1 } }, { ifVersion: 0, columns: ["age"] }],
    ],
    replace: [
      (at, id, given, options) => at.users.replace(id, given, options),
      ["u1", { age, home, labels }, { ifVersion: 0 }],
    ],
    upsert: [
      (at, id, given, options) => at.users.upsert(id, given, options),
      ["new", { team, home, doc }, { columns: ["*"] }],
    ],
    put: [
      (at, id, given, options) => at.users.put(id, given, options),
      ["new", { home, age }, { createOnly: true, columns: ["name"] }],
    ],
    delete: [(at, id, options) => at.users.delete(id, options), ["u3", { ifVersion: 0 }]],
    transaction: [(at, list) => at.main.transaction(list), [operations]],
    createTable: [
      (at, name, columns) => at.main.createTable(name, columns),
      ["fresh", [...USER_COLUMNS]],
    ],
    addColumn: [
      (at, column) => at.users.addColumn(column),
      [{ name: "late", type: "int", notNull: true, defaultValue: 1 }],
      ...bodies("addTableColumn").map((body) => [body]),
    ],
    alterColumn: [
      (at, column) => at.users.alterColumn(column),
      [{ ...USER_COLUMNS[0], unique: false }],
    ],
    createUser: [
      (at, given) => at.engine.createUser(given),
      [{ email: "b@example.com", fullname: "B", image: "", keys: ["k2"], workspaces: ["acme"] }],
    ],
    updateUser: [
      (at, id, changes) => at.engine.updateUser(id, changes),
      ["usr_1", one("updateUser")],
    ],
    createWorkspace: [
      (at, id, options) => at.engine.createWorkspace(id, options),
      ["other", { name: "Other" }],
    ],
    renameWorkspace: [(at, id, name) => at.engine.renameWorkspace(id, name), ["acme", "Other"]],
    addKey: [(at, key) => at.engine.addKey("usr_1", key), ["another"]],
    updateSettings: [
      (at, changes) => at.acme.updateSettings(changes),
      [one("updateWorkspaceSettings")],
    ],
    createDatabase: [
      (at, name, options) => at.acme.createDatabase(name, options),
      ["books", { region: "eu", branchName: "main", ui: { color: "blue" } }],
    ],
    updateDatabase: [(at, changes) => at.shop.update(changes), [one("updateDatabaseMetadata")]],
    createBranch: [
      (at, name, options) => at.shop.createBranch(name, options),
      ["twig", { from: "dev", metadata }],
    ],
    renameBranch: [(at, name, next) => at.shop.renameBranch(name, next), ["same", "next"]],
    setMetadata: [(at, given) => at.main.setMetadata(given), [metadata]],
    addGitBranch: [(at, entry) => at.shop.gitBranches.add(entry), [one("addGitBranchesEntry")]],
    removeGitBranch: [(at, name) => at.shop.gitBranches.remove(name), ["feature"]],
  });
}

/** Calls after which others find a name no longer. */
export function renamesOf(): readonly GoodCall[] {
  return listCalls({
    renameColumn: [
      (at, name, next) => at.users.renameColumn(name, next),
      ["name", "title"],
      ["home.zip", "place"],
    ],
    removeColumn: [(at, name) => at.users.removeColumn(name), ["home.city"], ["age"]],
    setSchema: [
      (at, schema, options) => at.users.setSchema(schema, options),
      [{ columns: USER_COLUMNS.slice(1) }, { dropValues: true }],
    ],
    renameTable: [(at, name, next) => at.main.renameTable(name, next), ["users", "people"]],
    renameDatabase: [(at, name, next) => at.acme.renameDatabase(name, next), ["shop", "store"]],
  });
}

/** The bodies of the samples of an operation, under the profile of an engine. */
function bodiesIn({ profile }: AnyEngine): (operation: string) => unknown[] {
  const isXata = profile.metadataColumn === "xata";
  return (operation) =>
    (SAMPLES[operation] ?? []).map(({ body }) => {
      const text = JSON.stringify(body);
      return JSON.parse(isXata ? toXata(text) : text);
    });
}

function listCalls(calls: Calls): readonly GoodCall[] {
  return Object.entries(calls).flatMap(([name, [act, ...lists]]) =>
    lists.map((args): GoodCall => {
      const call: GoodCall["call"] = (engine, ...given) =>
        act(placeOf(engine), ...(given as never[]));
      return { name, args, call };
    }),
  );
}
