import { describe, expect, it } from "vitest";
import { type Case, checkCase, control, get, patch, post, put, remove } from "./cases.js";
import { createFixture, NOW } from "./fixture.js";

const BRANCH = "/db/shop:main";
const TABLES = `${BRANCH}/tables`;
const USERS = `${TABLES}/users`;
const DATA = `${USERS}/data`;
/** What the caller of an open service has of every workspace. */
const OWNED = { role: "owner", plan: "free" };
const made = { version: 0, createdAt: NOW, updatedAt: NOW };
const changed = { ...made, version: 1 };
const migration = {
  migrationID: expect.stringMatching(/^mig_/),
  parentMigrationID: expect.stringMatching(/^mig_/),
  status: "completed",
};
const userColumns = [
  { name: "email", type: "email", unique: true },
  { name: "age", type: "int" },
  { name: "team", type: "link", link: { table: "teams" } },
  {
    name: "address",
    type: "object",
    columns: [
      { name: "street", type: "string" },
      { name: "zip", type: "int" },
    ],
  },
  { name: "labels", type: "multiple" },
];
const tables = [
  { name: "teams", columns: [{ name: "name", type: "string" }] },
  { name: "users", columns: userColumns },
];

const RECORDS: readonly Case[] = [
  {
    title: "X-1: an insert gives id and metadata",
    send: post(DATA, { id: "u9", age: 1 }),
    status: 201,
    body: { id: "u9", service: made },
  },
  {
    title: "X-1: an insert gives the columns asked for",
    send: post(`${DATA}?columns=age,team.name`, { id: "u9", age: 1, team: "t1" }),
    status: 201,
    body: {
      id: "u9",
      age: 1,
      team: { id: "t1", name: "Ants", service: made },
      service: made,
    },
  },
  {
    title: "X-1: columns may come one by one",
    send: get(`${DATA}/u1?columns=age&columns=email`),
    status: 200,
    body: { id: "u1", email: "ann@example.com", age: 30, service: made },
  },
  {
    title: "P-2: no columns are none",
    send: get(`${DATA}/u1?columns=`),
    status: 200,
    body: { id: "u1", service: made },
  },
  {
    title: "R-3: an insert without id makes one that only the seed decides",
    send: post(DATA, {}),
    status: 201,
    body: { id: expect.stringMatching(/^rec_[0-9a-v]{20}$/), service: made },
  },
  {
    title: "R-3: a taken id is 422",
    send: post(DATA, { id: "u1" }),
    status: 422,
    code: "id_in_use",
    message: "u1",
  },
  {
    title: "T-16: a taken unique value is 400",
    send: post(DATA, { email: "ann@example.com" }),
    status: 400,
    code: "invalid_record",
  },
  {
    title: "T-15: a value of the wrong kind is 400",
    send: post(DATA, { age: "old" }),
    status: 400,
    code: "invalid_record",
    message: "age",
    path: "/age",
  },
  {
    title: "P-9: an unknown column asked for is 400",
    send: post(`${DATA}?columns=nope`, { id: "u9" }),
    status: 400,
    code: "unknown_column",
  },
  {
    title: "E-5: with an unknown column asked for nothing is written",
    refused: [post(`${DATA}?columns=nope`, { id: "u9" })],
    send: post(`${USERS}/query`, { filter: { id: "u9" } }),
    status: 200,
    body: expect.objectContaining({ records: [] }),
  },
  {
    title: "X-1: a record is read whole",
    send: get(`${DATA}/u2`),
    status: 200,
    body: {
      id: "u2",
      email: "bob@example.com",
      age: 40,
      team: { id: "t2" },
      address: { zip: 100 },
      service: made,
    },
  },
  {
    title: "X-1: an unknown record is 404",
    send: get(`${DATA}/nobody`),
    status: 404,
    code: "record_not_found",
    message: "nobody",
  },
  {
    title: "E-6: an unknown record comes before an unknown column",
    send: patch(`${DATA}/nobody?columns=nope`, { nope: 1 }),
    status: 404,
    code: "record_not_found",
  },
  {
    title: "X-1: PUT replaces",
    send: put(`${DATA}/u1?columns=*`, { age: 31 }),
    status: 200,
    body: { id: "u1", age: 31, service: changed },
  },
  {
    title: "X-1: PUT inserts",
    send: put(`${DATA}/u9`, { age: 31 }),
    status: 201,
    body: { id: "u9", service: made },
  },
  {
    title: "X-1: createOnly refuses a taken id",
    send: put(`${DATA}/u1?createOnly`, {}),
    status: 422,
    code: "id_in_use",
  },
  {
    title: "X-1: createOnly=true refuses a taken id",
    send: put(`${DATA}/u1?createOnly=true`, {}),
    status: 422,
    code: "id_in_use",
  },
  {
    title: "X-1: createOnly=false refuses nothing",
    send: put(`${DATA}/u1?createOnly=false`, {}),
    status: 200,
    body: { id: "u1", service: changed },
  },
  {
    title: "E-3: createOnly is true or false",
    send: put(`${DATA}/u1?createOnly=yes`, {}),
    status: 400,
    code: "invalid_request",
    path: "/createOnly",
  },
  {
    title: "X-1: ifVersion of another version is 422",
    send: put(`${DATA}/u1?ifVersion=1`, {}),
    status: 422,
    code: "version_conflict",
  },
  {
    title: "X-1: ifVersion of a record to be inserted is 422",
    send: post(`${DATA}/u9?ifVersion=0`, {}),
    status: 422,
    code: "version_conflict",
  },
  {
    title: "E-3: ifVersion is a whole number",
    send: patch(`${DATA}/u1?ifVersion=1.5`, {}),
    status: 400,
    code: "invalid_request",
    path: "/ifVersion",
  },
  {
    title: "X-1: PATCH changes what is given",
    send: patch(`${DATA}/u2?columns=age,address&ifVersion=0`, { address: { street: "Elm" } }),
    status: 200,
    body: { id: "u2", age: 40, address: { street: "Elm", zip: 100 }, service: changed },
  },
  {
    title: "X-2: PATCH counts",
    send: patch(`${DATA}/u1?columns=age`, { age: { $increment: 5 } }),
    status: 200,
    body: { id: "u1", age: 35, service: changed },
  },
  {
    title: "R-8: an id in the body has to be that of the address",
    send: patch(`${DATA}/u1`, { id: "u2" }),
    status: 400,
    code: "invalid_record",
  },
  {
    title: "X-1: POST to a record updates it",
    send: post(`${DATA}/u1?columns=age,email`, { age: 31 }),
    status: 200,
    body: { id: "u1", email: "ann@example.com", age: 31, service: changed },
  },
  {
    title: "X-1: POST to no record inserts it",
    send: post(`${DATA}/u9?columns=age`, { age: 31 }),
    status: 201,
    body: { id: "u9", age: 31, service: made },
  },
  {
    title: "X-1: DELETE is 204",
    send: remove(`${DATA}/u1`),
    status: 204,
    body: null,
  },
  {
    title: "X-1: DELETE with columns gives the record",
    send: remove(`${DATA}/u1?columns=age`),
    status: 200,
    body: { id: "u1", age: 30, service: made },
  },
  {
    title: "X-1: DELETE of no record is 404",
    before: [remove(`${DATA}/u1`)],
    send: remove(`${DATA}/u1`),
    status: 404,
    code: "record_not_found",
  },
  {
    title: "X-1: bulk gives ids",
    send: post(`${USERS}/bulk`, { records: [{ id: "b" }, { id: "a" }] }),
    status: 200,
    body: { recordIDs: ["b", "a"] },
  },
  {
    title: "X-1: bulk gives the columns asked for",
    send: post(`${USERS}/bulk?columns=age`, { records: [{ id: "b", age: 1 }, { id: "a" }] }),
    status: 200,
    body: {
      records: [
        { id: "b", age: 1, service: made },
        { id: "a", service: made },
      ],
    },
  },
  {
    title: "R-5: a refused bulk names every bad record, where it stands in the body",
    send: post(`${USERS}/bulk`, { records: [{ age: "x" }, { id: "b" }, { nope: 1 }] }),
    status: 400,
    body: {
      id: expect.any(String),
      errors: [
        {
          index: 0,
          message: expect.stringContaining("age"),
          code: "invalid_record",
          path: "/records/0/age",
          rule: "T-2",
        },
        {
          index: 2,
          message: expect.stringContaining("nope"),
          code: "invalid_record",
          path: "/records/2/nope",
          rule: "R-8",
        },
      ],
    },
  },
  {
    title: "X-1: bulk takes an array",
    send: post(`${USERS}/bulk`, { records: {} }),
    status: 400,
    code: "invalid_request",
    path: "/records",
  },
  {
    title: "X-3: a transaction runs in order",
    send: post(`${BRANCH}/transaction`, {
      operations: [
        { insert: { table: "users", record: { id: "u9", age: 1 }, createOnly: true } },
        { update: { table: "users", id: "u9", fields: { age: 2 } } },
        { get: { table: "users", id: "u9", columns: ["age"] } },
        { delete: { table: "users", id: "u9", columns: ["id"] } },
        { get: { table: "users", id: "u9" } },
      ],
    }),
    status: 200,
    body: {
      results: [
        { operation: "insert", id: "u9", rows: 1 },
        { operation: "update", id: "u9", rows: 1, columns: {} },
        { operation: "get", columns: { age: 2 } },
        { operation: "delete", rows: 1, columns: { id: "u9" } },
        { operation: "get", columns: {} },
      ],
    },
  },
  {
    title: "X-3: a refused transaction names every bad operation",
    send: post(`${BRANCH}/transaction`, {
      operations: [
        { update: { table: "users", id: "nobody", fields: {} } },
        { delete: { table: "users", id: "u1" } },
        { insert: { table: "nothing", record: {} } },
      ],
    }),
    status: 400,
    body: {
      id: expect.any(String),
      errors: [
        expect.objectContaining({ index: 0, message: expect.stringMatching(/^table \[users\]: /) }),
        expect.objectContaining({
          index: 2,
          message: expect.stringMatching(/^table \[nothing\]: /),
        }),
      ],
    },
  },
  {
    title: "X-3: a transaction of nothing gives nothing",
    send: post(`${BRANCH}/transaction`, { operations: [] }),
    status: 200,
    body: { results: [] },
  },
];

