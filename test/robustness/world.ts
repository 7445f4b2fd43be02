import { enableFiles } from "../../src/files.js";
import { type Branch, createEngine, type Engine, type ProfileName } from "../../src/index.js";
import { searchBranch, searchTable, vectorSearch } from "../../src/search.js";
import { defineColumns } from "../columns.js";
import { type UntypedBranch, type UntypedTable, untyped } from "../rules/fixture.js";

/** An engine with an entity of every kind, and valid calls on it. */
export interface World {
  readonly engine: Engine;
  readonly branch: UntypedBranch & Pick<Branch, "setMetadata">;
  readonly players: UntypedTable;
  readonly requests: readonly GoodCall[];
}

/** A public method with valid arguments. */
export interface GoodCall {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly call: (...args: never[]) => unknown;
}

const PLAYERS = [
  { name: "at", type: "datetime", defaultValue: "now" },
  ...defineColumns({
    name: "string",
    n: "int",
    x: "float",
    flag: "bool",
    mail: "email unique",
    tags: "multiple",
    team: "-> teams",
    home: { city: "string", geo: { lat: "float" } },
    doc: "json",
    vec: "vector 2",
    pic: "file",
  }),
];

const PLAYER = {
  name: "New",
  n: 5,
  x: 0.5,
  flag: true,
  mail: "new@example.com",
  at: "2022-01-31T10:20:30.5+01:00",
  tags: ["a", "b"],
  team: { id: "red" },
  home: { city: "X", geo: { lat: 1 } },
  doc: { a: [1, { b: null }] },
  vec: [1, 2],
  pic: { name: "a.png" },
};

const FILTER = {
  $any: [
    { n: { $gt: 0, $lt: 10 }, name: { $any: ["Ann", { $startsWith: "B" }, null] } },
    { $not: { team: { name: "Red", boss: { $exists: "home.city" } } } },
    { tags: { $includes: [{ $contains: "x" }, "y"] }, "doc->a": { $isNot: 1 } },
  ],
  home: { $none: [{ city: { $pattern: "X*" } }, { geo: { lat: { $ge: 2 } } }] },
  "team.id": { $isNot: "gone" },
  $exists: ["id", "service.version"],
};

const SORT = [{ n: "desc", "team.name": "asc" }, "home.city", { "*": "random" }];
const COLUMNS = [
  "*",
  "team.boss.name",
  "home.geo.*",
  { name: "<-teams.boss", as: "bossOf", columns: ["name"], sort: { name: "asc" }, limit: 5 },
];

