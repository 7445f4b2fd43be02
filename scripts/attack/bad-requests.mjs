// Requests to every operation, most of them wrong.
import { JSON_JUNK, listPlaces, putAt, spoil } from "../programs/spoil.mjs";
import { createRandom } from "../random.mjs";
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

/** JSON that `JSON.stringify` never writes. */
const RAW = ['{"__proto__":{"polluted":1}}', '"\\ud800"', "1e999", '{"a":1,"a":2}', "-0"];
/** With placeholders for raw JSON. */
const JUNK = [...JSON_JUNK, ...RAW.map((_, i) => `raw:${i}`)];
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
/** A placeholder for deeply nested JSON. */
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
function nest(random) {
  const [open, close] = random.pick(NESTS);
  const depth = Math.round(20 * 5000 ** random.next());
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Yields endless requests, each derived from a good one. */
export function* createRequests(operations, names, seed) {
  const random = createRandom(seed);
  const { pick } = random;
  for (;;) {
    const good = pick(samplesOf(pick(operations), names));
    const { url, method, body } = good;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const roll = random.below(26);
    if (roll === 0) yield { ...good, kind: "good", body: text };
    else if (roll < 13 && text !== undefined) {
      const once = spoil(body, random, JUNK);
      const spoilt = random.chance(0.5) ? once : spoil(once, random, JUNK);
      const written = JSON.stringify(spoilt).replaceAll(/"raw:(\d)"/g, (_, index) => RAW[index]);
      yield { ...good, kind: "value", body: written };
    } else if (roll < 16) yield { ...good, kind: "path", url: spoilPath(url, random), body: text };
    else if (roll === 16) {
      yield { ...good, kind: "query", url: url.replace(/\?.*|$/, `?${pick(QUERIES)}`), body: text };
    } else if (roll === 17) {
      const other = pick(METHODS);
      const sent = other === "GET" || other === "HEAD" ? undefined : text;
      yield { ...good, kind: "method", method: other, body: sent };
    } else if (roll < 21 && text !== undefined) {
      yield { ...good, kind: "cut", body: text.slice(0, random.below(text.length)) };
    } else if (roll === 25 && text !== undefined) {
      const at = random.below(text.length);
      const more = Uint8Array.from({ length: 1 + random.below(4) }, () => random.below(256));
      const parts = [Buffer.from(text.slice(0, at)), more, Buffer.from(text.slice(at))];
      yield { ...good, kind: "bytes", body: Buffer.concat(parts) };
    } else if (roll === 21 && method !== "GET") yield { ...good, kind: "body", body: pick(BODIES) };
    else if (roll >= 22 && roll < 24 && method !== "GET") {
      const deep = { j: 1, ...body };
      const [, ...places] = listPlaces(deep);
      const written = JSON.stringify(putAt(deep, pick(places), DEEP_MARK));
      yield {
        ...good,
        kind: "deep",
        body: written.replace(`"${DEEP_MARK}"`, () => nest(random)),
      };
    } else yield { ...good, kind: "names", url: decoyed(url, pick), body: text };
  }
}

function spoilPath(url, random) {
  const [path, search] = url.split("?");
  const segments = path.split("/");
  const at = 1 + random.below(segments.length);
  const spoilt = segments.toSpliced(at, random.below(3), random.pick(SEGMENTS));
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