const STRUCTURE: readonly Case[] = [
  {
    title: "X-4: a schema is read",
    send: get(`${USERS}/schema`),
    status: 200,
    body: { columns: userColumns },
  },
  {
    title: "X-4: a schema is set",
    before: [put(`${TABLES}/users/schema`, { columns: [{ name: "age", type: "int" }] })],
    send: get(`${DATA}/u1`),
    status: 200,
    body: { id: "u1", age: 30, service: made },
  },
  {
    title: "X-4: setting a schema says from which to which",
    send: put(`${USERS}/schema`, { columns: [] }),
    status: 200,
    body: migration,
  },
  {
    title: "N-3: a schema with a name twice is refused",
    send: put(`${USERS}/schema`, {
      columns: [
        { name: "a", type: "int" },
        { name: "A", type: "int" },
      ],
    }),
    status: 400,
    code: "invalid_schema",
    path: "/columns/1/name",
  },
  {
    title: "X-4: columns are listed flat",
    send: get(`${USERS}/columns`),
    status: 200,
    body: {
      columns: [
        { name: "email", type: "email", unique: true },
        { name: "age", type: "int" },
        { name: "team", type: "link", link: { table: "teams" } },
        { name: "address.street", type: "string" },
        { name: "address.zip", type: "int" },
        { name: "labels", type: "multiple" },
      ],
    },
  },
  {
    title: "X-4: a column is added, inside an object too",
    before: [post(`${USERS}/columns`, { name: "address.city", type: "string" })],
    send: get(`${USERS}/columns/address.city`),
    status: 200,
    body: { name: "address.city", type: "string" },
  },
  {
    title: "X-4: a column whose name is taken is 422",
    send: post(`${USERS}/columns`, { name: "age", type: "int" }),
    status: 422,
    code: "column_exists",
  },
  {
    title: "N-3: a column cannot be called id",
    send: post(`${USERS}/columns`, { name: "id", type: "int" }),
    status: 400,
    code: "invalid_schema",
  },
  {
    title: "X-4: a column is renamed",
    before: [patch(`${USERS}/columns/age`, { name: "years" })],
    send: get(`${DATA}/u1?columns=years`),
    status: 200,
    body: { id: "u1", years: 30, service: made },
  },
  {
    title: "X-4: a column is removed",
    before: [remove(`${USERS}/columns/age`)],
    send: get(`${USERS}/columns/age`),
    status: 404,
    code: "column_not_found",
    message: "age",
  },
  {
    title: "X-4: an unknown column is not renamed",
    send: patch(`${USERS}/columns/address.nope`, { name: "x" }),
    status: 404,
    code: "column_not_found",
  },
  {
    title: "X-4: a schema is compared",
    send: post(`${BRANCH}/schema/compare`, {
      schema: {
        tables: [
          { name: "teams", columns: [{ name: "name", type: "text" }], revLinks: [] },
          { name: "users", columns: userColumns.slice(1), id: "tbl_1" },
          { name: "logs", columns: [{ name: "line", type: "text" }] },
        ],
        tablesOrder: ["users", "teams"],
      },
    }),
    status: 200,
    body: {
      source: { tables },
      target: expect.objectContaining({ tables: expect.any(Array) }),
      edits: {
        sourceMigrationID: expect.stringMatching(/^mig_/),
        operations: [
          { addTable: { table: "logs" } },
          { removeColumn: { table: "teams", column: "name" } },
          { addColumn: { table: "teams", column: { name: "name", type: "text" } } },
          { removeColumn: { table: "users", column: "email" } },
          { addColumn: { table: "logs", column: { name: "line", type: "text" } } },
        ],
      },
    },
  },
  {
    title: "X-4: the same schema in another order is the same",
    send: post(`${BRANCH}/schema/compare`, {
      schema: {
        tables: [{ name: "users", columns: userColumns.toReversed() }, tables[0]],
      },
    }),
    status: 200,
    body: expect.objectContaining({ edits: expect.objectContaining({ operations: [] }) }),
  },
  {
    title: "X-4: a schema to compare with is checked",
    send: post(`${BRANCH}/schema/compare`, {
      schema: { tables: [{ name: "rows", columns: [{ name: "x", type: "decimal" }] }] },
    }),
    status: 400,
    code: "invalid_schema",
    path: "/schema/tables/0/columns/0/type",
  },
  {
    title: "X-4: edits are applied",
    before: [
      post(`${BRANCH}/schema/apply`, {
        edits: {
          operations: [
            { addTable: { table: "logs" } },
            { addColumn: { table: "logs", column: { name: "line", type: "text" } } },
            { renameColumn: { table: "users", oldName: "age", newName: "years" } },
            { renameTable: { oldName: "users", newName: "people" } },
            { removeColumn: { table: "people", column: "labels" } },
            { removeTable: { table: "teams" } },
          ],
        },
      }),
    ],
    send: get(`${TABLES}/people/data/u1?columns=years`),
    status: 200,
    body: { id: "u1", years: 30, service: made },
  },
  {
    title: "X-4: a refused edit is 400, and names its place",
    send: post(`${BRANCH}/schema/apply`, {
      edits: { operations: [{ addTable: { table: "logs" } }, { removeTable: { table: "none" } }] },
    }),
    status: 400,
    code: "table_not_found",
    path: "/edits/operations/1",
  },
  {
    title: "E-5: of refused edits none is applied",
    refused: [
      post(`${BRANCH}/schema/apply`, {
        edits: { operations: [{ addTable: { table: "a" } }, { removeTable: { table: "none" } }] },
      }),
    ],
    send: get(BRANCH),
    status: 200,
    body: expect.objectContaining({ schema: { tables } }),
  },
  {
    title: "X-4: an edit that is none is 400",
    send: post(`${BRANCH}/schema/apply`, { edits: { operations: [{ dropTable: "users" }] } }),
    status: 400,
    code: "invalid_request",
    path: "/edits/operations/0",
  },
  {
    title: "X-5: a branch is made empty",
    before: [put("/db/shop:twig")],
    send: post("/db/shop:twig/tables/users/query"),
    status: 404,
    code: "table_not_found",
  },
  {
    title: "X-5: a branch is made from another, by the query string",
    before: [put("/db/shop:twig?from=main")],
    send: get("/db/shop:twig/tables/users/data/u1?columns=age"),
    status: 200,
    body: { id: "u1", age: 30, service: made },
  },
  {
    title: "X-5: a branch is made from another, by the body",
    send: put("/db/shop:twig", { from: "main", metadata: { stage: "dev" } }),
    status: 201,
    body: { databaseName: "shop", branchName: "twig", status: "completed" },
  },
  {
    title: "B-1: a branch is not made from one that does not exist",
    send: put("/db/shop:twig", { from: "none" }),
    status: 400,
    code: "branch_not_found",
    path: "/from",
  },
  {
    title: "B-1: a branch whose name is taken is 422",
    send: put(BRANCH, {}),
    status: 422,
    code: "branch_exists",
  },
  {
    title: "X-5: a branch is described with its schema",
    send: get(BRANCH),
    status: 200,
    body: {
      databaseName: "shop",
      branchName: "main",
      createdAt: NOW,
      id: "shop:main",
      version: 1,
      state: "active",
      lastMigrationID: expect.stringMatching(/^mig_/),
      metadata: {},
      schema: { tables },
    },
  },
  {
    title: "B-1: the last branch stays",
    send: remove(BRANCH),
    status: 422,
    code: "last_branch",
  },
  {
    title: "X-5: a branch is deleted",
    before: [put("/db/shop:twig")],
    send: remove("/db/shop:twig"),
    status: 200,
    body: { status: "completed" },
  },
  {
    title: "X-5: branches are listed, oldest first",
    before: [put("/db/shop:a")],
    send: get("/dbs/shop"),
    status: 200,
    body: {
      databaseName: "shop",
      branches: [
        { name: "main", createdAt: NOW, state: "active" },
        { name: "a", createdAt: NOW, state: "active" },
      ],
    },
  },
  {
    title: "X-5: databases are listed",
    send: control(get("/workspaces/acme/dbs")),
    status: 200,
    body: { databases: [{ name: "shop", region: "us-east-1", createdAt: NOW }] },
  },
  {
    title: "X-5: what is noted of a branch is kept",
    before: [put(`${BRANCH}/metadata`, { repository: "github.com/x/y", labels: ["a"] })],
    send: get(`${BRANCH}/metadata`),
    status: 200,
    body: { repository: "github.com/x/y", labels: ["a"] },
  },
  {
    title: "X-5: what is noted of a branch is forgotten",
    before: [put(`${BRANCH}/metadata`, { stage: "dev" }), remove(`${BRANCH}/metadata`)],
    send: get(`${BRANCH}/metadata`),
    status: 200,
    body: {},
  },
  {
    title: "X-5: settings of a workspace are stored",
    before: [control(patch("/workspaces/acme/settings", { dedicatedClusters: true }))],
    send: control(get("/workspaces/acme/settings")),
    status: 200,
    body: { dedicatedClusters: true },
  },
  {
    title: "X-5: settings of a database are stored, those not given stay",
    before: [patch("/dbs/shop/settings", { searchEnabled: true })],
    send: patch("/dbs/shop/settings", { more: 1 }),
    status: 200,
    body: { searchEnabled: true, more: 1 },
  },
  {
    title: "X-5: a database is renamed",
    before: [control(post("/workspaces/acme/dbs/shop/rename", { newName: "mall" }))],
    send: get("/db/mall:main/tables/users/data/u1?columns=age"),
    status: 200,
    body: { id: "u1", age: 30, service: made },
  },
  {
    title: "X-5: workspaces are listed",
    send: control(get("/workspaces")),
    status: 200,
    body: {
      workspaces: [
        { ...OWNED, id: "acme", unique_id: "acme", name: "acme", slug: "acme" },
        { ...OWNED, id: "other", unique_id: "other", name: "other", slug: "other" },
      ],
    },
  },
  {
    title: "X-5: regions are listed",
    send: control(get("/workspaces/acme/regions")),
    status: 200,
    body: { regions: [{ id: "us-east-1", name: "us-east-1" }] },
  },
];

