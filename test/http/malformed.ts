import fc from "fast-check";
import { GOOD_EXTENSIONS } from "./good-extensions.js";

/** Bytes for a socket: most begin as a good request and are spoilt in one way or another. */
export interface Malformed {
  /** How it was spoilt, for failures. */
  readonly kind: string;
  readonly method: string;
  readonly bytes: Buffer;
}

const HOST = "acme.us-east-1.localhost";
const BRANCH = "/db/shop:main";
const USERS = `${BRANCH}/tables/users`;

/** Good requests: what a client would send, with every route among them. */
const GOOD: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[] =
  [
    {
      method: "POST",
      path: `${USERS}/query`,
      body: {
        columns: ["email", "team.name", { name: "<-users.team", limit: 2 }],
        filter: { age: { $ge: 1 }, $not: { labels: { $includes: ["red", { $contains: "b" }] } } },
        sort: [{ age: "desc" }, { "*": "random" }],
        page: { size: 5, offset: 1, after: "end" },
        consistency: "strong",
      },
    },
    {
      method: "POST",
      path: `${USERS}/query`,
      body: { filter: { $any: [{ age: 30 }, { team: "t1" }] } },
    },
    {
      method: "POST",
      path: `${USERS}/summarize`,
      body: {
        columns: ["age", "team.name"],
        summaries: { n: { count: "*" }, s: { sum: "age" } },
        summariesFilter: { n: { $gt: 1 } },
        sort: { n: "desc" },
        page: { size: 5 },
      },
    },
    {
      method: "POST",
      path: `${USERS}/aggregate`,
      body: {
        filter: { age: { $exists: true } },
        aggs: {
          a: { topValues: { column: "age", size: 3, aggs: { b: { sum: { column: "age" } } } } },
          c: { numericHistogram: { column: "age", interval: 10, offset: 1 } },
          d: { percentiles: { column: "age", percentiles: [1, 50] } },
        },
      },
    },
    {
      method: "POST",
      path: `${USERS}/search`,
      body: {
        query: "ann red",
        fuzziness: 2,
        prefix: "disabled",
        target: ["email", { column: "labels", weight: 2 }],
        filter: { age: { $ge: 1 } },
        boosters: [
          { numericBooster: { column: "age", factor: 2, modifier: "log1p" } },
          { valueBooster: { column: "team.name", value: "x", factor: 1, ifMatchesFilter: {} } },
        ],
        highlight: { enabled: true, encodeHTML: true },
        page: { size: 5, offset: 1 },
      },
    },
    {
      method: "POST",
      path: `${BRANCH}/search`,
      body: { query: "an", prefix: "phrase", tables: ["teams", { table: "users", filter: {} }] },
    },
    {
      method: "POST",
      path: `${USERS}/vectorSearch`,
      body: { column: "age", queryVector: [1, 2], similarityFunction: "l2", size: 3, filter: {} },
    },
    { method: "POST", path: `${USERS}/data?columns=age`, body: { id: "x", age: 1, labels: ["a"] } },
    { method: "GET", path: `${USERS}/data/u1?columns=team.name` },
    { method: "PUT", path: `${USERS}/data/u1?createOnly=false&ifVersion=0`, body: { age: 1 } },
    { method: "PATCH", path: `${USERS}/data/u1?ifVersion=0`, body: { age: { $increment: 1 } } },
    {
      method: "POST",
      path: `${USERS}/data/u1`,
      body: { address: { zip: 5 }, "address.street": "x" },
    },
    { method: "DELETE", path: `${USERS}/data/u1?columns=*` },
    { method: "POST", path: `${USERS}/bulk`, body: { records: [{ age: 1 }, { email: "a@b.c" }] } },
    {
      method: "POST",
      path: `${BRANCH}/transaction`,
      body: {
        operations: [
          { insert: { table: "users", record: { id: "y" }, createOnly: true } },
          {
            update: { table: "users", id: "u1", fields: { age: 2 }, upsert: true, columns: ["id"] },
          },
          { delete: { table: "users", id: "u2", failIfMissing: true } },
          { get: { table: "teams", id: "t1" } },
        ],
      },
    },
    { method: "PUT", path: `${BRANCH}/tables/fresh`, body: {} },
    { method: "PATCH", path: USERS, body: { name: "people" } },
    { method: "DELETE", path: `${BRANCH}/tables/teams` },
    {
      method: "PUT",
      path: `${USERS}/schema`,
      body: { columns: [{ name: "a", type: "link", link: { table: "teams" } }] },
    },
    { method: "GET", path: `${USERS}/columns` },
    {
      method: "POST",
      path: `${USERS}/columns`,
      body: { name: "address.x", type: "vector", vector: { dimension: 3 }, notNull: false },
    },
    { method: "PATCH", path: `${USERS}/columns/address.zip`, body: { name: "code" } },
    { method: "DELETE", path: `${USERS}/columns/age` },
    {
      method: "POST",
      path: `${BRANCH}/schema/compare`,
      body: {
        schema: { tables: [{ name: "t", columns: [{ name: "o", type: "object", columns: [] }] }] },
      },
    },
    {
      method: "POST",
      path: `${BRANCH}/schema/apply`,
      body: {
        edits: {
          operations: [
            { addTable: { table: "t" } },
            { addColumn: { table: "t", column: { name: "a", type: "int", defaultValue: 1 } } },
            { renameTable: { oldName: "t", newName: "u" } },
          ],
        },
      },
    },
    { method: "PUT", path: "/db/shop:twig?from=main", body: { metadata: { labels: ["a"] } } },
    { method: "GET", path: BRANCH },
    { method: "PUT", path: `${BRANCH}/metadata`, body: { repository: "r" } },
    {
      method: "POST",
      path: "/dbs/shop/gitBranches",
      body: { gitBranch: "g", serviceBranch: "main" },
    },
    { method: "DELETE", path: "/dbs/shop/gitBranches?gitBranch=g" },
    { method: "GET", path: "/dbs/shop/resolveBranch?gitBranch=g&fallbackBranch=main" },
    { method: "PATCH", path: "/dbs/shop/settings", body: { searchEnabled: true } },
    {
      method: "PUT",
      path: "/workspaces/acme/dbs/mall",
      body: { region: "eu", branchName: "b", ui: { color: "RED" } },
    },
    { method: "PATCH", path: "/workspaces/acme/dbs/shop", body: { ui: { color: "RED" } } },
    { method: "PUT", path: "/user", body: { email: "a@b.c", fullname: "A", image: "" } },
    ...GOOD_EXTENSIONS,
  ];

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

