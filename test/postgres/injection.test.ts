import { PGlite, type Transaction } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { runs, seed } from "../generated.js";

/** In every hostile text: no statement may hold it. */
const MARKER = "zqx";
const PARTS = [
  "'",
  '"',
  ";",
  "--",
  "/*",
  "$1",
  "$$",
  "\\",
  ")",
  "%",
  "_",
  "\n",
  "é",
  "😀",
  "\u0000",
]
  .concat([
    "\u0001\u0002",
    "');drop table twinbase",
    "' or ''='",
    '"::text',
    "\\'",
    "]}",
    "E'\\x27",
  ])
  .concat(["union select null", "#>", '{"a":1}']);

const hostileText = fc
  .tuple(fc.array(fc.constantFrom(...PARTS), { maxLength: 4 }), fc.constantFrom(...PARTS))
  .map(([before, after]) => `${before.join("")}${MARKER}${after}`);

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const BRANCH = "/db/shop:main";
const USERS = `${BRANCH}/tables/users`;

/** Requests with a text in each place that takes one. */
function requestsOf(text: (place: number) => string): Asked[] {
  const inPath = (place: number): string => encodeURIComponent(text(place));
  const filters = ["$is", "$contains", "$startsWith", "$endsWith", "$pattern", "$ge", "$isNot"]
    .concat(["$iContains", "$iPattern"])
    .map((operator, i) => ({ name: { [operator]: text(i) } }));
  const bodies = [
    ...filters.map((filter) => ({ filter })),
    { filter: { name: { $any: [text(0), text(1)] }, $not: { bio: text(2) } } },
    { filter: { labels: { $includes: text(0) } } },
    { filter: { labels: { $includesAll: [{ $contains: text(0) }, text(1)] } } },
    { filter: { [`settings->${text(0)}`]: text(1), $notExists: `settings->${text(2)}` } },
    { filter: { "team.name": { $startsWith: text(0) }, id: { $gt: text(1) } } },
    { filter: { email: text(0), $exists: text(1) } },
    { filter: { [text(0)]: text(1) } },
    { columns: ["name", text(0)] },
    { columns: [{ name: "<-users.team", as: text(0), columns: [text(1)] }] },
    { sort: { [`settings->${text(0)}`]: "asc" } },
    { sort: [{ [text(0)]: "asc" }] },
    { sort: { name: text(0) } },
    { page: { after: text(0), size: 2 } },
    { page: { before: text(0) } },
    { consistency: text(0) },
    { [text(0)]: text(1) },
  ];
  const record = {
    name: text(0),
    bio: text(1),
    labels: [text(2), text(3)],
    settings: { [text(4)]: [text(5)] },
  };
  const transaction = [
    { insert: { table: "users", record: { id: "two", ...record } } },
    { update: { table: "users", id: "two", fields: { bio: text(3) }, upsert: true } },
    { get: { table: "users", id: "two", columns: ["bio"] } },
    { delete: { table: "users", id: "two" } },
  ];
  return [
    { method: "PUT", path: `${USERS}/data/one`, body: record },
    { method: "POST", path: `${USERS}/data`, body: { id: text(0), name: text(1) } },
    { method: "POST", path: `${USERS}/data`, body: { id: "three", team: text(0) } },
    { method: "POST", path: `${USERS}/data`, body: { id: "four", [text(0)]: text(1) } },
    { method: "POST", path: `${USERS}/bulk`, body: { records: [{ id: "five", name: text(6) }] } },
    { method: "PATCH", path: `${USERS}/data/one`, body: { bio: text(2), labels: [text(5)] } },
    { method: "PATCH", path: `${USERS}/data/one`, body: { email: text(2) } },
    { method: "GET", path: `${USERS}/data/${inPath(0)}` },
    { method: "GET", path: `${USERS}/data/one?columns=${inPath(0)}` },
    { method: "DELETE", path: `${USERS}/data/${inPath(1)}` },
    { method: "POST", path: `${BRANCH}/transaction`, body: { operations: transaction } },
    {
      method: "POST",
      path: `${BRANCH}/transaction`,
      body: { operations: [{ delete: { table: text(0), id: text(1) } }] },
    },
    ...bodies.map((body) => ({ method: "POST", path: `${USERS}/query`, body })),
    {
      method: "POST",
      path: `${USERS}/summarize`,
      body: {
        filter: { name: text(0) },
        columns: ["name"],
        summaries: { [text(1)]: { count: "*" } },
        summariesFilter: { [text(1)]: { $gt: 0 } },
      },
    },
    {
      method: "POST",
      path: `${USERS}/aggregate`,
      body: { filter: { bio: text(0) }, aggs: { [text(1)]: { topValues: { column: text(2) } } } },
    },
    { method: "POST", path: `${USERS}/search`, body: { query: text(0), filter: { bio: text(1) } } },
    { method: "POST", path: `${BRANCH}/search`, body: { query: text(0), tables: [text(1)] } },
    { method: "POST", path: `${BRANCH}/tables/${inPath(0)}/query`, body: {} },
    { method: "POST", path: `/db/shop:${inPath(0)}/tables/users/query`, body: {} },
    { method: "POST", path: `/db/${inPath(0)}:main/tables/users/query`, body: {} },
    { method: "GET", path: `${USERS}/columns/${inPath(0)}` },
    { method: "GET", path: `/file/${inPath(0)}` },
  ];
}

