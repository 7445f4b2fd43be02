import fc from "fast-check";

/** Part of every hostile text. No statement may contain it. */
export const MARKER = "zqx";
const PARTS = [
  ...`' " ; -- /* $1 $$ \\ ) % _ é 😀 \\' ]} E'\\x27 #> "::text {"a":1}`.split(" "),
  ...["\n", "\u0000", "\u0001\u0002", "');drop table twinbase", "' or ''='", "union select null"],
];

export const hostileText: fc.Arbitrary<string> = fc
  .tuple(fc.array(fc.constantFrom(...PARTS), { maxLength: 4 }), fc.constantFrom(...PARTS))
  .map(([before, after]) => `${before.join("")}${MARKER}${after}`);

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const BRANCH = "/db/shop:main";
export const USERS: string = `${BRANCH}/tables/users`;

/** Headers that a service or proxy reads, and an unknown one. */
const HEADERS = [
  ..."origin content-type accept user-agent referer cookie forwarded if-none-match".split(" "),
  ..."access-control-request-headers access-control-request-method traceparent".split(" "),
  ...["x-forwarded-host", "x-request-id", "x-xata-agent", `x-${MARKER}`],
];

function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "");
}

/** All headers, filled with texts. */
function headersOf(text: (place: number) => string): Readonly<Record<string, string>> {
  const filled = HEADERS.map((name, i) => [name, inHeader(text(i % 9))]);
  return { ...Object.fromEntries(filled), authorization: `Bearer ${inHeader(text(0))}` };
}

/** SQL requests with constant statements and hostile parameters. */
function statementsOf(text: (place: number) => string): Asked[] {
  const select =
    "select id, $1::text from users where name = $2 or bio like $3 or labels @> $4 or settings @> $5";
  const insert =
    "insert into users (id, name, bio, settings) values ('sql', $1, $2, $3) returning *";
  const update = "update users set bio = $1 where id = 'sql' returning bio";
  const statements = [
    { statement: select, params: [text(0), text(1), text(2), [text(3)], { [text(4)]: text(5) }] },
    { statement: insert, params: [text(0), text(1), [text(2), { [text(3)]: text(4) }]] },
    { statement: update, params: [text(5)] },
    { statement: "delete from users where id = 'sql' and name = $1", params: [text(0)] },
  ];
  const path = `${BRANCH}/sql`;
  return [
    ...statements.map((body) => ({ method: "POST", path, body })),
    { method: "POST", path: `${path}/batch`, body: { statements: statements.slice(1, 3) } },
    { method: "POST", path, body: { statement: "select $1::int", params: [text(0)] } },
    { method: "POST", path, body: { statement: "select 1", params: text(0) } },
    { method: "POST", path, body: { statement: "select 1", responseType: text(0) } },
    { method: "POST", path, body: { statement: "select 1", [text(0)]: text(1) } },
  ];
}

/** Requests with a text in each place for one. */
export function requestsOf(text: (place: number) => string): Asked[] {
  const headers = headersOf(text);
  const filled = [...bodiesAndPathsOf(text), ...statementsOf(text)];
  return filled.map((asked) => ({ ...asked, headers }));
}

function bodiesAndPathsOf(text: (place: number) => string): Asked[] {
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
export function changesOf(text: string, name: string): Asked[] {
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