/** Values that stand where another kind was wanted. */
const awkward: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0.5,
    1e308,
    "",
    "$is",
    "__proto__",
    "constructor",
    [],
    {},
    [[]],
    [null],
    { "": null },
    { $any: {} },
    "\ud800",
    "\u0000",
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A body with one value somewhere in it put for another, or a key more. */
function spoilValue(body: unknown): fc.Arbitrary<unknown> {
  if (typeof body !== "object" || body === null) return awkward;
  const keys = Object.keys(body);
  const here = Array.isArray(body)
    ? awkward.map((value) => [...body, value])
    : fc
        .tuple(fc.constantFrom("__proto__", "$any", "nope", "", "id", "toString"), awkward)
        .map(([key, value]) => Object.fromEntries([...Object.entries(body), [key, value]]));
  if (keys.length === 0) return fc.oneof(awkward, here);
  const below = fc
    .constantFrom(...keys)
    .chain((key) =>
      spoilValue((body as Record<string, unknown>)[key]).map((value) =>
        Array.isArray(body)
          ? body.map((member: unknown, i) => (String(i) === key ? value : member))
          : { ...body, [key]: value },
      ),
    );
  return fc.oneof(
    { weight: 1, arbitrary: awkward },
    { weight: 1, arbitrary: here },
    {
      weight: 4,
      arbitrary: below,
    },
  );
}

const SEGMENTS = [
  "a%2Fb",
  "%2e%2e",
  "%00",
  "%ff",
  "%",
  "a%20b",
  "__proto__",
  "shop:main:x",
  ":",
  "",
  "x".repeat(300),
  "%F0%9F%92%A9",
  "users",
];

