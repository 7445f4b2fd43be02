import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Case, checkCase, control, get, patch, post, put, remove } from "./cases.js";
import { createFixture, NOW } from "./fixture.js";
import { openWays, type Sent, type Way } from "./ways.js";

const BRANCH = "/db/shop:main";
const USERS = `${BRANCH}/tables/users`;
const DATABASE = "/workspaces/acme/dbs/shop";
const MAPPING = "/dbs/shop/gitBranches";
const metadata = { version: 0, createdAt: NOW, updatedAt: NOW };
const u1 = {
  id: "u1",
  email: "ann@example.com",
  age: 30,
  team: { id: "t1" },
  labels: ["red"],
  service: metadata,
};

const query = (body?: unknown): Sent => post(`${USERS}/query`, body);

/** Stands for a cursor of the fixture: the page of the first user. */
const CURSOR = "«cursor»";

const CASES: readonly Case[] = [
  // Query
  {
    title: "P-1: a query without a body gives every record whole",
    send: query(),
    status: 200,
    body: expect.objectContaining({ records: [u1, expect.anything(), expect.anything()] }),
  },
  {
    title: "P-2: a query gives the columns selected, of the records that match, in order",
    send: query({
      columns: ["age", "team.name"],
      filter: { age: { $ge: 30 } },
      sort: [{ age: "desc" }, { email: "desc" }],
      page: { size: 2 },
    }),
    status: 200,
    body: {
      records: [
        {
          id: "u2",
          age: 40,
          team: { id: "t2", name: "Bees", service: metadata },
          service: metadata,
        },
        { id: "u3", age: 30, service: metadata },
      ],
      meta: { page: { cursor: expect.stringMatching(/^[\w-]+$/), more: true, size: 2 } },
    },
  },
  {
    title: "G-5: a cursor gives the page behind it",
    send: query({ page: { after: CURSOR } }),
    status: 200,
    body: expect.objectContaining({ records: [expect.objectContaining({ id: "u2" })] }),
  },
  {
    title: "G-13: a damaged cursor is refused",
    send: query({ page: { after: `${CURSOR}A` } }),
    status: 400,
    code: "invalid_cursor",
    path: "/page/after",
  },
  {
    title: "G-13: what is no cursor is refused, wherever it stands",
    send: query({ page: { before: "nonsense" } }),
    status: 400,
    code: "invalid_cursor",
    path: "/page/before",
  },
  {
    title: "G-13: a start that is no cursor is refused",
    send: query({ page: { start: "nonsense" } }),
    status: 400,
    code: "invalid_cursor",
    path: "/page/start",
  },
  {
    title: "G-13: an end that is no cursor is refused",
    send: query({ page: { end: "nonsense" } }),
    status: 400,
    code: "invalid_cursor",
    path: "/page/end",
  },
  {
    title: "G-7: a cursor with a filter is refused",
    send: query({ filter: {}, page: { after: CURSOR } }),
    status: 400,
    code: "invalid_page",
  },
  {
    title: "G-7: a cursor with a sort is refused",
    send: query({ sort: {}, page: { before: CURSOR } }),
    status: 400,
    code: "invalid_page",
  },
  {
    title: "G-10: before the end comes the last page, with a filter too",
    send: query({ columns: [], filter: { age: 30 }, page: { before: "end", size: 1 } }),
    status: 200,
    body: expect.objectContaining({ records: [{ id: "u3", service: metadata }] }),
  },
  {
    title: "G-8: start beside another cursor is refused",
    send: query({ page: { start: CURSOR, after: CURSOR } }),
    status: 400,
    code: "invalid_page",
  },
  {
    title: "G-8: end beside another cursor is refused",
    send: query({ page: { end: CURSOR, before: CURSOR } }),
    status: 400,
    code: "invalid_page",
  },
  {
    title: "G-9: a range that ends ahead of where it begins is refused",
    send: query({ page: { after: CURSOR, before: CURSOR } }),
    status: 400,
    code: "invalid_page",
  },
  {
    title: "G-1: a page larger than the largest is refused in the words of the rule",
    send: query({ page: { size: 201 } }),
    status: 400,
    code: "invalid_page",
    message: "page size exceeds max limit of 200",
    path: "/page/size",
  },
  {
    title: "G-1: an offset beyond the farthest is refused in the words of the rule",
    send: query({ page: { offset: 801 } }),
    status: 400,
    code: "invalid_page",
    message: "page offset must not exceed 800",
    path: "/page/offset",
  },
  {
    title: "P-9: an unknown column is refused, with the nearest",
    send: query({ columns: ["emial"] }),
    status: 400,
    code: "unknown_column",
    message: "email",
    path: "/columns/0",
  },
  {
    title: "F-16: a literal of another type is refused",
    send: query({ filter: { age: "thirty" } }),
    status: 400,
    code: "invalid_filter",
    path: "/filter/age",
  },
  {
    title: "S-2: a direction that is none is refused",
    send: query({ sort: { age: "up" } }),
    status: 400,
    code: "invalid_sort",
  },
  {
    title: "M-4: a query of an unknown table is 404",
    send: post(`${BRANCH}/tables/nobody/query`),
    status: 404,
    code: "table_not_found",
    message: "nobody",
  },
  {
    title: "M-4: a query of an unknown branch is 404",
    send: post("/db/shop:twig/tables/users/query"),
    status: 404,
    code: "branch_not_found",
    message: "twig",
  },
  {
    title: "M-4: a query of an unknown database is 404",
    send: post("/db/mall:main/tables/users/query"),
    status: 404,
    code: "database_not_found",
    message: "mall",
  },
  {
    title: "N-2: a branch without its database is refused",
    send: post("/db/shop/tables/users/query"),
    status: 400,
    code: "invalid_name",
  },
  // Git branches
  {
    title: "B-2: the mapping starts empty",
    send: get(MAPPING),
    status: 200,
    body: { mappings: [] },
  },
  {
    title: "B-2: the mapping is listed in the order first added",
    before: [
      post(MAPPING, { gitBranch: "b", serviceBranch: "main" }),
      post(MAPPING, { gitBranch: "a", serviceBranch: "main" }),
      post(MAPPING, { gitBranch: "b", serviceBranch: "main" }),
    ],
    send: get(MAPPING),
    status: 200,
    body: {
      mappings: [
        { gitBranch: "b", serviceBranch: "main" },
        { gitBranch: "a", serviceBranch: "main" },
      ],
    },
  },
  {
    title: "B-3: a new entry is 204 without a body",
    send: post(MAPPING, { gitBranch: "a", serviceBranch: "main" }),
    status: 204,
    body: null,
  },
  {
    title: "B-3: an overwritten entry is 201 with a warning",
    before: [post(MAPPING, { gitBranch: "a", serviceBranch: "main" })],
    send: post(MAPPING, { gitBranch: "a", serviceBranch: "main" }),
    status: 201,
    body: { warning: expect.stringContaining("a") },
  },
  {
    title: "B-3: a branch that does not exist is 400",
    send: post(MAPPING, { gitBranch: "a", serviceBranch: "twig" }),
    status: 400,
    code: "branch_not_found",
    message: "twig",
    path: "/serviceBranch",
  },
  {
    title: "B-3: an entry needs both names",
    send: post(MAPPING, { gitBranch: "a" }),
    status: 400,
    code: "invalid_request",
    path: "/serviceBranch",
  },
  {
    title: "E-3: an unknown key of an entry is named",
    send: post(MAPPING, { gitBranch: "a", serviceBranch: "main", more: 1 }),
    status: 400,
    code: "invalid_request",
    message: "more",
    path: "/more",
  },
  {
    title: "B-4: removing an entry is 204",
    before: [post(MAPPING, { gitBranch: "fix/bug#1", serviceBranch: "main" })],
    send: remove(`${MAPPING}?gitBranch=fix%2Fbug%231`),
    status: 204,
    body: null,
  },
  {
    title: "B-4: removing an unknown entry is 404",
    send: remove(`${MAPPING}?gitBranch=a`),
    status: 404,
    code: "git_branch_not_found",
    message: "a",
  },
  {
    title: "B-4: removing needs the git branch",
    send: remove(MAPPING),
    status: 400,
    code: "invalid_request",
    path: "/gitBranch",
  },
  {
    title: "B-4: removing takes one git branch",
    send: remove(`${MAPPING}?gitBranch=a&gitBranch=b`),
    status: 400,
    code: "invalid_request",
  },
  {
    title: "M-4: the mapping of an unknown database is 404",
    send: get("/dbs/mall/gitBranches"),
    status: 404,
    code: "database_not_found",
  },
  {
    title: "B-5: resolving finds the mapping first",
    before: [
      put("/db/shop:twig"),
      put("/db/shop:a"),
      post(MAPPING, { gitBranch: "a", serviceBranch: "twig" }),
    ],
    send: get("/dbs/shop/resolveBranch?gitBranch=a&fallbackBranch=main"),
    status: 200,
    body: { branch: "twig", reason: { code: "FOUND_IN_MAPPING", message: expect.any(String) } },
  },
  {
    title: "B-5: resolving finds a branch of that name next",
    before: [put("/db/shop:a")],
    send: get("/dbs/shop/resolveBranch?gitBranch=a&fallbackBranch=main"),
    status: 200,
    body: { branch: "a", reason: { code: "BRANCH_EXISTS", message: expect.any(String) } },
  },
  {
    title: "B-5: resolving falls back",
    before: [put("/db/shop:twig")],
    send: get("/dbs/shop/resolveBranch?gitBranch=a&fallbackBranch=twig"),
    status: 200,
    body: { branch: "twig", reason: { code: "FALLBACK_BRANCH", message: expect.any(String) } },
  },
  {
    title: "B-5: resolving ends at main",
    send: get("/dbs/shop/resolveBranch"),
    status: 200,
    body: { branch: "main", reason: { code: "DEFAULT_BRANCH", message: expect.any(String) } },
  },
  // Tables
  {
    title: "M-1: a table is made without a body",
    send: put(`${BRANCH}/tables/rows`),
    status: 201,
    body: { branchName: "shop:main", tableName: "rows", status: "completed" },
  },
  {
    title: "M-1: a table is made with an empty body",
    send: put(`${BRANCH}/tables/rows`, {}),
    status: 201,
    body: { branchName: "shop:main", tableName: "rows", status: "completed" },
  },
  {
    title: "M-1: a table whose name is taken is 422",
    send: put(USERS),
    status: 422,
    code: "table_exists",
    message: "users",
  },
  {
    title: "E-6: a taken name comes before an unknown key",
    send: put(USERS, { columns: [] }),
    status: 422,
    code: "table_exists",
  },
  {
    title: "E-3: making a table takes no keys",
    send: put(`${BRANCH}/tables/rows`, { columns: [] }),
    status: 400,
    code: "invalid_request",
    message: "columns",
  },
  {
    title: "N-1: a table cannot have any name",
    send: put(`${BRANCH}/tables/a%20b`),
    status: 400,
    code: "invalid_name",
    message: "a b",
  },
  {
    title: "M-4: a table is not made on an unknown branch",
    send: put("/db/shop:twig/tables/rows"),
    status: 404,
    code: "branch_not_found",
  },
  {
    title: "M-2: a table is deleted",
    send: remove(USERS),
    status: 200,
    body: { status: "completed" },
  },
  {
    title: "M-2: deleting an unknown table is 404",
    before: [remove(USERS)],
    send: remove(USERS),
    status: 404,
    code: "table_not_found",
    message: "users",
  },
  {
    title: "M-3: a table is renamed",
    send: patch(USERS, { name: "people" }),
    status: 200,
    body: {
      migrationID: expect.stringMatching(/^mig_/),
      parentMigrationID: expect.stringMatching(/^mig_/),
      status: "completed",
    },
  },
  {
    title: "M-3: a renamed table has its records under the new name",
    before: [patch(USERS, { name: "people" })],
    send: post(`${BRANCH}/tables/people/query`, { columns: [], page: { size: 1 } }),
    status: 200,
    body: expect.objectContaining({ records: [{ id: "u1", service: metadata }] }),
  },
  {
    title: "M-3: a table is not renamed to a taken name",
    send: patch(USERS, { name: "teams" }),
    status: 422,
    code: "table_exists",
    message: "teams",
  },
  {
    title: "M-3: an unknown table is not renamed",
    send: patch(`${BRANCH}/tables/nobody`, { name: "people" }),
    status: 404,
    code: "table_not_found",
  },
  {
    title: "M-3: renaming needs a name",
    send: patch(USERS, {}),
    status: 400,
    code: "invalid_request",
    path: "/name",
  },
  {
    title: "M-3: renaming needs a good name",
    send: patch(USERS, { name: "a/b" }),
    status: 400,
    code: "invalid_name",
    path: "/name",
  },
  {
    title: "M-3: renaming changes nothing else",
    send: patch(USERS, { name: "people", columns: [] }),
    status: 400,
    code: "invalid_request",
    message: "columns",
  },
  // Databases
  {
    title: "D-1: a database is made",
    send: control(put("/workspaces/acme/dbs/mall", { region: "eu-west-1", ui: { color: "RED" } })),
    status: 201,
    body: { databaseName: "mall", branchName: "main", status: "completed" },
  },
  {
    title: "D-1: a database is made with the first branch asked for",
    send: control(put("/workspaces/acme/dbs/mall", { branchName: "trunk" })),
    status: 201,
    body: { databaseName: "mall", branchName: "trunk", status: "completed" },
  },
  {
    title: "D-1: a database whose name is taken is 422",
    send: control(put(DATABASE, {})),
    status: 422,
    code: "database_exists",
    message: "shop",
  },
  {
    title: "E-3: making a database knows its keys",
    send: control(put("/workspaces/acme/dbs/mall", { colour: "RED" })),
    status: 400,
    code: "invalid_request",
    message: "colour",
  },
  {
    title: "N-1: a database cannot have any name",
    send: control(put("/workspaces/acme/dbs/a.b", {})),
    status: 400,
    code: "invalid_name",
  },
  {
    title: "D-2: a database is described, without a colour that was never set",
    send: control(get(DATABASE)),
    status: 200,
    body: { name: "shop", region: "us-east-1", createdAt: NOW },
  },
  {
    title: "D-2: an unknown database is 404",
    send: control(get("/workspaces/acme/dbs/mall")),
    status: 404,
    code: "database_not_found",
    message: "mall",
  },
  {
    title: "D-3: a database is recoloured",
    send: control(patch(DATABASE, { ui: { color: "BLUE" } })),
    status: 200,
    body: { name: "shop", region: "us-east-1", createdAt: NOW, ui: { color: "BLUE" } },
  },
  {
    title: "D-3: recolouring needs a colour",
    send: control(patch(DATABASE, { ui: {} })),
    status: 400,
    code: "invalid_request",
    path: "/ui/color",
  },
  {
    title: "D-3: recolouring changes nothing else",
    send: control(patch(DATABASE, { ui: { color: "BLUE" }, name: "mall" })),
    status: 400,
    code: "invalid_request",
    message: "name",
  },
  {
    title: "D-3: an unknown database is not recoloured",
    send: control(patch("/workspaces/acme/dbs/mall", { ui: { color: "BLUE" } })),
    status: 404,
    code: "database_not_found",
  },
  {
    title: "D-4: a database is deleted",
    send: control(remove(DATABASE)),
    status: 200,
    body: { status: "completed" },
  },
  {
    title: "D-4: with a database go its tables",
    before: [control(remove(DATABASE))],
    send: query(),
    status: 404,
    code: "database_not_found",
  },
  {
    title: "D-4: deleting an unknown database is 404",
    send: control(remove("/workspaces/acme/dbs/mall")),
    status: 404,
    code: "database_not_found",
  },
  {
    title: "D-5: an unknown workspace is 404 at the control address",
    send: control(get("/workspaces/nobody/dbs/shop")),
    status: 404,
    code: "workspace_not_found",
    message: "nobody",
  },
  {
    title: "D-5: an unknown workspace is 404 at its own address",
    send: { ...query(), host: "nobody.us-east-1.example.com" },
    status: 404,
    code: "workspace_not_found",
    message: "nobody",
  },
  // User
  {
    title: "U-2: the user is described",
    send: control(get("/user")),
    status: 200,
    body: { id: "usr_0", email: "user@example.com", fullname: "Built-in User", image: "" },
  },
  {
    title: "U-2: the user is changed",
    send: control(put("/user", { email: "me@example.org", fullname: "Me", image: "me.png" })),
    status: 200,
    body: { id: "usr_0", email: "me@example.org", fullname: "Me", image: "me.png" },
  },
  {
    title: "U-2: a user needs an email address",
    send: control(put("/user", { fullname: "Me" })),
    status: 400,
    code: "invalid_request",
    path: "/email",
  },
  {
    title: "U-2: a user needs a name",
    send: control(put("/user", { email: "me@example.org" })),
    status: 400,
    code: "invalid_request",
    path: "/fullname",
  },
  {
    title: "U-2: a user has nothing else",
    send: control(put("/user", { email: "me@example.org", fullname: "Me", role: "owner" })),
    status: 400,
    code: "invalid_request",
    message: "role",
  },
  {
    title: "U-2: deleting the user is 204",
    send: control(remove("/user")),
    status: 204,
    body: null,
  },
  {
    title: "U-2: the built-in user is reset by its deletion",
    before: [
      control(put("/user", { email: "me@example.org", fullname: "Me" })),
      control(remove("/user")),
    ],
    send: control(get("/user")),
    status: 200,
    body: { id: "usr_0", email: "user@example.com", fullname: "Built-in User", image: "" },
  },
  // Any route
  {
    title: "E-3: an unknown route is 404",
    send: get("/nowhere"),
    status: 404,
    code: "route_not_found",
  },
  {
    title: "E-3: a route that is too long is 404",
    send: post(`${USERS}/query/more`),
    status: 404,
    code: "route_not_found",
  },
  {
    title: "E-3: a route with a slash at its end is another",
    send: control(get("/user/")),
    status: 404,
    code: "route_not_found",
  },
  {
    title: "E-3: malformed JSON is refused",
    send: { method: "POST", path: `${USERS}/query`, raw: '{"filter":' },
    status: 400,
    code: "invalid_request",
    message: "malformed JSON",
  },
  {
    title: "E-3: a body that is an array is refused",
    send: query([]),
    status: 400,
    code: "invalid_request",
  },
  {
    title: "E-3: a body that is null is refused",
    send: { method: "POST", path: `${USERS}/query`, raw: "null" },
    status: 400,
    code: "invalid_request",
  },
  {
    title: "E-3: a body that is no UTF-8 is refused",
    send: {
      method: "POST",
      path: `${USERS}/query`,
      raw: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
    },
    status: 400,
    code: "invalid_request",
    message: "UTF-8",
  },
  {
    title: "E-3: an unknown key of a query is named, with the nearest",
    send: query({ filters: {} }),
    status: 400,
    code: "invalid_request",
    message: "filter",
    path: "/filters",
  },
  {
    title: "E-3: an unknown parameter of the query string is named",
    send: get(`${MAPPING}?limit=5`),
    status: 400,
    code: "invalid_request",
    message: "limit",
    path: "/limit",
  },
  {
    title: "E-6: the route comes before the method and the names",
    send: get("/db/mall:main/tables/a%20b/nowhere"),
    status: 404,
    code: "route_not_found",
  },
  {
    title: "E-6: JSON comes before the names",
    send: { method: "POST", path: "/db/mall:main/tables/users/query", raw: "{" },
    status: 400,
    code: "invalid_request",
  },
  {
    title: "E-6: the names come before the keys",
    send: post("/db/mall:main/tables/users/query", { nope: 1 }),
    status: 404,
    code: "database_not_found",
  },
  {
    title: "E-6: the names come before the query string",
    send: get("/dbs/mall/gitBranches?nope=1"),
    status: 404,
    code: "database_not_found",
  },
  {
    title: "E-3: a malformed encoding in the address is refused",
    send: post(`${BRANCH}/tables/%ZZ/query`),
    status: 400,
    code: "invalid_request",
    message: "percent-encoding",
  },
];

