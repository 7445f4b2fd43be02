import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Case, checkCase, control, get, patch, post, put, remove } from "./cases.js";
import { createFixture, NOW } from "./fixture.js";
import { openWays, type Sent, type Way } from "./ways.js";

const BRANCH = "/db/shop:main";
const USERS = `${BRANCH}/tables/users`;
const DATABASE = "/workspaces/acme/dbs/shop";
const MAPPING = "/dbs/shop/gitBranches";
const metadata = { version: 0, createdAt: NOW, updatedAt: NOW };
const query = (body?: unknown): Sent => post(`${USERS}/query`, body);

const CASES: readonly Case[] = [
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
    title: "B-3: a new entry is 204 without a body",
    send: post(MAPPING, { gitBranch: "a", serviceBranch: "main" }),
    status: 204,
    body: null,
  },
  {
    title: "D-5: an unknown workspace is 404 at its own address",
    send: { ...query(), host: "nobody.us-east-1.example.com" },
    status: 404,
    code: "workspace_not_found",
    message: "nobody",
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
    title: "E-6: JSON comes before the names",
    send: { method: "POST", path: "/db/mall:main/tables/users/query", raw: "{" },
    status: 400,
    code: "invalid_request",
  },
  {
    title: "E-3: a malformed encoding in the address is refused",
    send: post(`${BRANCH}/tables/%ZZ/query`),
    status: 400,
    code: "invalid_request",
    message: "percent-encoding",
  },
  {
    title: "X-1: DELETE with columns gives the record",
    send: remove(`${USERS}/data/u1?columns=age`),
    status: 200,
    body: { id: "u1", age: 30, service: metadata },
  },
  {
    title: "X-5: databases are listed",
    send: control(get("/workspaces/acme/dbs")),
    status: 200,
    body: { databases: [{ name: "shop", region: "us-east-1", createdAt: NOW }] },
  },
  {
    title: "X-5: workspaces are listed",
    send: control(get("/workspaces")),
    status: 200,
    body: {
      workspaces: [
        { role: "owner", plan: "free", id: "acme", unique_id: "acme", name: "acme", slug: "acme" },
        {
          role: "owner",
          plan: "free",
          id: "other",
          unique_id: "other",
          name: "other",
          slug: "other",
        },
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

// The vectors check each answer; this checks that handler, fetch and socket give the same one.
describe("the endpoints, by handler, fetch and socket", () => {
  it.each(CASES)("$title", (given) => checkCase(createFixture(), given));
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
