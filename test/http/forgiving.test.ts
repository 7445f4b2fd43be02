import { describe, it } from "vitest";
import { type Case, checkCase, control, patch, post, put } from "./cases.js";
import { createFixture } from "./fixture.js";

const users = "/db/shop:main/tables/users";
const xata = () => createFixture("xata");

const CASES: readonly Case[] = [
  {
    title: "E-3: a null inside a filter is a value",
    send: post(`${users}/summarize`, {
      columns: null,
      filter: { address: null },
      summaries: { n: { count: "*" } },
    }),
    status: 200,
    body: { summaries: [{ n: 2 }] },
  },
  {
    title: "E-3: a null in a record is a value",
    send: patch(`${users}/data/u1?columns=age`, { age: null }),
    status: 200,
    body: {
      id: "u1",
      xata: { version: 1, createdAt: "2024-01-31T12:00:00Z", updatedAt: "2024-01-31T12:00:00Z" },
    },
  },
  {
    title: "E-3: a null in a record of a transaction is a value, elsewhere it is absent",
    send: post("/db/shop:main/transaction", {
      operations: [
        {
          update: { table: "users", id: "u1", fields: { age: null }, columns: null, upsert: null },
        },
        { get: { table: "users", id: "u1", columns: ["age", "email"] } },
      ],
    }),
    status: 200,
    body: {
      results: [
        { operation: "update", id: "u1", rows: 1, columns: {} },
        { operation: "get", columns: { email: "ann@example.com" } },
      ],
    },
  },
  {
    title: "E-3: true and false in an address may be written with a capital",
    send: put(`${users}/data/u1?createOnly=True`, {}),
    status: 422,
    code: "id_in_use",
  },
  {
    title: "E-3: and no other way",
    send: put(`${users}/data/u1?createOnly=TRUE`, {}),
    status: 400,
    code: "invalid_request",
  },
  {
    title: "D-3: the colour of a database that does not exist is a bad request",
    send: control(patch("/workspaces/acme/dbs/nope", { ui: { color: "RED" } })),
    status: 400,
    code: "database_not_found",
  },
  {
    title: "D-3: of a workspace that does not exist it is a 401",
    send: control(patch("/workspaces/nope/dbs/shop", { ui: { color: "RED" } })),
    status: 401,
    code: "workspace_not_found",
  },
  {
    title: "D-7: a database is renamed, unless the name is taken",
    before: [control(put("/workspaces/acme/dbs/mall", {}))],
    send: control(post("/workspaces/acme/dbs/shop/rename", { newName: "mall" })),
    status: 422,
    code: "database_exists",
  },
  {
    title: "B-1: a branch takes the schema alone",
    before: [put("/db/shop:twig?from=main", { from: null })],
    send: post("/db/shop:twig/tables/users/query", { columns: [] }),
    status: 200,
  },
];

describe("under xata", () => {
  it.each(CASES)("$title", (given) => checkCase(xata(), given));
});

const DOCUMENTED: readonly Case[] = [
  {
    title: "E-3: a boolean in an address is lower case",
    send: put(`${users}/data/u1?createOnly=True`, {}),
    status: 400,
    code: "invalid_request",
  },
  {
    title: "B-1: data is for engine calls",
    send: put("/db/shop:twig", { from: "main", data: true }),
    status: 400,
    code: "invalid_request",
    path: "/data",
  },
];

describe("under documented", () => {
  it.each(DOCUMENTED)("$title", (given) => checkCase(createFixture(), given));
});
