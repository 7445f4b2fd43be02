/** @module-tag slow */
import { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { runs, seed } from "../generated.js";
import { createFixture } from "../http/fixture.js";
import { goodBodies, prepareForBodies } from "../http/good-bodies.js";
import type { Sent } from "../http/ways.js";
import { hostileText, MARKER, MORE_REQUESTS, nameEach, spoilEach } from "./hostile-requests.js";
import "./copied-database.js";

let db: PostgresDatabase;
let requests: readonly Sent[];
let sent: string[] = [];
const { execProtocolRaw } = PGlite.prototype;

/** The default of a column, which has no parameter: one literal, in which every quote is escaped. */
const DEFAULT = /set default e'(?:[^'\\]|\\.)*'/g;

/** Notes the texts of the Parse messages in a message to the server: code, length, name, text. */
function note(message: Uint8Array): void {
  const bytes = Buffer.from(message);
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== 0x50) continue;
    const start = bytes.indexOf(0, at + 5) + 1;
    sent.push(bytes.toString("utf8", start, bytes.indexOf(0, start)));
  }
}

beforeAll(async () => {
  PGlite.prototype.execProtocolRaw = function noted(this: PGlite, message, ...rest) {
    note(message);
    return execProtocolRaw.call(this, message, ...rest);
  };
  const engine = createFixture("xata");
  await prepareForBodies(engine);
  const users = engine.workspace("acme").database("shop").branch("main").table("users");
  users.addColumn({ name: "settings", type: "json" });
  const fetch = createFetch(engine);
  requests = [...(await goodBodies(engine.profile.mappingTarget, fetch)), ...MORE_REQUESTS];
  const options = { profile: "xata", seed: 7, now: 1e12, indexes: "never" } as const;
  db = await openPostgres({ pglite: true }, options);
  await db.fill(engine);
  // Creates the role of statements.
  await ask({ method: "POST", path: "/db/shop:main/sql", body: { statement: "select 1" } });
});

afterAll(async () => {
  await db.close();
  PGlite.prototype.execProtocolRaw = execProtocolRaw;
});

/** The status of the answer, and the statements sent for it. */
async function ask({ method, path, body, headers = {} }: Sent) {
  sent = [];
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { status } = await db.fetch(`http://acme.us-east-1.localhost${path}`, init);
  const title = `${method} ${path} ${JSON.stringify(body)}`;
  const text = sent.join("\n").toLowerCase().replaceAll(DEFAULT, "");
  expect(text, title).not.toContain(MARKER);
  expect(status, title).toBeLessThan(500);
  // Requested indexes are stored in the background.
  const own = sent.filter((text) => /"twinbase/.test(text) || !/twinbase\.demand|\bpg_/.test(text));
  return { status, sent: own, title };
}

/** A text of letters of the same length; keeps characters with their own encoding. */
function harmless(text: string): string {
  return Array.from(text, (character) => (character <= "\u0004" ? character : "a")).join("");
}

const READS = /\/(?:query|summarize|aggregate|search|vectorSearch|compare|plan|preview|history)$/;

/** A hostile text for each request, in turn. */
const textsArbitrary = fc.array(hostileText, { minLength: 20, maxLength: 20 });

/** Without shrinking: a failure names its request. */
const OPTIONS = { numRuns: Math.ceil(3 * runs), seed, endOnFailure: true };

it("no statement of a read depends on a text of its request", async () => {
  const reads = requests.filter(({ path }) => READS.test(path));
  let asked = 0;
  let statements = 0;
  const property = fc.asyncProperty(textsArbitrary, async (texts) => {
    const known = new Set<string>();
    for (const [n, read] of reads.entries()) {
      const text = texts[n % texts.length] ?? "";
      const plain = spoilEach(read, harmless(text));
      for (const [i, hostile] of spoilEach(read, text).entries()) {
        const expected = await ask(plain[i]!); // as many
        for (const statement of expected.sent) known.add(statement);
        const found = await ask(hostile);
        if (found.status === expected.status)
          expect(found.sent, found.title).toEqual(expected.sent);
        else {
          // An invalid name: the request is refused without other statements.
          expect(found.status, found.title).toBeGreaterThanOrEqual(400);
          expect(
            found.sent.filter((each) => !known.has(each)),
            found.title,
          ).toEqual([]);
        }
        asked++;
        statements += found.sent.length;
      }
    }
  });
  await fc.assert(property, OPTIONS);
  expect(statements).toBeGreaterThan(asked / 2);
}, 240_000);

it("no statement contains a text of any request", async () => {
  let count = 0;
  let accepted = 0;
  const property = fc.asyncProperty(textsArbitrary, async (texts) => {
    const all = requests.flatMap((each, n) => spoilEach(each, texts[n % texts.length] ?? ""));
    const named = nameEach(`${MARKER}-drop_table~${count++}`, texts[0] ?? "");
    const answers = [];
    for (const request of [...named, ...all]) answers.push(await ask(request));
    const isAccepted = answers.map(({ status }) => status < 300);
    expect(isAccepted.slice(0, named.length).filter(Boolean).length).toBeGreaterThan(8);
    accepted += isAccepted.filter(Boolean).length;
  });
  await fc.assert(property, OPTIONS);
  expect(accepted).toBeGreaterThan(60);
}, 240_000);
