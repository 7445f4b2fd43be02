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

const USER_COLUMNS = [
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
  { name: "papers", type: "file[]" },
  { name: "vec", type: "vector", vector: { dimension: 2 } },
  { name: "team", type: "link", link: { table: "teams" } },
  {
    name: "home",
    type: "object",
    columns: [
      { name: "zip", type: "int" },
      { name: "city", type: "string" },
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
  home: { zip: 5, city: "X" },
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
  ["POST", "/workspaces/acme/invites", { email: "new@b.c", role: "maintainer" }],
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
const EDITS = {
  operations: [
    { addTable: { table: "t" } },
    { addColumn: { table: "t", column: { name: "a", type: "int", defaultValue: 1 } } },
    { renameTable: { oldName: "t", newName: "u" } },
    { removeColumn: { table: "users", column: "age" } },
  ],
};
const OPERATIONS = [{ addTable: { table: "fresh" } }];
const SCHEMA = { tables: [{ name: "teams", columns: [{ name: "name", type: "string" }] }] };

const PHOTO = { column_name: "photo" };
const PAPERS = { column_name: "papers", file_id: "one" };

/** Bodies by operation, with query strings and names where needed. */
export const SAMPLES = {
  queryTable: [
    {
      body: {
        columns: ["*", "team.name", { name: "<-posts.author", limit: 2 }],
        filter: FILTER,
        sort: [{ age: "desc" }, { "*": "random" }],
        page: { size: 5, offset: 1 },
        consistency: "strong",
      },
    },
    { body: { page: { before: "end" }, sort: { "team.name": "asc" } } },
  ],
  summarizeTable: [
    {
      body: {
        columns: ["age", "team.name"],
        filter: FILTER,
        summaries: { n: { count: "*" }, s: { sum: "age" }, m: { max: "size" } },
        summariesFilter: { n: { $gt: 0 } },
        sort: { n: "desc" },
        page: { size: 5 },
      },
    },
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
  searchTable: [
    {
      body: {
        query: "ann red",
        fuzziness: 2,
        prefix: "disabled",
        target: ["name", { column: "bio", weight: 2 }],
        filter: SEARCH_FILTER,
        boosters: [
          { numericBooster: { column: "age", factor: 2, modifier: "log1p" } },
          { valueBooster: { column: "team.name", value: "red", factor: 1, ifMatchesFilter: {} } },
          { dateBooster: { column: "at", scale: "1d", decay: 0.5 } },
        ],
        highlight: { enabled: true, encodeHTML: true },
        page: { size: 5, offset: 0 },
      },
    },
  ],
  searchBranch: [
    { body: { query: "re", prefix: "phrase", tables: ["teams", { table: "users", filter: {} }] } },
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
  insertRecordWithID: [{ search: "createOnly=false&ifVersion=0&columns=*", body: USER }],
  updateRecordWithID: [
    { search: "ifVersion=0", body: { age: { $increment: 1 }, "home.zip": { $multiply: 2 } } },
    { search: "columns=team.*", body: { name: "other" } },
  ],
  upsertRecordWithID: [{ names: { record_id: "new" }, body: { home: { zip: 5 } } }, { body: USER }],
  deleteRecord: [{ search: "columns=*" }, {}],
  bulkInsertTableRecords: [
    { search: "columns=team.name", body: { records: [PLAIN_USER, PLAIN_USER] } },
  ],
  branchTransaction: [
    {
      body: {
        operations: [
          { insert: { table: "users", record: { id: "y" }, createOnly: true } },
          { update: { table: "users", id: "u1", fields: { age: 2 }, columns: ["team.name"] } },
          { delete: { table: "users", id: "u2", failIfMissing: true } },
          { get: { table: "teams", id: "t1" } },
        ],
      },
    },
  ],
  createTable: [{ names: { table_name: "fresh" } }],
  updateTable: [{ body: { name: "people" } }],
  setTableSchema: [{ body: { columns: USER_COLUMNS.slice(1) } }],
  addTableColumn: [
    { body: { name: "home.x", type: "vector", vector: { dimension: 3 }, notNull: false } },
    { body: { name: "d", type: "json", defaultValue: { a: 1 } } },
  ],
  updateColumn: [{ body: { name: "years" } }],
  compareBranchWithUserSchema: [
    { body: { schema: SCHEMA, schemaOperations: OPERATIONS, branchOperations: [] } },
  ],
  compareBranchSchemas: [{ body: { sourceBranchOperations: OPERATIONS } }],
  applyBranchSchemaEdit: [{ body: { edits: EDITS } }],
  previewBranchSchemaEdit: [{ body: { edits: EDITS } }],
  updateBranchSchema: [{ body: { operations: OPERATIONS } }],
  pushBranchMigrations: [{ body: { migrations: [] } }],
  getBranchSchemaHistory: [{ body: { page: { size: 2 } } }],
  getBranchMigrationPlan: [{ body: SCHEMA }],
  executeBranchMigrationPlan: [
    { body: { version: 1, migration: { newTables: { fresh: { name: "fresh", columns: [] } } } } },
  ],
  createMigrationRequest: [{ body: { source: "dev", target: "main", title: "t", body: "b" } }],
  queryMigrationRequests: [{ body: { filter: { title: "t" }, page: { size: 2 } } }],
  updateMigrationRequest: [{ body: { title: "other", status: "closed" } }],
  listMigrationRequestsCommits: [{ body: { page: { size: 1 } } }],
  createBranch: [
    { names: { db_branch_name: "shop:twig" }, search: "from=main" },
    { names: { db_branch_name: "shop:twig" }, body: { from: "dev", metadata: { labels: ["a"] } } },
  ],
  createBranchAsync: [{ names: { db_branch_name: "shop:twig" }, body: { from: "main" } }],
  copyBranch: [{ body: { destinationBranch: "same", limit: 1 } }],
  updateBranchMetadata: [{ body: { repository: "r", branch: "b", stage: "s", labels: ["l"] } }],
  updateDatabaseSettings: [{ body: { searchEnabled: true, deep: { a: [1] } } }],
  addGitBranchesEntry: [{ body: { gitBranch: "g", serviceBranch: "main" } }],
  removeGitBranchesEntry: [{ search: "gitBranch=feature" }],
  resolveBranch: [{ search: "gitBranch=feature&fallbackBranch=main" }],
  createDatabase: [
    {
      names: { db_name: "mall" },
      body: { region: "eu", branchName: "b", ui: { color: "RED" } },
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
    return { operation, method, url, body: method === "GET" ? undefined : (sample.body ?? {}) };
  });
}
