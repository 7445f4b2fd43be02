import { expect } from "vitest";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import type { Fetch } from "./checked-fetch.js";
import type { Sent } from "./ways.js";

const BRANCH = "/db/shop:main";
const USERS = `${BRANCH}/tables/users`;
const TEAMS = `${BRANCH}/tables/teams`;
const ACME = "/workspaces/acme";
const REQUEST = "/dbs/shop/migrations/1";

const STEPS = [
  { addTable: { table: "fresh" } },
  { addColumn: { table: "fresh", column: { name: "a", type: "int" } } },
  { renameColumn: { table: "fresh", oldName: "a", newName: "b" } },
  { removeColumn: { table: "fresh", column: "b" } },
  { renameTable: { oldName: "fresh", newName: "other" } },
  { removeTable: { table: "other" } },
];

/** One step: all routes parse steps alike, so only one of them gets every kind. */
const STEP = STEPS.slice(0, 1);

const A = { name: "a", type: "int" };

const PLAN = {
  ...{ id: "m", status: "pending", title: "t", lastGitRevision: "r", localChanges: false },
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

const COLUMNS = [
  { name: "l", type: "link", link: { table: "teams" } },
  { name: "n", type: "int", unique: false, notNull: false, defaultValue: 1 },
  { name: "o", type: "object", columns: [{ name: "x", type: "int" }] },
  { name: "v", type: "vector", vector: { dimension: 2 } },
  { name: "f", type: "file", file: { defaultPublicAccess: true } },
  { name: "g", type: "file[]", "file[]": { defaultPublicAccess: false } },
];

const SCHEMA = {
  tables: [
    { name: "t", columns: COLUMNS, id: "i", revLinks: [{ table: "users", column: "team" }] },
  ],
  tablesOrder: ["t"],
};

const SETTINGS = {
  query: "ann",
  fuzziness: 1,
  prefix: "disabled",
  highlight: { enabled: true, encodeHTML: true },
  page: { size: 5, offset: 0 },
};

const PARTS = {
  target: ["email", { column: "labels", weight: 2 }],
  filter: { age: { $ge: 1 } },
  boosters: [
    { valueBooster: { column: "email", value: "x", factor: 1, ifMatchesFilter: { age: 30 } } },
    { numericBooster: { column: "age", factor: 2, modifier: "log1p", ifMatchesFilter: {} } },
    {
      dateBooster: {
        column: "since",
        origin: "2024-01-01T00:00:00Z",
        scale: "5d",
        decay: 0.5,
        factor: 1,
        ifMatchesFilter: {},
      },
    },
  ],
};

const TRANSACTION = [
  { insert: { table: "users", record: { id: "y" }, createOnly: true, columns: ["age"] } },
  { insert: { table: "users", record: { id: "u3" }, ifVersion: 0 } },
  {
    update: {
      ...{ table: "users", id: "u1", fields: { age: 2 }, ifVersion: 2, upsert: false },
      columns: ["id"],
    },
  },
  { delete: { table: "users", id: "u2", failIfMissing: true, columns: ["age"] } },
  { get: { table: "teams", id: "t1", columns: ["name"] } },
];

/** Adds the names in the requests of {@link goodBodies} to an engine of `createFixture`. */
export async function prepareForBodies(engine: AnyEngine): Promise<void> {
  const shop = engine.workspace("acme").database("shop");
  const users = shop.branch("main").table("users");
  users.addColumn({ name: "photo", type: "file" });
  users.addColumn({ name: "papers", type: "file[]" });
  shop.createBranch("dev", { from: "main" });
  const fetch = createFetch(engine, { workspace: "acme" });
  const made: [method: string, path: string, body: unknown][] = [
    ["PUT", "/db/shop:main/tables/users/data/u1/column/photo/file", {}],
    ["PUT", "/db/shop:main/tables/users/data/u1/column/papers/file/x", {}],
    ["POST", "/db/shop:dev/tables/users/columns", { name: "size", type: "int" }],
    ["POST", "/dbs/shop/migrations", { source: "dev", target: "main", title: "t" }],
    ["POST", "/workspaces/acme/invites", { email: "new@b.c", role: "owner" }],
  ];
  for (const [method, path, body] of made) {
    const answer = await fetch(`http://localhost${path}`, { method, body: JSON.stringify(body) });
    expect(answer.status, await answer.text()).toBeLessThan(300);
  }
  users.addColumn({ name: "near", type: "vector", vector: { dimension: 2 } });
  users.addColumn({ name: "since", type: "datetime" });
  shop.createBranch("same", { from: "main" });
  engine.addMember("acme", engine.users()[0]!.id, "owner");
}

/** Valid requests to each route that takes JSON, with every member of its schema. */
export async function goodBodies(target: string, fetch: Fetch): Promise<readonly Sent[]> {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await (await fetch(`http://localhost${path}`, init)).json()) as T;
  };
  const { meta } = await ask<{ meta: { page: { cursor: string } } }>("POST", `${TEAMS}/query`);
  const { cursor } = meta.page;
  const { logs } = await ask<{ logs: { id: string }[] }>("POST", `${BRANCH}/schema/history`);
  const [last, first] = [logs[0]!.id, logs.at(-1)!.id];
  const { id: user } = await ask<{ id: string }>("GET", "/user");
  const { inviteId, inviteKey } = await ask<{ inviteId: string; inviteKey: string }>(
    "POST",
    `${ACME}/invites`,
    { email: "b@b.c", role: "owner" },
  );
  const invite = `${ACME}/invites/${inviteId}`;
  const post = (path: string, body: object): Sent => ({ method: "POST", path, body });
  const put = (path: string, body: object): Sent => ({ method: "PUT", path, body });
  const patch = (path: string, body: object): Sent => ({ method: "PATCH", path, body });
  const reverse = {
    ...{ name: "<-users.team", as: "members", columns: ["email"], sort: { age: "desc" } },
    ...{ limit: 2, offset: 1 },
  };
  const query = {
    columns: ["name", reverse],
    filter: { name: "Ants" },
    sort: [{ name: "asc" }, "id"],
    page: { size: 5, offset: 1 },
    consistency: "strong",
  };
  return [
    post(`${TEAMS}/query`, query),
    post(`${TEAMS}/query`, { sort: { name: "desc", "*": "random" } }),
    post(`${TEAMS}/query`, { columns: [{ ...reverse, sort: ["age"] }], page: { before: "end" } }),
    post(`${TEAMS}/query`, {
      columns: [{ ...reverse, sort: undefined, order: [{ column: "age", order: "desc" }] }],
    }),
    post(`${TEAMS}/query`, { page: { after: "end" } }),
    ...["start", "end"].map((key) => post(`${TEAMS}/query`, { page: { [key]: cursor } })),
    post(`${USERS}/summarize`, {
      columns: ["age"],
      filter: { age: { $ge: 1 } },
      summaries: {
        n: { count: "*" },
        s: { sum: "age" },
        lo: { min: "age" },
        hi: { max: "age" },
        mean: { average: "age" },
      },
      summariesFilter: { n: { $gt: 0 } },
      sort: { n: "desc" },
      page: { size: 5 },
      consistency: "eventual",
    }),
    post(`${USERS}/summarize`, { summaries: { n: { count: "*" } }, sort: ["n", { n: "asc" }] }),
    post(`${USERS}/aggregate`, { filter: { age: 30 }, aggs: { a: { count: "*" } } }),
    post(`${USERS}/aggregate`, {
      aggs: {
        a: { topValues: { column: "age", size: 3, aggs: { b: { sum: { column: "age" } } } } },
        c: { numericHistogram: { column: "age", interval: 10, offset: 1 } },
        d: { percentiles: { column: "age", percentiles: [1, 50] } },
      },
    }),
    post(`${USERS}/search`, { ...SETTINGS, ...PARTS }),
    post(`${BRANCH}/search`, { ...SETTINGS, tables: ["teams", { table: "users", ...PARTS }] }),
    post(`${USERS}/vectorSearch`, {
      ...{ column: "near", queryVector: [1, 2], similarityFunction: "l2", size: 3, filter: {} },
    }),
    post(`${USERS}/data`, { id: "x", age: 1 }),
    put(`${USERS}/data/u1`, { id: "u1", age: 1 }),
    patch(`${USERS}/data/u1`, { id: "u1", age: 1 }),
    patch(`${USERS}/data/u1?ifVersion=2`, { age: { $increment: 1 }, "address.street": "x" }),
    patch(`${USERS}/data/u1?columns=photo.*,papers.id,photo.signedUrl`, {
      photo: { name: "a", mediaType: "a/b", base64Content: "aGk=", signedUrlTimeout: 5 },
      papers: [{ id: "x", base64Content: "" }, { enablePublicUrl: true }],
    }),
    post(`${USERS}/data/u1`, { id: "u1", age: 1 }),
    post(`${USERS}/bulk`, { records: [{ id: "x", age: 1 }] }),
    post(`${BRANCH}/transaction`, { operations: TRANSACTION }),
    put(`${BRANCH}/tables/fresh`, {}),
    patch(USERS, { name: "people" }),
    put(`${TEAMS}/schema`, { columns: COLUMNS.slice(0, 1) }),
    ...COLUMNS.map((column) => post(`${TEAMS}/columns`, column)),
    patch(`${USERS}/columns/age`, { name: "years" }),
    post(`${BRANCH}/schema/compare`, {
      schema: SCHEMA,
      schemaOperations: STEP,
      branchOperations: STEP,
    }),
    post(`${BRANCH}/schema/compare/dev`, {
      sourceBranchOperations: STEP,
      targetBranchOperations: STEP,
    }),
    ...["apply", "preview"].map((way) =>
      post(`${BRANCH}/schema/${way}`, {
        edits: { operations: STEP, sourceMigrationID: last, targetMigrationID: last },
      }),
    ),
    post(`${BRANCH}/schema/update`, { operations: STEPS, parentID: last }),
    post(`${BRANCH}/schema/push`, {
      migrations: [
        { id: "m", checksum: "1:a", operations: STEP, parentID: last, title: "t", message: "m" },
      ],
    }),
    post(`${BRANCH}/schema/history`, { page: { size: 5, after: last }, since: first }),
    post(`${BRANCH}/schema/history`, { page: { before: last } }),
    post(`${BRANCH}/migrations/plan`, SCHEMA),
    post(`${BRANCH}/migrations/execute`, { version: 1, migration: { ...PLAN, parentID: last } }),
    post("/dbs/shop/migrations", { source: "same", target: "main", title: "t", body: "b" }),
    post("/dbs/shop/migrations/query", {
      ...{
        columns: ["title"],
        filter: { title: "t" },
        sort: ["title"],
        page: { size: 2, offset: 0 },
      },
      consistency: "strong",
    }),
    patch(REQUEST, { title: "other", body: "b", status: "closed" }),
    post(`${REQUEST}/commits`, { page: { size: 1 } }),
    post(`${REQUEST}/compare`, {}),
    post(`${REQUEST}/merge`, {}),
    ...["", "/async"].map((way) =>
      put(`/db/shop:twig${way}`, {
        from: "main",
        metadata: { repository: "r", branch: "b", stage: "s", labels: ["l"] },
      }),
    ),
    put(`${BRANCH}/metadata`, { repository: "r", branch: "b", stage: "s", labels: ["l"] }),
    post(`${BRANCH}/copy`, { destinationBranch: "same", limit: 1 }),
    patch("/dbs/shop/settings", { searchEnabled: true }),
    post("/dbs/shop/gitBranches", { gitBranch: "g", [target]: "main" }),
    put(`${ACME}/dbs/mall`, { region: "eu", branchName: "b", ui: { color: "RED" } }),
    patch(`${ACME}/dbs/shop`, { ui: { color: "RED" } }),
    post(`${ACME}/dbs/shop/rename`, { newName: "store" }),
    post("/workspaces", { name: "New place", slug: "new" }),
    put(ACME, { name: "Other", slug: "other" }),
    patch(`${ACME}/settings`, { postgresEnabled: false }),
    put(`${ACME}/members/${user}`, { role: "owner" }),
    post(`${ACME}/invites`, { email: "a@b.c", role: "owner" }),
    patch(invite, { role: "maintainer" }),
    post(`${invite}/resend`, {}),
    post(`${ACME}/invites/${inviteKey}/accept`, {}),
    put("/user", { email: "a@b.c", fullname: "A", image: "" }),
    post("/user/keys/ci", {}),
  ];
}
