// Requests to every operation, most of them wrong.
import { createWords } from "../random.mjs";
import { SETUP, samplesOf } from "./samples.mjs";

/** Lists the operations of the handler's OpenAPI description. */
export async function listOperations(ask) {
  let answer = await ask("http://x/openapi.json");
  while (answer.status !== 200) answer = await ask("http://x/openapi.json"); // a fault took it
  const { paths } = await answer.json();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== undefined)
      .map(([method, { operationId, requestBody }]) => ({
        operation: operationId,
        method: method.toUpperCase(),
        path,
        takesJson: requestBody?.content["application/json"] !== undefined,
      })),
  );
}

async function send(ask, [method, path, body]) {
  const response = await ask(`http://x${path}`, { method, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

/** Sends the setup; returns the generated names. */
export async function openWorld(ask) {
  for (const request of SETUP) await send(ask, request);
  return readNames(ask);
}

/** Creates an invitation; returns the names that a service has generated. */
export async function readNames(ask) {
  const invitation = { email: "invited@b.c", role: "maintainer" };
  const invite = await send(ask, ["POST", "/workspaces/acme/invites", invitation]);
  const { logs } = await send(ask, ["POST", "/db/shop:main/schema/history", {}]);
  const { meta } = await send(ask, ["POST", "/db/shop:main/tables/users/query", {}]);
  const links = "columns=photo.url,photo.uploadUrl";
  const { photo } = await send(ask, ["GET", `/db/shop:main/tables/users/data/u1?${links}`]);
  const tokens = Object.entries(photo).map(([key, url]) => [key, `${url}`.split("/file/").at(-1)]);
  return {
    invite_id: invite.inviteId,
    invite_key: invite.inviteKey,
    cursor: meta.page.cursor,
    last_migration: logs[0].id,
    first_migration: logs.at(-1).id,
    ...Object.fromEntries(tokens),
  };
}

const JUNK = [
  ...[null, true, false, -1, 0.5, 1e308, 2 ** 53, "", " ", "$is", "__proto__", "constructor"],
  ...[
    [],
    {},
    [[]],
    [null],
    { "": null },
    { $any: {} },
    "\u0000",
    "é",
    "\u{1f600}",
    "x".repeat(3000),
  ],
  ...["*", ".", "a.b", "a..b", "->", "doc->", "team.team", "end", "random", "now", "usr_1", "main"],
  ...[{ $increment: 1 }, { name: "<-users.team" }, { type: "object", columns: [] }],
  ...[{ $pattern: "*?*".repeat(50) }, { constructor: { prototype: 1 } }, { $not: { $not: null } }],
  Array.from({ length: 1200 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`k${i}`, i])),
];
/** JSON that `JSON.stringify` never writes. */
const RAW = ['{"__proto__":{"polluted":1}}', '"\\ud800"', "1e999", '{"a":1,"a":2}', "-0"];
const KEYS = [
  "__proto__",
  "$any",
  "nope",
  "",
  "id",
  "toString",
  "filter",
  "columns",
  "a.b",
  "name",
];
const SEGMENTS = [
  ...["a%2Fb", "%2e%2e", "%00", "%ff", "%", "a%20b", "__proto__", "shop:main:x", ":", "shop:", ""],
  ...["x".repeat(300), "%F0%9F%92%A9", "users", "constructor", "-1", "1e9", "_twinbase"],
];
const QUERIES = [
  ...["x", "columns=", "columns=%FF", "ifVersion=-1", "createOnly=1&createOnly=0", "from=", "&&=&"],
  ...[`columns=${"a,".repeat(1500)}`, `columns=${"team.".repeat(40)}name`, "gitBranch=%00"],
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND"];
const BODIES = [
  "[]",
  "1",
  '"x"',
  "null",
  "{",
  "",
  " ",
  "\u0000",
  "{}x",
  '{"a":}',
  "[[[[",
  "\ufeff{}",
];
/** Placeholders for raw and deeply nested JSON. */
const RAW_MARK = "raw:6f1c";
const DEEP_MARK = "deep:6f1c";
const NESTS = [
  ...[
    ["[", "]"],
    ['{"$not":', "}"],
    ['{"aggs":', "}"],
    ['{"filter":', "}"],
    ['{"columns":[', "]}"],
  ],
  ...[
    ['[{"a":', "}]"],
    ["[null,", "]"],
    ['{"":', "}"],
  ],
];

/** JSON nested 20 to 100,000 levels deep, logarithmically distributed. */
function nest(pick, random) {
  const [open, close] = pick(NESTS);
  const depth = Math.round(20 * 5000 ** (random() / 2 ** 32));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Replaces one part of a value, or the whole, by a placeholder. */
function deepen(value, pick, random) {
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || random() % 4 === 0) return DEEP_MARK;
  const key = pick(keys);
  const below = deepen(value[key], pick, random);
  if (Array.isArray(value)) return value.with(Number(key), below);
  return { ...value, [random() % 8 === 0 ? "nope" : key]: below };
}

/** Yields endless requests, each derived from a good one. */
export function* createRequests(operations, names, seed) {
  const random = createWords(seed);
  const pick = (list) => list[random() % list.length];
  for (;;) {
    const good = pick(samplesOf(pick(operations), names));
    const { url, method, body } = good;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const roll = random() % 26;
    if (roll === 0) yield { ...good, kind: "good", body: text };
    else if (roll < 13 && text !== undefined) {
      let spoilt = structuredClone(body);
      for (let times = 1 + (random() % 2); times > 0; times--) spoilt = spoil(spoilt, pick, random);
      const written = JSON.stringify(spoilt).replaceAll(`"${RAW_MARK}"`, () => pick(RAW));
      yield { ...good, kind: "value", body: written };
    } else if (roll < 16)
      yield { ...good, kind: "path", url: spoilPath(url, pick, random), body: text };
    else if (roll === 16) {
      yield { ...good, kind: "query", url: url.replace(/\?.*|$/, `?${pick(QUERIES)}`), body: text };
    } else if (roll === 17) {
      const other = pick(METHODS);
      const sent = other === "GET" || other === "HEAD" ? undefined : text;
      yield { ...good, kind: "method", method: other, body: sent };
    } else if (roll < 21 && text !== undefined) {
      yield { ...good, kind: "cut", body: text.slice(0, random() % text.length) };
    } else if (roll === 25 && text !== undefined) {
      const at = random() % text.length;
      const more = Uint8Array.from({ length: 1 + (random() % 4) }, () => random());
      const parts = [Buffer.from(text.slice(0, at)), more, Buffer.from(text.slice(at))];
      yield { ...good, kind: "bytes", body: Buffer.concat(parts) };
    } else if (roll === 21 && method !== "GET") yield { ...good, kind: "body", body: pick(BODIES) };
    else if (roll >= 22 && roll < 24 && method !== "GET") {
      const deep = { j: 1, ...body };
      const key = pick(Object.keys(deep));
      const spoilt = { ...deep, [key]: deepen(deep[key], pick, random) };
      const written = JSON.stringify(spoilt).replace(`"${DEEP_MARK}"`, () => nest(pick, random));
      yield { ...good, kind: "deep", body: written };
    } else yield { ...good, kind: "names", url: decoyed(url, pick), body: text };
  }
}

/** Replaces, removes, extends or nests one part of a value. */
export function spoil(value, pick, random) {
  const how = random() % 8;
  const isInner = typeof value === "object" && value !== null;
  const keys = isInner ? Object.keys(value) : [];
  if (keys.length > 0 && how < 5) {
    const key = pick(keys);
    const below = spoil(value[key], pick, random);
    return Array.isArray(value)
      ? value.map((member, i) => (String(i) === key ? below : member))
      : { ...value, [key]: below };
  }
  if (how === 5 && keys.length > 0 && !Array.isArray(value)) {
    const { [pick(keys)]: _, ...rest } = value;
    return rest;
  }
  if (how === 6)
    return isInner && !Array.isArray(value)
      ? { ...value, [pick(KEYS)]: pick(JUNK) }
      : [value, value];
  if (how === 7) return { [pick(KEYS)]: value };
  return random() % 10 === 0 ? RAW_MARK : pick(JUNK);
}

function spoilPath(url, pick, random) {
  const [path, search] = url.split("?");
  const segments = path.split("/");
  const spoilt = segments.toSpliced(1 + (random() % segments.length), random() % 3, pick(SEGMENTS));
  return search === undefined ? spoilt.join("/") : `${spoilt.join("/")}?${search}`;
}

/** Swaps names that exist with names that don't. */
function decoyed(url, pick) {
  const [from, to] = pick([
    ["shop", "mall"],
    ["acme", "other"],
    ["main", "dev"],
    ["users", "teams"],
    ["u1", "u3"],
    ["usr_1", "usr_9"],
    ["spare", "default"],
    ["age", "home.zip"],
  ]);
  return url.replaceAll(from, to);
}
