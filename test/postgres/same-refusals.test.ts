/** @module-tag slow */
import { expect, it } from "vitest";
import {
  createRequests,
  listOperations,
  openWorld,
  type SampleRequest,
} from "../../scripts/attack/bad-requests.mjs";
import { toXata } from "../../scripts/attack/samples.mjs";
import { createControl, createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { openPostgres } from "../../src/postgres.js";
import { runs, seed } from "../generated.js";
import { createFixture } from "../http/fixture.js";
import { findUnrefused } from "../http/forbidden.js";
import { prepareForBodies } from "../http/good-bodies.js";
import "./copied-database.js";

/** Number of compared requests per profile. */
const COUNT = Math.ceil(2500 * runs);

type Fetch = ReturnType<typeof createFetch>;

it.each(["documented", "xata"] as const)(
  `E-6: PostgreSQL and memory refuse the same ${COUNT} requests, for the same reasons, under %s`,
  { timeout: 480_000 },
  async (profile) => {
    const engine: AnyEngine = createEngine({ profile, seed: 1, now: 0 });
    engine.createWorkspace("acme");
    const options = { bodyBytes: 32_000, workspace: "acme" };
    await using db = await openPostgres({ pglite: true }, { profile, seed: 7, ...options });
    const memory = createFetch(engine, options);
    const service = createFetch(engine, { ...options, control: createControl() });
    // The names of signed addresses and invitations, which `fill` does not copy, are unknown.
    await openWorld((url, init) => service(url, inProfile(engine, init)));
    const operations = (await listOperations(memory)).filter(
      ({ operation }) => !/Sql|^sql/.test(operation),
    );
    await db.fill(engine);
    const saved = engine.snapshot();
    const counts = new Map<unknown, number>();
    let index = 0;
    let compared = 0;
    for (const given of createRequests(operations, {}, seed + 1)) {
      index++;
      const request = readRequest(given, engine);
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

type Given = Pick<SampleRequest, "method" | "url" | "body">;

function readRequest(
  { method, url: path, body }: SampleRequest,
  engine: AnyEngine,
): Given | undefined {
  const url = `http://localhost${path}`;
  if (!URL.canParse(url) || method === "HEAD") return undefined;
  const hasBody = method !== "GET" && body !== undefined;
  return { method, url, ...inProfile(engine, hasBody ? { body } : {}) };
}

/** Replaces the names of the profile `documented` in a body. */
function inProfile<T extends { readonly body?: unknown }>(
  { profile: { metadataColumn } }: AnyEngine,
  init: T = {} as T, // without members
): T {
  return metadataColumn === "service" ? init : { ...init, body: toXata(init.body) };
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
  const answer = await send(url, { method, ...(body !== undefined && { body }) });
  const { status } = answer;
  const text = await answer.text();
  if (status < 400) return { status };
  const { errors, more, ...refusal } = JSON.parse(text) as Refusal;
  return { status, ...reasonOf(refusal), errors: errors?.map(reasonOf), more };
}

function reasonOf({ index, code, path, rule }: Refusal): Refusal {
  return { index, code, path, rule } as Refusal;
}