/** A path with a segment put for another, taken away, or added. */
function spoilPath(path: string): fc.Arbitrary<string> {
  const segments = path.split("/");
  return fc
    .tuple(fc.nat(segments.length - 1), fc.constantFrom(...SEGMENTS), fc.nat(2))
    .map(([at, segment, removed]) =>
      segments.toSpliced(Math.max(1, at), removed, segment).join("/"),
    );
}

const QUERIES = [
  "?",
  "?x",
  "?columns=",
  "?columns=%FF",
  "?ifVersion=-1",
  "?createOnly=1&createOnly=0",
];

/** Requests of which most are wrong in some way; those that are right by chance are no harm. */
export const malformed: fc.Arbitrary<Malformed> = fc.constantFrom(...GOOD).chain((good) => {
  const { method, path, body = {} } = good;
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const of = (kind: string, bytes: fc.Arbitrary<Buffer>, sent = method): fc.Arbitrary<Malformed> =>
    bytes.map((given) => ({ kind, method: sent, bytes: given }));
  return fc.oneof(
    {
      weight: 8,
      arbitrary: of(
        "value",
        spoilValue(body).map((v) => encode(method, path, stringify(v))),
      ),
    },
    {
      weight: 3,
      arbitrary: of(
        "path",
        spoilPath(path).map((p) => encode(method, p, text)),
      ),
    },
    {
      weight: 1,
      arbitrary: of(
        "query string",
        fc.constantFrom(...QUERIES).map((q) => encode(method, path.replace(/\?.*|$/, q), text)),
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(...METHODS)
        .chain((m) => of("method", fc.constant(encode(m, path, text)), m)),
    },
    {
      weight: 3,
      arbitrary: of(
        "truncated JSON",
        fc.nat(Math.max(0, text.length - 1)).map((at) => encode(method, path, text.slice(0, at))),
      ),
    },
    {
      weight: 3,
      arbitrary: of(
        "bad bytes",
        fc
          .tuple(fc.nat(length), fc.uint8Array({ minLength: 1, maxLength: 4 }))
          .map(([at, bytes]) => encode(method, path, insert(Buffer.from(text), at, bytes))),
      ),
    },
    {
      weight: 1,
      arbitrary: of(
        "no object",
        awkward.map((value) => encode(method, path, stringify(value))),
      ),
    },
    {
      weight: 1,
      arbitrary: of(
        "repeated keys",
        fc.constant(encode(method, path, text.replace(/^\{("[^"]*":)/, "{$1null,$1[],$1"))),
      ),
    },
    {
      weight: 1,
      arbitrary: of(
        "deep",
        fc
          .tuple(
            fc.constantFrom("[", '{"$not":', '{"aggs":', '{"filter":'),
            fc.oneof(fc.integer({ min: 20, max: 1000 }), fc.integer({ min: 1000, max: 15_000 })),
          )
          .map(([open, depth]) => {
            const close = open === "[" ? "]" : "}";
            const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
            return encode(
              method,
              path,
              text.replace(/:[^,{[}]*([,}])/, (_, end) => `:${nested}${end}`),
            );
          }),
      ),
    },
    {
      weight: 1,
      arbitrary: of("huge", fc.constant(encode(method, path, `${text}${" ".repeat(40_000)}`))),
    },
    {
      weight: 1,
      arbitrary: of(
        "no HTTP",
        fc.oneof(
          fc.uint8Array({ minLength: 1, maxLength: 60 }).map((b) => Buffer.concat([b, CRLF])),
          fc
            .constantFrom("\u0016\u0003\u0001", "GET\r\n\r\n", "GET / HTTP/1.1\r\n:\r\n\r\n")
            .map((t) => Buffer.concat([Buffer.from(t), CRLF])),
          fc.constant(
            Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: ${HOST}\r\ncontent-length: x\r\n\r\n`),
          ),
        ),
      ),
    },
  );
});

const CRLF = Buffer.from("\r\n\r\n\r\n");

function encode(method: string, path: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${HOST}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

function stringify(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

function insert(bytes: Buffer, at: number, more: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}
