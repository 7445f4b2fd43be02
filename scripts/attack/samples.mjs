// Good requests for each operation; bad ones are derived from them.

/** Values of the parameters in paths; some operations have others. */
const NAMES = {
  db_branch_name: "shop:main",
  db_name: "shop",
  workspace_id: "acme",
  table_name: "users",
  record_id: "u1",
  column_name: "age",
  branch_name: "dev",
  user_id: "usr_1",
  key_name: "spare",
  invite_id: "inv_1",
  mr_number: "1",
  snapshot_name: "kept",
  fault_id: "1",
  index: "0",
};

export const USER_COLUMNS = [
  { name: "email", type: "email", unique: true },
  { name: "name", type: "string" },
  { name: "bio", type: "text" },
  { name: "age", type: "int" },
  { name: "size", type: "float" },
  { name: "ok", type: "bool" },
  { name: "at", type: "datetime", defaultValue: "now" },
  { name: "labels", type: "multiple" },
  { name: "doc", type: "json" },
  { name: "photo", type: "file", file: { defaultPublicAccess: true } },
  { name: "papers", type: "file[]", "file[]": { defaultPublicAccess: false } },
  { name: "vec", type: "vector", vector: { dimension: 2 } },
  { name: "team", type: "link", link: { table: "teams" } },
  {
    name: "home",
    type: "object",
    columns: [
      { name: "zip", type: "int" },
      { name: "city", type: "string" },
      { name: "geo", type: "object", columns: [{ name: "lat", type: "float" }] },
    ],
  },
];
const USER = {
  name: "Ann of the red team",
  bio: "a long text about a quick red fox",
  age: 30,
  size: 0.5,
  ok: true,
  labels: ["red", "blue"],
  doc: { a: [1, { b: null }] },
  photo: { name: "a.txt", mediaType: "text/plain", base64Content: "YQ==" },
  papers: [{ id: "one", name: "b.txt", base64Content: "Yg==" }],
  vec: [1, 2],
  team: "t1",
  home: { zip: 5, city: "X", geo: { lat: 1 } },
};

/** Without files, which a bulk does not take under `xata` (rule X-8). */
const { photo: _photo, papers: _papers, ...PLAIN_USER } = USER;

export const SETUP = [
  ["PUT", "/workspaces/acme/dbs/shop", {}],
  ["PUT", "/db/shop:main/tables/teams", {}],
  ["POST", "/db/shop:main/tables/teams/columns", { name: "name", type: "string" }],
  ["PUT", "/db/shop:main/tables/users", {}],
  ["PUT", "/db/shop:main/tables/users/schema", { columns: USER_COLUMNS }],
  ["PUT", "/db/shop:main/tables/posts", {}],
  [
    "POST",
    "/db/shop:main/tables/posts/columns",
    { name: "author", type: "link", link: { table: "users" } },
  ],
  ["POST", "/db/shop:main/tables/teams/data", { id: "t1", name: "red" }],
  ["POST", "/db/shop:main/tables/users/data", { id: "u1", email: "a@b.c", ...USER }],
  ["POST", "/db/shop:main/tables/users/data", { id: "u2", email: "b@b.c", ...USER, age: null }],
  ["POST", "/db/shop:main/tables/users/data", { id: "u3" }],
  ["POST", "/db/shop:main/tables/posts/data", { author: "u1" }],
  ["PUT", "/db/shop:dev?from=main", {}],
  ["PUT", "/db/shop:same?from=main", {}],
  ["POST", "/db/shop:dev/tables/users/columns", { name: "late", type: "int" }],
  [
    "POST",
    "/dbs/shop/migrations",
    { source: "dev", target: "main", title: "a request", body: "for late" },
  ],
  ["POST", "/dbs/shop/gitBranches", { gitBranch: "feature", serviceBranch: "dev" }],
  ["POST", "/user/keys/spare", {}],
  ["PUT", "/_twinbase/snapshots/kept", undefined],
  ["POST", "/_twinbase/faults", { on: { path: "/never" }, delay: 1 }],
];

