/** @module-tag slow */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { openPostgres } from "../../src/postgres.js";
import { runs, seed } from "../generated.js";
import { createFixture } from "../http/fixture.js";
import { findUnrefused } from "../http/forbidden.js";
import { goodBodies, prepareForBodies } from "../http/good-bodies.js";
import { type Malformed, malformedFrom } from "../http/malformed.js";

/** Number of compared requests per profile. */
const COUNT = Math.ceil(2500 * runs);

type Fetch = ReturnType<typeof createFetch>;

it.each(["documented", "xata"] as const)(
  `E-6: PostgreSQL and memory refuse the same ${COUNT} requests, for the same reasons, under %s`,
  { timeout: 480_000 },
  async (profile) => {
    const engine = createFixture(profile);
    await prepareForBodies(engine);
    const options = { bodyBytes: 32_000 };
    await using db = await openPostgres({ pglite: true }, { profile, seed: 7, ...options });
    const memory = createFetch(engine, options);
    const bodies = await goodBodies(engine.profile.mappingTarget, memory);
    // `fill` does not copy invitations, so none exists.
    const malformed = malformedFrom(
      bodies.map(({ path, ...rest }) => ({
        ...rest,
        path: path.replace(/invites\/\w+/, "invites/x"),
      })),
    );
    await db.fill(engine);
    const saved = engine.snapshot();
    const counts = new Map<unknown, number>();
    let compared = 0;
    for (const [index, given] of fc
      .sample(malformed, { numRuns: 2 * COUNT, seed: seed + 1 })
      .entries()) {
      const request = readRequest(given);
      if (request === undefined) continue;
      const expected = await outcomeOf(memory, request);
      const isRead = request.method === "GET" || READS.test(request.url);
      if (expected.status < 400) engine.restore(saved);
      // The kit compares successful writes.
      if (expected.status < 400 && !isRead) continue;
      const shown = `seed ${seed + 1}, request ${index} (${given.kind}): ${request.method} ${request.url} ${request.body}`;
      expect(await outcomeOf(db.fetch, request), shown.slice(0, 2000)).toEqual(expected);
      counts.set(expected.status, (counts.get(expected.status) ?? 0) + 1);
      if (++compared === COUNT) break;
    }
    expect(compared).toBe(COUNT);
    for (const status of [200, 400, 404, 405])
      expect(counts.get(status)).toBeGreaterThan(COUNT / 100);
  },
);

const STATEMENT = { statement: "select $1::int", params: [1] };
const RESPONSE = { consistency: "strong", responseType: "array" };
const SQL = Object.entries({
  "/sql": { ...STATEMENT, ...RESPONSE },
  "/sql/batch": { statements: [STATEMENT], ...RESPONSE },
}).map(([path, body]) => ({ method: "POST", path: `/db/shop:main${path}`, body }));

it.each(["documented", "xata"] as const)(
  "E-1: values that the schema of a body forbids are refused with their path over PostgreSQL, under %s",
  { timeout: 480_000 },
  async (profile) => {
    const engine = createFixture(profile);
    await prepareForBodies(engine);
    await using db = await openPostgres({ pglite: true }, { profile, seed: 7 });
    await db.fill(engine);
    const { asked, unrefused } = await findUnrefused(db.fetch, engine.profile, undefined, SQL);
    expect(unrefused).toEqual([]);
    expect(asked).toBeGreaterThan(400);
  },
);

const READS = /\/(?:query|summarize|aggregate|search|vectorSearch|compare|plan|preview|history)$/;

interface Given {
  readonly method: string;
  readonly url: string;
  readonly body: Buffer | undefined;
}

function readRequest({ kind, bytes }: Malformed): Given | undefined {
  if (kind === "no HTTP") return undefined;
  const end = bytes.indexOf("\r\n\r\n");
  const [, method = "", path = ""] =
    /^(\S+) (.*) HTTP\/1.1\r/.exec(bytes.toString("latin1", 0, end)) ?? [];
  const url = `http://acme.us-east-1.localhost${path}`;
  if (!URL.canParse(url) || /^(?:TRACE|HEAD)$/.test(method)) return undefined;
  return { method, url, body: method === "GET" ? undefined : bytes.subarray(end + 4) };
}

interface Refusal {
  readonly code?: string;
  readonly path?: string;
  readonly rule?: string;
  readonly index?: number;
  readonly errors?: readonly Refusal[];
  readonly more?: number;
}

/** The status of an answer; of a refusal also code, path and rule. */
async function outcomeOf(send: Fetch, { method, url, body }: Given) {
  const answer = await send(url, {
    method,
    ...(body !== undefined && { body: new Uint8Array(body) }),
  });
  const { status } = answer;
  const text = await answer.text();
  if (status < 400) return { status };
  const { errors, more, ...refusal } = JSON.parse(text) as Refusal;
  return { status, ...reasonOf(refusal), errors: errors?.map(reasonOf), more };
}

function reasonOf({ index, code, path, rule }: Refusal): Refusal {
  return { index, code, path, rule } as Refusal;
}