/** Opens a world; those of a profile are equal. */
export function openWorld(profile: ProfileName): World {
  const engine = enableFiles(createEngine({ profile: profile as "documented", seed: 1, now: 0 }));
  engine.createUser({ email: "ann@example.com", fullname: "Ann", keys: ["key"] });
  const acme = engine.createWorkspace("acme");
  const shop = acme.createDatabase("shop", { ui: { color: "RED" } });
  const main = shop.branch("main");
  const branch = untyped(main);
  const teams = branch.createTable("teams", defineColumns({ name: "string", boss: "-> players" }));
  const players = branch.createTable("players", PLAYERS);
  const { pic: _, ...plain } = PLAYER;
  const one = profile === "xata" ? plain : PLAYER; // of several: X-8
  const dangling = engine.profile.links === "free" ? "gone" : null;
  teams.insert([
    { id: "red", name: "Red" },
    { id: "blue", name: "Blue" },
  ]);
  players.insert([
    { id: "a", name: "Ann", n: 1, team: "red", mail: "ann@example.com", home: { city: "X" } },
    { id: "b", name: "Bob", n: 2, team: dangling, tags: ["x"], doc: { a: 1 } },
    { id: "c" },
  ]);
  teams.update("red", { boss: "a" });
  shop.createBranch("dev", { from: "main" });
  const target = profile === "xata" ? "xataBranch" : "serviceBranch";
  shop.gitBranches.add({ gitBranch: "feature", [target]: "dev" });
  const metadata = engine.profile.metadataColumn;
  const local = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll("service.", `${metadata}.`)) as T;
  const query = { filter: FILTER, sort: SORT, columns: COLUMNS, page: { size: 2, offset: 1 } };
  const [after, before] = [0, 2].map(
    (offset) => players.query({ sort: { n: "asc" }, page: { size: 1, offset } }).meta.page.cursor,
  );

  const calls: Record<
    string,
    [call: (...args: never[]) => unknown, ...args: (readonly unknown[])[]]
  > = {
    query: [
      players.query.bind(players),
      [local(query)],
      [{ page: { after, before, size: 5 }, columns: ["name"] }],
      [{ page: { start: after } }],
      [{ page: { before: "end" }, sort: { n: "asc" }, consistency: "strong" }],
    ],
    scan: [(request: never) => [...players.scan(request)], [local({ filter: FILTER, sort: SORT })]],
    count: [players.count.bind(players), [local(FILTER)], [{ n: { $any: [1, 2, 3] } }]],
    searchTable: [
      (request: never) => searchTable(main.table("players"), request),
      [
        {
          query: "ann bob x",
          fuzziness: 2,
          target: ["name", { column: "home", weight: 2 }, "tags"],
          filter: local(profile === "xata" ? { ...FILTER, $any: FILTER.$any.slice(0, 1) } : FILTER),
          boosters: [
            { numericBooster: { column: "n", factor: 2, modifier: "log1p" } },
            { valueBooster: { column: "team.name", value: "Red", factor: 1 } },
            { dateBooster: { column: "at", scale: "1d", decay: 0.5, ifMatchesFilter: { n: 1 } } },
          ],
          highlight: { enabled: true, encodeHTML: false },
          page: { size: 2, offset: 1 },
        },
      ],
      [{ query: "ann b", prefix: "phrase" }],
    ],
    searchBranch: [
      (request: never) => searchBranch(main, request),
      [{ query: "red ann", tables: ["teams", { table: "players", target: ["name"] }] }],
    ],
    vectorSearch: [
      (request: never) => vectorSearch(main.table("players"), request),
      [{ column: "vec", queryVector: [1, 2], similarityFunction: "l2", size: 5, filter: { n: 1 } }],
    ],
    explain: [players.explain.bind(players), [local(query)]],
    get: [players.get.bind(players), ["a", { columns: COLUMNS }]],
    insert: [
      players.insert.bind(players) as never,
      [PLAYER, { columns: ["team.name"] }],
      [[one, { id: "e", "home.city": "Y", "home.geo.lat": 2 }, { id: "f" }]],
    ],
    load: [players.load.bind(players), [[one, {}]]],
    update: [
      players.update.bind(players),
      ["a", { ...PLAYER, n: { $increment: 1 } }, { ifVersion: 0, columns: ["n"] }],
    ],
    replace: [players.replace.bind(players), ["a", PLAYER, { ifVersion: 0 }]],
    upsert: [players.upsert.bind(players), ["new", PLAYER, { columns: ["*"] }]],
    put: [players.put.bind(players), ["new", PLAYER, { createOnly: true, columns: ["name"] }]],
    delete: [players.delete.bind(players), ["a", { ifVersion: 0 }]],
    transaction: [
      branch.transaction.bind(branch),
      [
        [
          { insert: { table: "players", record: one, columns: ["name"] } },
          { update: { table: "players", id: "a", fields: { n: 3 }, ifVersion: 0, upsert: true } },
          { delete: { table: "teams", id: "blue", failIfMissing: true } },
          { get: { table: "teams", id: "red", columns: ["name", "boss.name"] } },
        ],
      ],
    ],
    createTable: [branch.createTable.bind(branch), ["fresh", PLAYERS]],
    addColumn: [
      players.addColumn.bind(players),
      [{ name: "late", type: "int", notNull: true, defaultValue: 1 }],
      [{ name: "home.zip", type: "string" }],
    ],
    renameColumn: [players.renameColumn.bind(players), ["name", "title"], ["home.geo", "place"]],
    removeColumn: [players.removeColumn.bind(players), ["home.city"], ["n"]],
    alterColumn: [players.alterColumn.bind(players), [{ ...PLAYERS[0], notNull: false }]],
    setSchema: [
      players.setSchema.bind(players),
      [{ columns: PLAYERS.slice(1) }, { dropValues: true }],
    ],
    renameTable: [branch.renameTable.bind(branch), ["players", "people"]],
    createUser: [
      engine.createUser.bind(engine),
      [{ email: "b@example.com", fullname: "B", image: "", keys: ["k2"], workspaces: ["acme"] }],
    ],
    updateUser: [engine.updateUser.bind(engine), ["usr_1", { email: "c@d.e", fullname: "C" }]],
    createWorkspace: [engine.createWorkspace.bind(engine), ["other", { name: "Other" }]],
    renameWorkspace: [engine.renameWorkspace.bind(engine), ["acme", "Other"]],
    addKey: [(key: never) => engine.addKey("usr_1", key), ["another"]],
    updateSettings: [acme.updateSettings.bind(acme), [{ a: { b: [1] } }]],
    renameDatabase: [acme.renameDatabase.bind(acme), ["shop", "store"]],
    createDatabase: [
      acme.createDatabase.bind(acme),
      ["books", { region: "eu", branchName: "main", ui: { color: "blue" } }],
    ],
    updateDatabase: [shop.update.bind(shop), [{ ui: { color: "blue" } }]],
    createBranch: [
      shop.createBranch.bind(shop),
      ["new", { from: "dev", metadata: { labels: ["x"] } }],
    ],
    renameBranch: [shop.renameBranch.bind(shop), ["dev", "next"]],
    removeGitBranch: [shop.gitBranches.remove.bind(shop.gitBranches), ["feature"]],
    setMetadata: [main.setMetadata.bind(main), [{ repository: "r", branch: "b", stage: "s" }]],
    addGitBranch: [
      shop.gitBranches.add.bind(shop.gitBranches),
      [{ gitBranch: "new", [target]: "main" }],
    ],
    resolve: [
      shop.gitBranches.resolve.bind(shop.gitBranches),
      [{ gitBranch: "feature", fallbackBranch: "dev" }],
    ],
  };
  const requests = Object.entries(calls).flatMap(([name, [call, ...list]]) =>
    list.map((args): GoodCall => ({ name, args, call })),
  );
  return { engine, branch: Object.assign(branch, main), players, requests };
}