describe("the documented endpoints, by handler, fetch and socket", () => {
  let cursor = "";

  beforeAll(() => {
    const users = createFixture().workspace("acme").database("shop").branch("main").table("users");
    cursor = users.query({ page: { size: 1 } }).meta.page.cursor;
  });

  it.each(CASES)("$title", (given) => checkCase(createFixture(), withCursor(given, cursor)));
});

describe("a known route with another method", () => {
  let ways: Way[];

  beforeAll(async () => {
    ways = await openWays(createFixture());
  });

  afterAll(() => Promise.all(ways.map((way) => way.close())));

  it.each([
    [get(`${USERS}/query`), "POST"],
    [put(MAPPING), "GET, POST, DELETE"],
    [post(USERS), "PUT, PATCH, DELETE"],
    [control(post(DATABASE)), "PUT, GET, PATCH, DELETE"],
    [control(patch("/user")), "GET, PUT, DELETE"],
    [{ method: "OPTIONS", path: `${USERS}/query` }, "POST"],
  ])("E-3: %j is 405 and says what goes", async (sent, allow) => {
    const answers = await Promise.all(ways.map((way) => way.send(sent)));
    for (const answer of answers) {
      expect(answer).toEqual(answers[0]);
      expect(answer.status).toBe(405);
      expect(answer.headers).toMatchObject({ allow });
      expect(JSON.parse(answer.text)).toMatchObject({ code: "method_not_allowed", rule: "E-3" });
    }
  });
});

function withCursor(given: Case, cursor: string): Case {
  const { send } = given;
  if (send.body === undefined) return given;
  const body: unknown = JSON.parse(JSON.stringify(send.body).replaceAll(CURSOR, cursor));
  return { ...given, send: { ...send, body } };
}
