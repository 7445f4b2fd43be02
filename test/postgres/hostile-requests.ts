import fc from "fast-check";
import type { Sent } from "../http/ways.js";

/** Part of every hostile text. No statement may contain it. */
export const MARKER = "zqx";
const PARTS = [
  ...`' " ; -- /* $1 $$ \\ ) % _ é 😀 \\' ]} E'\\x27 #> "::text {"a":1}`.split(" "),
  ...["\n", "\u0000", "\u0001\u0002", "');drop table twinbase", "' or ''='", "union select null"],
];

export const hostileText: fc.Arbitrary<string> = fc
  .tuple(fc.array(fc.constantFrom(...PARTS), { maxLength: 4 }), fc.constantFrom(...PARTS))
  .map(([before, after]) => `${before.join("")}${MARKER}${after}`);

/** Headers that a service or proxy reads, and an unknown one. */
const HEADERS = [
  ..."origin content-type accept user-agent referer cookie forwarded if-none-match".split(" "),
  ..."access-control-request-headers access-control-request-method traceparent".split(" "),
  ...["x-forwarded-host", "x-request-id", "x-xata-agent", "authorization", `x-${MARKER}`],
];

/** Requests with a text in the place of each name and string of a valid one, one at a time. */
export function spoilEach({ method, path, body }: Sent, text: string): Sent[] {
  const inHeader = text.replaceAll(/[^\x20-\x7e]/g, "");
  const headers = Object.fromEntries(HEADERS.map((name) => [name, inHeader]));
  const encoded = encodeURIComponent(text);
  const words = [...path.matchAll(/[^/:?=&,]+/g)];
  return [
    ...words.map(({ 0: word, index }) => ({
      method,
      headers,
      body,
      path: path.slice(0, index) + encoded + path.slice(index + word.length),
    })),
    ...[...spoil(body, text)].map((spoilt) => ({ method, path, headers, body: spoilt })),
  ];
}

/** Copies of a JSON value with a text in the place of one string or key. */
function* spoil(value: unknown, text: string): Generator<unknown> {
  if (typeof value === "string") yield fill(value, text);
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  for (const [i, [key, inner]] of entries.entries()) {
    if (!Array.isArray(value)) yield Object.fromEntries(entries.with(i, [fill(key, text), inner]));
    for (const spoilt of key === "statement" ? [] : spoil(inner, text)) {
      if (Array.isArray(value)) yield value.with(i, spoilt);
      else yield Object.fromEntries(entries.with(i, [key, spoilt]));
    }
  }
}

/** Replaces a name, or the last one of a path into JSON. */
function fill(name: string, text: string): string {
  return name.startsWith("<-") ? text : name.replace(/[^>]*$/, () => text);
}

const BRANCH = "/db/shop:main";
const USERS = `${BRANCH}/tables/users`;
const OPERATORS =
  "$is $isNot $contains $startsWith $endsWith $pattern $iContains $iPattern $ge".split(" ");
const FILTERS: readonly object[] = [
  ...OPERATORS.map((operator) => ({ "address.street": { [operator]: "x" } })),
  { email: { $any: ["a@b.c", "d@e.f"] }, $not: { "address.street": "x" } },
  { labels: { $includes: "x" } },
  { labels: { $includesAll: [{ $contains: "x" }, "y"] } },
  { "settings->a": "x", $notExists: "settings->b" },
  { "team.name": { $startsWith: "x" }, id: { $gt: "y" } },
];
const SELECT =
  "select id, $1::text from users where email = $2 or labels @> $3 or settings @> $4 or $5 like id";
const INSERT = "insert into users (id, labels, settings) values ('sql', $1, $2) returning *";
const UPDATE = `update users set "address.street" = $1 where id = 'sql' returning *`;

/** Valid requests with texts of every kind of filter and parameter. */
export const MORE_REQUESTS: readonly Sent[] = [
  ...FILTERS.map((filter) => ({ path: `${USERS}/query`, body: { filter } })),
  { path: `${USERS}/query`, body: { sort: { "settings->a": "asc" } } },
  {
    path: `${BRANCH}/sql`,
    body: { statement: SELECT, params: ["a", "b", ["c"], { d: "e" }, "f"] },
  },
  { path: `${BRANCH}/sql`, body: { statement: INSERT, params: [["a"], [{ b: "c" }]] } },
  { path: `${BRANCH}/sql/batch`, body: { statements: [{ statement: UPDATE, params: ["a"] }] } },
  {
    path: `${USERS}/data`,
    body: { labels: ["a"], settings: { b: ["c"] }, address: { street: "d" } },
  },
  { method: "GET", path: `${USERS}/data/u1?columns=age` },
  { method: "GET", path: `${USERS}/columns/age` },
  { method: "DELETE", path: `${USERS}/data/none` },
  { method: "GET", path: "/file/none" },
].map((each) => ({ method: "POST", ...each }));

/** Valid requests for a new table, column and branch with a name, and with a text as their values. */
export function nameEach(name: string, text: string): Sent[] {
  const table = `${BRANCH}/tables/${name}`;
  const branch = `/db/shop:${name}`;
  const column = { name, type: "string", notNull: true, defaultValue: text };
  return [
    { method: "PUT", path: table },
    { method: "POST", path: `${table}/data`, body: {} },
    { method: "POST", path: `${table}/columns`, body: column },
    { method: "POST", path: `${table}/query`, body: { sort: { [name]: "asc" } } },
    { method: "PATCH", path: `${table}/columns/${name}`, body: { name: `d-${name}` } },
    { method: "PUT", path: branch, body: { from: "main", metadata: { stage: text } } },
    { method: "POST", path: `${BRANCH}/copy`, body: { destinationBranch: name } },
    { method: "POST", path: "/dbs/shop/gitBranches", body: { gitBranch: text, xataBranch: name } },
    { method: "DELETE", path: branch },
    { method: "DELETE", path: table },
  ];
}