/** Requests that change names, schemas and users. */
function changesOf(text: string, name: string): Asked[] {
  const inPath = encodeURIComponent(text);
  const table = `${BRANCH}/tables/${name}`;
  const column = { name: `c-${name}`, type: "string", notNull: true, defaultValue: text };
  return [
    { method: "PUT", path: table },
    { method: "POST", path: `${table}/data`, body: {} },
    { method: "POST", path: `${table}/columns`, body: column },
    { method: "POST", path: `${table}/columns`, body: { name: text, type: "string" } },
    { method: "POST", path: `${table}/columns`, body: { name: "other", type: text } },
    { method: "POST", path: `${table}/query`, body: { sort: { [column.name]: "asc" } } },
    { method: "PATCH", path: table, body: { name: text } },
    { method: "PATCH", path: `${table}/columns/${column.name}`, body: { name: `d-${name}` } },
    {
      method: "PUT",
      path: `/db/shop:b-${name}`,
      body: { from: "main", metadata: { stage: text } },
    },
    { method: "PUT", path: `/db/shop:b-${name}/metadata`, body: { repository: text } },
    { method: "PUT", path: `/db/shop:${inPath}`, body: {} },
    { method: "POST", path: `${BRANCH}/copy`, body: { destinationBranch: text } },
    { method: "POST", path: `${BRANCH}/copy`, body: { destinationBranch: `b-${name}` } },
    { method: "DELETE", path: `/db/shop:b-${name}` },
    { method: "POST", path: "/dbs/shop/gitBranches", body: { gitBranch: text, xataBranch: text } },
    { method: "PUT", path: `/workspaces/w/dbs/${inPath}`, body: {} },
    { method: "PATCH", path: "/workspaces/w/dbs/shop/metadata", body: { ui: { color: text } } },
    { method: "PUT", path: "/user", body: { email: "a@example.com", fullname: text } },
    { method: "POST", path: `/user/keys/${inPath}` },
    { method: "PUT", path: "/workspaces/w", body: { name: text } },
    { method: "DELETE", path: table },
  ];
}

let db: PostgresDatabase;
let sent: string[] = [];
const { transaction } = PGlite.prototype;
const { query } = PGlite.prototype;

function note(text: string): void {
  sent.push(text);
}

