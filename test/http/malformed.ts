import fc from "fast-check";
import type { Sent } from "./ways.js";

/** A valid request, from which malformed ones are derived. */
type Good = Pick<Sent, "method" | "path" | "body">;

/** Bytes of a request, most of them derived from a valid one. */
export interface Malformed {
  /** The kind of fault, for failures. */
  readonly kind: string;
  readonly method: string;
  readonly bytes: Buffer;
}

const HOST = "acme.us-east-1.localhost";
const BRANCH = "/db/shop:main";
const USER = `${BRANCH}/tables/users/data/u1`;

/** Valid requests without a JSON body, in addition to `goodBodies`. */
export const WITHOUT_JSON: readonly Good[] = [
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

/** Values of unexpected types. */
const awkward: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, -1, 0.5, 1e308, [], {}, [[]], [null], { "": null }, { $any: {} }],
    ...["", "$is", "__proto__", "constructor", "\ud800", "\u0000"],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A body with one value replaced or added. */
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
  return fc.oneof(...[awkward, here].map((arbitrary) => ({ weight: 1, arbitrary })), {
    weight: 4,
    arbitrary: below,
  });
}

const SEGMENTS = [
  ...["a%2Fb", "%2e%2e", "%00", "%ff", "%", "a%20b", "%F0%9F%92%A9", "", ":"],
  ...["__proto__", "shop:main:x", "x".repeat(300), "users"],
];

/** A path with a segment replaced, removed or added. */
function spoilPath(path: string): fc.Arbitrary<string> {
  const segments = path.split("/");
  return fc
    .tuple(fc.nat(segments.length - 1), fc.constantFrom(...SEGMENTS), fc.nat(2))
    .map(([at, segment, removed]) =>
      segments.toSpliced(Math.max(1, at), removed, segment).join("/"),
    );
}

/** Malformed requests; some are valid by chance. */
export function malformedFrom(bodies: readonly Good[]): fc.Arbitrary<Malformed> {
  return fc.constantFrom(...bodies, ...WITHOUT_JSON).chain(spoilRequest);
}

function spoilRequest({ method, path, body = {} }: Good): fc.Arbitrary<Malformed> {
  const text = JSON.stringify(body);
  const sent = (given: string | Buffer, to = path): Buffer => encode(method, to, given);
  const ways: readonly (readonly [weight: number, kind: string, fc.Arbitrary<Buffer>])[] = [
    [8, "value", spoilValue(body).map((value) => sent(stringify(value)))],
    [3, "path", spoilPath(path).map((to) => sent(text, to))],
    [1, "query string", aQuery.map((query) => sent(text, path.replace(/\?.*|$/, query)))],
    [3, "truncated JSON", fc.nat(text.length - 1).map((at) => sent(text.slice(0, at)))],
    [3, "bad bytes", spoilBytes(text).map((bytes) => sent(bytes))],
    [1, "no object", awkward.map((value) => sent(stringify(value)))],
    [1, "repeated keys", fc.constant(sent(text.replace(/^\{("[^"]*":)/, "{$1null,$1[],$1")))],
    [1, "deep", deepValue.map((deep) => sent(text.replace(/:[^,{[}]*([,}])/, `:${deep}$1`)))],
    [1, "huge", fc.constant(sent(`${text}${" ".repeat(40_000)}`))],
    [1, "no HTTP", noHttp(method, path)],
  ];
  const spoilt = ways.map(([weight, kind, given]) => ({
    weight,
    arbitrary: given.map((bytes) => ({ kind, method, bytes })),
  }));
  const otherMethod = fc
    .constantFrom(...METHODS)
    .map((other) => ({ kind: "method", method: other, bytes: encode(other, path, text) }));
  return fc.oneof(...spoilt, { weight: 2, arbitrary: otherMethod });
}

const aQuery = fc.constantFrom(
  ...["?", "?x", "?columns=", "?columns=%FF", "?ifVersion=-1", "?createOnly=1&createOnly=0"],
);

/** A text with inserted bytes. */
function spoilBytes(text: string): fc.Arbitrary<Buffer> {
  const bytes = Buffer.from(text);
  return fc
    .tuple(fc.nat(bytes.length), fc.uint8Array({ minLength: 1, maxLength: 4 }))
    .map(([at, more]) => Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]));
}

const deepValue = fc
  .tuple(
    fc.constantFrom("[", '{"$not":', '{"aggs":', '{"filter":'),
    fc.oneof(fc.integer({ min: 20, max: 1000 }), fc.integer({ min: 1000, max: 15_000 })),
  )
  .map(([open, depth]) => `${open.repeat(depth)}1${(open === "[" ? "]" : "}").repeat(depth)}`);

function noHttp(method: string, path: string): fc.Arbitrary<Buffer> {
  const texts = [
    ...["\u0016\u0003\u0001", "GET\r\n\r\n", "GET / HTTP/1.1\r\n:\r\n\r\n"],
    `${method} ${path} HTTP/1.1\r\nhost: ${HOST}\r\ncontent-length: x\r\n\r\n`,
  ];
  return fc
    .oneof(
      // A server skips empty lines before a request (RFC 9112, 2.2).
      fc.uint8Array({ minLength: 1, maxLength: 60 }).filter((bytes) => !bytes.every(isLineEnd)),
      fc.constantFrom(...texts).map((text) => Buffer.from(text)),
    )
    .map((bytes) => Buffer.concat([bytes, CRLF]));
}

const isLineEnd = (byte: number): boolean => byte === 13 || byte === 10;

const CRLF = Buffer.from("\r\n\r\n\r\n");

function encode(method: string, path: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${HOST}\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

function stringify(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
