import fc from "fast-check";
import type { Sent } from "./ways.js";

/** A good request, of which bad ones are made. */
type Good = Pick<Sent, "method" | "path" | "body">;

/** Bytes for a socket: most begin as a good request and are spoilt in one way or another. */
export interface Malformed {
  /** How it was spoilt, for failures. */
  readonly kind: string;
  readonly method: string;
  readonly bytes: Buffer;
}

const HOST = "acme.us-east-1.localhost";
const BRANCH = "/db/shop:main";
const USER = `${BRANCH}/tables/users/data/u1`;

/** Good requests without a body of JSON, beside those of `goodBodies`. */
const WITHOUT_JSON: readonly Good[] = [
  ["GET", `${USER}?columns=team.name`],
  ["DELETE", `${USER}?columns=*`],
  ["PUT", `${USER}/column/photo/file`],
  ["GET", `${USER}/column/photo/file`],
  ["DELETE", `${USER}/column/photo/file`],
  ["PUT", `${USER}/column/papers/file/x`],
  ["GET", `${USER}/column/papers/file/x`],
  ["GET", "/file/nothing"],
  ["PUT", "/file/nothing"],
  ["DELETE", `${BRANCH}/tables/teams`],
  ["GET", `${BRANCH}/tables/users/columns`],
  ["DELETE", `${BRANCH}/tables/users/columns/age`],
  ["GET", BRANCH],
  ["GET", `${BRANCH}/migrations`],
  ["GET", `${BRANCH}/stats`],
  ["DELETE", "/dbs/shop/gitBranches?gitBranch=g"],
  ["GET", "/dbs/shop/resolveBranch?gitBranch=g&fallbackBranch=main"],
  ["DELETE", "/user/keys/ci"],
  ["GET", "/workspaces/acme/members"],
].map(([method = "", path = ""]) => ({ method, path }));

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
export function malformedFrom(bodies: readonly Good[]): fc.Arbitrary<Malformed> {
  return fc.constantFrom(...bodies, ...WITHOUT_JSON).chain(spoilRequest);
}

function spoilRequest({ method, path, body = {} }: Good): fc.Arbitrary<Malformed> {
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
}

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