const FIGURES: readonly Case[] = [
  {
    title: "X-6: a summary of groups",
    send: post(`${USERS}/summarize`, {
      columns: ["age"],
      summaries: { n: { count: "*" }, first: { min: "email" } },
      sort: { n: "desc" },
    }),
    status: 200,
    body: {
      summaries: [
        { age: 30, n: 2, first: "ann@example.com" },
        { age: 40, n: 1, first: "bob@example.com" },
      ],
    },
  },
  {
    title: "X-6: a summary of an unknown column is refused",
    send: post(`${USERS}/summarize`, { summaries: { n: { sum: "nope" } } }),
    status: 400,
    code: "unknown_column",
    path: "/summaries/n/sum",
  },
  {
    title: "X-6: an aggregation",
    send: post(`${USERS}/aggregate`, {
      aggs: { total: { sum: { column: "age" } }, byAge: { topValues: { column: "age" } } },
    }),
    status: 200,
    body: {
      aggs: {
        total: 100,
        byAge: {
          values: [
            { $key: 30, $count: 2 },
            { $key: 40, $count: 1 },
          ],
        },
      },
    },
  },
  {
    title: "X-6: an aggregation that is none is refused, with the nearest",
    send: post(`${USERS}/aggregate`, { aggs: { total: { sums: { column: "age" } } } }),
    status: 400,
    code: "invalid_request",
    message: "did you mean sum?",
    path: "/aggs/total",
  },
];