const FILTER = {
  $any: [{ age: { $ge: 1, $lt: 90 } }, { "team.name": { $startsWith: "r" } }],
  $not: { labels: { $includes: ["none", { $contains: "z" }] } },
  home: { $none: [{ city: { $pattern: "Y*" } }] },
  "doc->a": { $isNot: 1 },
  $exists: ["name", "service.version"],
};
/** Valid in searches and aggregations too (rule Q-7). */
const SEARCH_FILTER = {
  $any: [{ age: { $ge: 1, $lt: 90 } }, { name: { $startsWith: "r" } }],
  home: { $none: [{ city: { $pattern: "Y*" } }] },
  $exists: ["name", "service.version", "labels"],
};
const SEARCH = {
  query: "ann red",
  fuzziness: 2,
  prefix: "disabled",
  highlight: { enabled: true, encodeHTML: true },
  page: { size: 5, offset: 0 },
};
const SEARCHED = {
  target: ["name", { column: "bio", weight: 2 }],
  filter: SEARCH_FILTER,
  boosters: [
    { numericBooster: { column: "age", factor: 2, modifier: "log1p", ifMatchesFilter: {} } },
    {
      valueBooster: {
        column: "team.name",
        value: "red",
        factor: 1,
        ifMatchesFilter: { age: 30 },
      },
    },
    {
      dateBooster: {
        column: "at",
        origin: "2024-01-01T00:00:00Z",
        scale: "1d",
        decay: 0.5,
        factor: 1,
        ifMatchesFilter: {},
      },
    },
  ],
};
const REVERSE = { name: "<-posts.author", as: "written", columns: ["id"], limit: 2, offset: 1 };

const STEPS = [
  { addTable: { table: "t" } },
  { addColumn: { table: "t", column: { name: "a", type: "int", defaultValue: 1 } } },
  { alterColumn: { table: "t", column: { name: "a", type: "int", notNull: false } } },
  { renameColumn: { table: "t", oldName: "a", newName: "b" } },
  { removeColumn: { table: "users", column: "age" } },
  { renameTable: { oldName: "t", newName: "u" } },
  { removeTable: { table: "u" } },
];
const OPERATIONS = [{ addTable: { table: "fresh" } }];
/** Placeholders, which {@link samplesOf} replaces. */
const [LAST, FIRST, CURSOR] = ["{last_migration}", "{first_migration}", "{cursor}"];
const EDITS = { operations: OPERATIONS, sourceMigrationID: LAST, targetMigrationID: LAST };
const SCHEMA = {
  tables: [
    {
      name: "teams",
      columns: [{ name: "name", type: "string" }],
      id: "i",
      revLinks: [{ table: "users", column: "team" }],
    },
  ],
  tablesOrder: ["teams"],
};
const A = { name: "a", type: "int" };
const PLAN = {
  id: "m",
  parentID: LAST,
  status: "pending",
  title: "t",
  lastGitRevision: "r",
  localChanges: false,
  createdAt: "2024-01-01T00:00:00Z",
  renamedTables: [{ oldName: "teams", newName: "squads" }],
  removedTables: ["users"],
  newTables: { fresh: { name: "fresh", columns: [A, { name: "z", type: "int" }] } },
  tableMigrations: {
    fresh: {
      modifiedColumns: [{ old: A, new: { name: "a", type: "string" } }],
      removedColumns: ["z"],
      newColumns: { b: { name: "b", type: "int" } },
      newColumnOrder: ["b"],
    },
  },
  newTableOrder: ["fresh"],
};
const METADATA = { repository: "r", branch: "b", stage: "s", labels: ["l"] };

const U2 = { record_id: "u2" };
const PHOTO = { column_name: "photo" };
const PAPERS = { column_name: "papers", file_id: "one" };

