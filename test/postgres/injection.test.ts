/** @module-tag slow */
import { PGlite, type Transaction } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";
import {
  type Asked,
  changesOf,
  hostileText,
  MARKER,
  requestsOf,
  USERS,
} from "./hostile-requests.js";

let db: PostgresDatabase;
let sent: string[] = [];
const { transaction } = PGlite.prototype;
const { query } = PGlite.prototype;

function note(text: string): void {
  sent.push(text);
}

beforeAll(async () => {
  PGlite.prototype.query = function noted(this: PGlite, text: string, ...rest: []) {
    note(text);
    return query.call(this, text, ...rest);
  } as typeof query;
  PGlite.prototype.transaction = function noted<T>(
    this: PGlite,
    act: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return transaction.call(this, (inner) => {
      const noting = Object.create(inner) as Transaction;
      noting.query = ((text: string, ...rest: []) => {
        note(text);
        return inner.query(text, ...rest);
      }) as Transaction["query"];
      return act(noting);
    }) as Promise<T>;
  };
  db = await openPostgres(
    { pglite: true },
    { workspaces: ["w"], seed: 1, now: 1e12, indexes: "never" },
  );
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]);
    main.createTable(
      "users",
      defineColumns({
        name: "string unique",
        email: "email",
        bio: "text",
        labels: "multiple",
        team: "-> teams",
        settings: "json",
      }),
    );
  });
  // Creates the role of statements.
  await ask({ method: "POST", path: "/db/shop:main/sql", body: { statement: "select 1" } });
});

afterAll(async () => {
  await db.close();
  PGlite.prototype.transaction = transaction;
  PGlite.prototype.query = query;
});

async function ask({ method, path, body, headers = {} }: Asked): Promise<number> {
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { status } = await db.fetch(`http://localhost${path}`, init);
  return status;
}

async function run(requests: readonly Asked[]): Promise<{ status: number; texts: string[] }[]> {
  const { records } = await db.query({ database: "shop", table: "users" });
  await db.transact({ database: "shop" }, (main) => {
    for (const { id } of records) main.table("users").delete(String(id));
  });
  const results: { status: number; texts: string[] }[] = [];
  for (const request of requests) {
    sent = [];
    const status = await ask(request);
    expect(sent.join("\n"), JSON.stringify(request)).not.toContain(MARKER);
    // Requested indexes are stored in the background.
    const texts = sent.filter(
      (text) => /"twinbase/.test(text) || !/twinbase\.demand|\bpg_/.test(text),
    );
    results.push({ status, texts });
  }
  sent = [];
  return results;
}

/** A text of letters of the same length; keeps characters with their own encoding. */
function harmless(text: string, place: number): string {
  const letters = Array.from(text, (character) => (character <= "\u0004" ? character : "a"));
  return `${letters.join("")}${"b".repeat(place + 1)}`;
}

it("no statement contains a text of a request", async () => {
  const texts = fc.array(hostileText, { minLength: 9, maxLength: 9 });
  let requests = 0;
  let statements = 0;
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      // All texts differ, as equal ones would change the statements.
      const hostile = requestsOf((place) => `${given[place]}${"b".repeat(place + 1)}`);
      const plain = requestsOf((place) => harmless(given[place] ?? "", place));
      const found = await run(hostile);
      const expected = await run(plain);
      const known = new Set(expected.flatMap(({ texts }) => texts));
      for (const [i, { status, texts }] of found.entries()) {
        const title = `${hostile[i]?.method} ${hostile[i]?.path} ${JSON.stringify(hostile[i]?.body)}`;
        expect(status, title).toBeLessThan(500);
        if (status === expected[i]?.status) expect(texts, title).toEqual(expected[i].texts);
        else {
          // An invalid name: the request is refused without other statements.
          expect(status, title).toBeGreaterThanOrEqual(400);
          expect(new Set([...texts, ...known]), title).toEqual(known);
        }
        statements += texts.length;
      }
      requests += found.length;
    }),
    { numRuns: Math.ceil(12 * runs), seed },
  );
  expect(statements).toBeGreaterThan(requests);
}, 240_000);

it("no statement contains a name, default or metadata of a schema", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      sent = [];
      const statuses: number[] = [];
      for (const asked of changesOf(text, `${MARKER}-drop_table~${count++}`)) {
        statuses.push(await ask(asked));
      }
      expect(sent.join("\n")).not.toContain(MARKER);
      expect(Math.max(...statuses)).toBeLessThan(500);
      expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(8);
    }),
    { numRuns: Math.ceil(6 * runs), seed },
  );
  const { status } = await db.fetch(`http://localhost${USERS}/query`, {
    method: "POST",
    body: "{}",
  });
  expect(status).toBe(200);
}, 240_000);