beforeAll(async () => {
  PGlite.prototype.query = function noted(this: PGlite, text: string, ...rest: []) {
    note(text);
    return query.call(this, text, ...rest);
  } as typeof query;
  PGlite.prototype.transaction = function noted<T>(
    this: PGlite,
    act: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return transaction.call(this, (inner) => {
      const noting = Object.create(inner) as Transaction;
      noting.query = ((text: string, ...rest: []) => {
        note(text);
        return inner.query(text, ...rest);
      }) as Transaction["query"];
      return act(noting);
    }) as Promise<T>;
  };
  db = await openPostgres(
    { pglite: true },
    { workspaces: ["w"], seed: 1, now: 1e12, indexes: "never" },
  );
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]);
    main.createTable("users", [
      { name: "name", type: "string", unique: true },
      { name: "email", type: "email" },
      { name: "bio", type: "text" },
      { name: "labels", type: "multiple" },
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "settings", type: "json" },
    ]);
  });
});

afterAll(async () => {
  await db.close();
  PGlite.prototype.transaction = transaction;
  PGlite.prototype.query = query;
});

async function ask({ method, path, body }: Asked): Promise<number> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { status } = await db.fetch(`http://localhost${path}`, init);
  return status;
}

/** What is answered to each request, and the statements sent for it, from a table without records. */
async function run(requests: readonly Asked[]): Promise<{ status: number; texts: string[] }[]> {
  const { records } = await db.query({ database: "shop", table: "users" });
  await db.transact({ database: "shop" }, (main) => {
    for (const { id } of records) main.table("users").delete(String(id));
  });
  const results: { status: number; texts: string[] }[] = [];
  for (const request of requests) {
    sent = [];
    const status = await ask(request);
    expect(sent.join("\n"), JSON.stringify(request)).not.toContain(MARKER);
    // Which indexes are wanted is noted in the background, once it has been asked often.
    const texts = sent.filter((text) => !/twinbase\.demand|\bpg_/.test(text));
    results.push({ status, texts });
  }
  sent = [];
  return results;
}

/** The same text of harmless letters, but for what is stored in another way. */
function harmless(text: string, place: number): string {
  const letters = Array.from(text, (character) => (character <= "\u0004" ? character : "a"));
  return `${letters.join("")}${"b".repeat(place + 1)}`;
}

it("no text of a request is in a statement, whose text is the same for any other", async () => {
  const texts = fc.array(hostileText, { minLength: 9, maxLength: 9 });
  let requests = 0;
  let statements = 0;
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      // Each is another one: what is the same and what is not decides what is asked.
      const hostile = requestsOf((place) => `${given[place]}${"b".repeat(place + 1)}`);
      const plain = requestsOf((place) => harmless(given[place] ?? "", place));
      const found = await run(hostile);
      const expected = await run(plain);
      const known = new Set(expected.flatMap(({ texts }) => texts));
      for (const [i, { status, texts }] of found.entries()) {
        const title = `${hostile[i]?.method} ${hostile[i]?.path} ${JSON.stringify(hostile[i]?.body)}`;
        expect(status, title).toBeLessThan(500);
        if (status === expected[i]?.status) expect(texts, title).toEqual(expected[i].texts);
        else {
          // A name that is none: it is refused, and nothing sent that others do not send.
          expect(status, title).toBeGreaterThanOrEqual(400);
          expect(new Set([...texts, ...known]), title).toEqual(known);
        }
        statements += texts.length;
      }
      requests += found.length;
    }),
    { numRuns: Math.ceil(12 * runs), seed },
  );
  expect(statements).toBeGreaterThan(requests);
}, 240_000);

it("no name, default or note of a schema is in a statement", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      sent = [];
      const statuses: number[] = [];
      for (const asked of changesOf(text, `${MARKER}-drop_table~${count++}`)) {
        statuses.push(await ask(asked));
      }
      expect(sent.join("\n")).not.toContain(MARKER);
      expect(Math.max(...statuses)).toBeLessThan(500);
      expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(8);
    }),
    { numRuns: Math.ceil(6 * runs), seed },
  );
  const { status } = await db.fetch(`http://localhost${USERS}/query`, {
    method: "POST",
    body: "{}",
  });
  expect(status).toBe(200);
}, 240_000);