describe("records by handler, fetch and socket", () => {
  it.each(RECORDS)("$title", (given) => checkCase(createFixture(), given));
});

describe("schemas, branches and settings by handler, fetch and socket", () => {
  it.each(STRUCTURE)("$title", (given) => checkCase(createFixture(), given));
});

describe("summaries and aggregations by handler, fetch and socket", () => {
  it.each(FIGURES)("$title", (given) => checkCase(createFixture(), given));
});

describe("under the xata profile", () => {
  it.each<Case>([
    {
      title: "B-2: the mapping has the names of its client",
      before: [post("/dbs/shop/gitBranches", { gitBranch: "a", xataBranch: "main" })],
      send: get("/dbs/shop/gitBranches"),
      status: 200,
      body: { mapping: [{ gitBranch: "a", xataBranch: "main" }] },
    },
    {
      title: "R-1: metadata goes by another name",
      send: get(`${DATA}/u1?columns=age`),
      status: 200,
      body: { id: "u1", age: 30, xata: made },
    },
    {
      title: "D-5: an unknown workspace is 401",
      send: control(get("/workspaces/nobody/dbs")),
      status: 401,
      code: "workspace_not_found",
    },
    {
      title: "X-3: a fault of a transaction has index and message alone",
      send: post(`${BRANCH}/transaction`, {
        operations: [{ delete: { table: "users", id: "nobody", failIfMissing: true } }],
      }),
      status: 400,
      body: {
        id: expect.any(String),
        errors: [{ index: 0, message: "table [users]: no rows deleted" }],
      },
    },
    {
      title: "G-1: pages are larger",
      send: post(`${USERS}/query`, { columns: [], page: { size: 1000, offset: 49_000 } }),
      status: 200,
      body: expect.objectContaining({ records: [] }),
    },
  ])("$title", (given) => checkCase(createFixture("xata"), given));
});
