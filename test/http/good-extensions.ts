const BRANCH = "/db/shop:main";
const USER = `${BRANCH}/tables/users/data/u1`;
const REQUESTS = "/dbs/shop/migrations";
const MEMBERS = "/workspaces/acme";
const OPERATIONS = [{ addTable: { table: "fresh" } }];

/** Good requests of files, accounts and the history of a schema. */
export const GOOD_EXTENSIONS: readonly {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}[] = [
  {
    method: "PATCH",
    path: `${USER}?columns=photo.*,papers.id,photo.signedUrl`,
    body: {
      photo: { name: "a", mediaType: "a/b", base64Content: "aGk=", signedUrlTimeout: 5 },
      papers: [{ id: "x", base64Content: "" }, { enablePublicUrl: true }],
    },
  },
  { method: "PUT", path: `${USER}/column/photo/file`, body: { a: 1 } },
  { method: "GET", path: `${USER}/column/photo/file` },
  { method: "DELETE", path: `${USER}/column/photo/file` },
  { method: "PUT", path: `${USER}/column/papers/file/x`, body: {} },
  { method: "GET", path: `${USER}/column/papers/file/x` },
  { method: "GET", path: "/file/nothing" },
  { method: "PUT", path: "/file/nothing", body: {} },
  { method: "POST", path: "/user/keys/ci", body: {} },
  { method: "DELETE", path: "/user/keys/ci" },
  { method: "POST", path: "/workspaces", body: { name: "New place", slug: "new" } },
  { method: "PUT", path: MEMBERS, body: { name: "Other", slug: "other" } },
  { method: "GET", path: `${MEMBERS}/members` },
  { method: "PUT", path: `${MEMBERS}/members/usr_1`, body: { role: "maintainer" } },
  { method: "POST", path: `${MEMBERS}/invites`, body: { email: "a@b.c", role: "owner" } },
  { method: "PATCH", path: `${MEMBERS}/invites/inv_1`, body: { role: "maintainer" } },
  { method: "POST", path: `${MEMBERS}/invites/ik_1/accept`, body: {} },
  { method: "PATCH", path: `${MEMBERS}/settings`, body: { postgresEnabled: false } },
  { method: "POST", path: `${BRANCH}/schema/history`, body: { page: { size: 5 } } },
  { method: "GET", path: `${BRANCH}/migrations` },
  {
    method: "POST",
    path: `${BRANCH}/migrations/plan`,
    body: { tables: [{ name: "t", columns: [] }] },
  },
  {
    method: "POST",
    path: `${BRANCH}/migrations/execute`,
    body: { version: 1, migration: { newTables: { fresh: { name: "fresh", columns: [] } } } },
  },
  { method: "POST", path: `${BRANCH}/schema/update`, body: { operations: OPERATIONS } },
  { method: "POST", path: `${BRANCH}/schema/preview`, body: { edits: { operations: OPERATIONS } } },
  {
    method: "POST",
    path: `${BRANCH}/schema/compare/main`,
    body: { sourceBranchOperations: OPERATIONS },
  },
  {
    method: "POST",
    path: `${BRANCH}/schema/push`,
    body: { migrations: [{ id: "m", checksum: "1:a", operations: OPERATIONS, parentID: "" }] },
  },
  {
    method: "POST",
    path: REQUESTS,
    body: { source: "dev", target: "main", title: "t", body: "b" },
  },
  {
    method: "POST",
    path: `${REQUESTS}/query`,
    body: { filter: { title: { $contains: "t" } }, sort: { title: "asc" }, page: { size: 2 } },
  },
  { method: "PATCH", path: `${REQUESTS}/1`, body: { title: "other", status: "closed" } },
  { method: "POST", path: `${REQUESTS}/1/commits`, body: { page: { size: 1 } } },
  { method: "POST", path: `${REQUESTS}/1/merge`, body: {} },
  { method: "POST", path: `${BRANCH}/copy`, body: { destinationBranch: "dev", limit: 1 } },
  { method: "PUT", path: "/db/shop:twig/async", body: { from: "main" } },
  { method: "GET", path: `${BRANCH}/stats` },
  { method: "POST", path: "/workspaces/acme/dbs/shop/rename", body: { newName: "store" } },
];