/** Bodies by operation, with query strings and names where needed. */
export const SAMPLES = {
  queryTable: [
    {
      body: {
        columns: ["*", "team.name", { ...REVERSE, sort: { id: "desc" } }],
        filter: FILTER,
        sort: [{ age: "desc" }, { "*": "random" }],
        page: { size: 5, offset: 1 },
        consistency: "strong",
      },
    },
    { body: { page: { before: "end" }, sort: { "team.name": "asc" } } },
    { body: { page: { after: "end" }, sort: ["name", { age: "asc" }] } },
    { body: { columns: [{ ...REVERSE, sort: ["id"] }], page: { start: CURSOR } } },
    {
      body: {
        columns: [{ ...REVERSE, order: [{ column: "id", order: "desc" }] }],
        page: { end: CURSOR },
      },
    },
  ],
  summarizeTable: [
    {
      body: {
        columns: ["age", "team.name"],
        filter: FILTER,
        summaries: {
          n: { count: "*" },
          s: { sum: "age" },
          m: { max: "size" },
          lo: { min: "age" },
          mean: { average: "age" },
        },
        summariesFilter: { n: { $gt: 0 } },
        sort: { n: "desc" },
        page: { size: 5 },
        consistency: "eventual",
      },
    },
    { body: { summaries: { n: { count: "*" } }, sort: ["n", { n: "asc" }] } },
  ],
  aggregateTable: [
    {
      body: {
        filter: SEARCH_FILTER,
        aggs: {
          a: { topValues: { column: "age", size: 3, aggs: { b: { sum: { column: "age" } } } } },
          c: { numericHistogram: { column: "age", interval: 10, offset: 1 } },
          d: { percentiles: { column: "age", percentiles: [1, 50] } },
          e: { dateHistogram: { column: "at", calendarInterval: "day", timezone: "+01:00" } },
          f: { count: { filter: { ok: true } } },
        },
      },
    },
  ],
  searchTable: [{ body: { ...SEARCH, ...SEARCHED } }],
  searchBranch: [
    { body: { query: "re", prefix: "phrase", tables: ["teams", { table: "users", filter: {} }] } },
    { body: { ...SEARCH, tables: [{ table: "users", ...SEARCHED }] } },
  ],
  vectorSearchTable: [
    {
      body: {
        column: "vec",
        queryVector: [1, 2],
        similarityFunction: "l2",
        size: 3,
        filter: SEARCH_FILTER,
      },
    },
  ],
  insertRecord: [{ search: "columns=age,team.name", body: { id: "x", email: "x@b.c", ...USER } }],
  getRecord: [{ search: "columns=team.name" }, {}],
  insertRecordWithID: [
    { names: U2, search: "createOnly=false&ifVersion=0&columns=*", body: { id: "u2", ...USER } },
  ],
  updateRecordWithID: [
    {
      names: U2,
      search: "ifVersion=0",
      body: { age: { $increment: 1 }, "home.zip": { $multiply: 2 } },
    },
    { search: "columns=team.*", body: { id: "u1", name: "other" } },
    {
      search: "columns=photo.*,papers.id,photo.signedUrl",
      body: {
        photo: { name: "a", mediaType: "a/b", base64Content: "aGk=", signedUrlTimeout: 5 },
        papers: [{ id: "one", base64Content: "" }, { enablePublicUrl: true }],
      },
    },
  ],
  upsertRecordWithID: [
    { names: { record_id: "new" }, body: { home: { zip: 5 } } },
    { body: { id: "u1", ...USER } },
  ],
  deleteRecord: [{ search: "columns=*" }, {}],
  writeWhere: [
    { body: { update: { filter: FILTER, fields: { age: { $increment: 1 } } } } },
    { body: { delete: { filter: { age: 30 } } } },
  ],
  bulkInsertTableRecords: [
    { search: "columns=team.name", body: { records: [PLAIN_USER, PLAIN_USER] } },
  ],
  branchTransaction: [
    {
      body: {
        operations: [
          { insert: { table: "users", record: { id: "y" }, createOnly: true, columns: ["age"] } },
          { insert: { table: "users", record: { id: "u3" }, ifVersion: 0 } },
          {
            update: {
              table: "users",
              id: "u2",
              fields: { age: 2 },
              ifVersion: 0,
              upsert: false,
              columns: ["team.name"],
            },
          },
          { delete: { table: "users", id: "u1", failIfMissing: true, columns: ["age"] } },
          { get: { table: "teams", id: "t1", columns: ["name"] } },
        ],
      },
    },
  ],
  createTable: [{ names: { table_name: "fresh" } }],
  updateTable: [{ body: { name: "people" } }],
  setTableSchema: [{ body: { columns: USER_COLUMNS.slice(1) } }],
  addTableColumn: [
    { body: { name: "home.x", type: "vector", vector: { dimension: 3 }, notNull: false } },
    { body: { name: "d", type: "json", unique: false, defaultValue: { a: 1 } } },
  ],
  updateColumn: [
    { body: { name: "years", notNull: false, unique: false, defaultValue: 3 } },
    { names: { column_name: "team" }, body: { link: { table: "teams" } } },
    { names: { column_name: "vec" }, body: { vector: { dimension: 2 } } },
    { names: { column_name: "photo" }, body: { file: { defaultPublicAccess: false } } },
    { names: { column_name: "papers" }, body: { "file[]": { defaultPublicAccess: true } } },
  ],
  mergeMigrationRequest: [{ body: { dropValues: true } }],
  compareBranchWithUserSchema: [
    { body: { schema: SCHEMA, schemaOperations: OPERATIONS, branchOperations: OPERATIONS } },
  ],
  compareBranchSchemas: [
    { body: { sourceBranchOperations: OPERATIONS, targetBranchOperations: OPERATIONS } },
  ],
  applyBranchSchemaEdit: [{ body: { edits: EDITS } }],
  previewBranchSchemaEdit: [{ body: { edits: EDITS } }],
  updateBranchSchema: [{ body: { operations: STEPS, parentID: LAST } }],
  pushBranchMigrations: [
    { body: { migrations: [] } },
    {
      body: {
        migrations: [
          {
            id: "m",
            checksum: "1:a",
            operations: OPERATIONS,
            parentID: LAST,
            title: "t",
            message: "m",
            createdAt: "2026-01-02T03:04:05Z",
            merged: ["other"],
          },
        ],
      },
    },
  ],
  getBranchSchemaHistory: [
    { body: { page: { size: 2, after: LAST }, since: FIRST } },
    { body: { page: { before: LAST } } },
  ],
  getBranchMigrationPlan: [{ body: SCHEMA }],
  executeBranchMigrationPlan: [{ body: { version: 1, migration: PLAN } }],
  createMigrationRequest: [{ body: { source: "dev", target: "main", title: "t", body: "b" } }],
  queryMigrationRequests: [
    {
      body: {
        columns: ["title"],
        filter: { title: "t" },
        sort: ["title"],
        page: { size: 2, offset: 0 },
        consistency: "strong",
      },
    },
  ],
  updateMigrationRequest: [{ body: { title: "other", body: "b", status: "closed" } }],
  listMigrationRequestsCommits: [{ body: { page: { size: 1 } } }],
  createBranch: [
    { names: { db_branch_name: "shop:twig" }, search: "from=main" },
    { names: { db_branch_name: "shop:twig" }, body: { from: "dev", metadata: METADATA } },
  ],
  createBranchAsync: [
    { names: { db_branch_name: "shop:twig" }, body: { from: "main", metadata: METADATA } },
  ],
  copyBranch: [{ body: { destinationBranch: "same", limit: 1 } }],
  updateBranchMetadata: [{ body: METADATA }],
  updateDatabaseSettings: [{ body: { searchEnabled: true, deep: { a: [1] } } }],
  addGitBranchesEntry: [{ body: { gitBranch: "g", serviceBranch: "main" } }],
  removeGitBranchesEntry: [{ search: "gitBranch=feature" }],
  resolveBranch: [{ search: "gitBranch=feature&fallbackBranch=main" }],
  createDatabase: [
    {
      names: { db_name: "mall" },
      body: {
        region: "eu",
        branchName: "b",
        ui: { color: "RED" },
        metadata: { repository: "r", branch: "b", stage: "s", labels: ["x"] },
        postgresEnabled: true,
      },
    },
  ],
  updateDatabaseMetadata: [{ body: { ui: { color: "BLUE" } } }],
  renameDatabase: [{ body: { newName: "store" } }],
  createWorkspace: [{ body: { name: "Other Place", slug: "other" } }],
  updateWorkspace: [{ body: { name: "Acme", slug: "acme" } }],
  updateWorkspaceSettings: [{ body: { theme: { dark: true } } }],
  updateWorkspaceMemberRole: [{ body: { role: "maintainer" } }],
  inviteWorkspaceMember: [{ body: { email: "third@b.c", role: "owner" } }],
  updateWorkspaceMemberInvite: [{ body: { role: "owner" } }],
  updateUser: [{ body: { email: "z@b.c", fullname: "Z", image: "" } }],
  createUserAPIKey: [{ names: { key_name: "another" } }],
  takeSnapshot: [{ names: { snapshot_name: "second" } }],
  getFile: [{ names: PHOTO }],
  putFile: [{ names: PHOTO }, { names: PAPERS }],
  deleteFile: [{ names: PHOTO }],
  getFileItem: [{ names: PAPERS }],
  putFileItem: [{ names: PAPERS }],
  deleteFileItem: [{ names: PAPERS }],
  fileAccess: [{ names: { token: "{url}" } }],
  fileUpload: [{ names: { token: "{uploadUrl}" } }],
  setClock: [{ body: { now: "2030-01-31T10:20:30Z" } }],
  advanceClock: [{ body: { ms: 1000 } }],
  acceptWorkspaceMemberInvite: [{ names: { invite_id: "{invite_key}" } }],
  addFault: [{ body: { on: { operation: "getUser" }, answer: { status: 429 }, times: 1 } }],
  findInJournal: [{ body: { operation: "queryTable" } }],
};

/** Renames the members of a body to those of the profile `xata`. */
export function toXata(body) {
  if (typeof body !== "string") return body;
  return body.replaceAll('"serviceBranch"', '"xataBranch"').replaceAll('"service.', '"xata.');
}

/** Returns the good requests of an operation: without a sample, one with an empty body or none. */
export function samplesOf({ operation, method, path }, names = {}) {
  return (SAMPLES[operation] ?? [{}]).map((sample) => {
    const known = { ...NAMES, ...names, ...sample.names };
    for (const name of ["invite_id", "token"]) {
      // Generated by the setup.
      known[name] = known[name]?.replace(/^\{(\w+)\}$/, (_, key) => known[key] ?? "x");
    }
    const address = path.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? "x");
    const url = sample.search === undefined ? address : `${address}?${sample.search}`;
    const text = JSON.stringify(sample.body ?? {}, (_, value) =>
      typeof value === "string" ? (known[/^\{(\w+)\}$/.exec(value)?.[1]] ?? value) : value,
    );
    return { operation, method, url, body: method === "GET" ? undefined : JSON.parse(text) };
  });
}
