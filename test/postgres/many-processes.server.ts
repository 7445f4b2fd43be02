import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { PostgresServer } from "../../scripts/postgres-server.mjs";
import { openPostgres } from "../../src/postgres.js";
import { defineColumns } from "../columns.js";
import { requireAgreement } from "./agreement.js";
import { endSessions, freshDatabase, givenUrl } from "./cluster.js";
import { startServer } from "./stand-in.js";

/**
 * Seconds without interruption, then the number of kills of a process or the server. On a given
 * server, all sessions are ended instead.
 */
const seconds = Number(process.env.TWINBASE_POSTGRES_SECONDS ?? 15);
const kills = Number(process.env.TWINBASE_POSTGRES_KILLS ?? 12);

const WORKER = resolve(import.meta.dirname, "../../scripts/postgres-worker.mjs");
const PROCESSES = 3;
const LANES = 4;
const ACCOUNTS = Array.from({ length: 12 }, (_, i) => `a${i}`);
const START = 1000;

const KINDS = ["move", "increment", "compare", "claim", "name", "sum", "wide", "column", "table"];

interface Outcome {
  readonly kind: string;
  readonly what: string | number;
  readonly status: number;
  readonly message?: string;
}

let own: PostgresServer | undefined;
let server: string;

beforeAll(async () => {
  // A server that may be killed, unless an address is given.
  if (givenUrl === undefined) own = await startServer();
  server = own?.url ?? inject("postgresUrl");
});
afterAll(() => own?.remove());

it(`loses nothing while ${PROCESSES} processes write for ${seconds} s, without an answer of 5xx`, async () => {
  const url = await prepare("calm");
  const crew = new Crew(url);
  await pause(seconds * 1000);
  await crew.untilAllDone();
  await crew.stop();
  const failed = crew.outcomes.filter(({ status }) => status >= 500);
  expect(failed).toEqual([]);
  await requireNothingLost(url, crew);
});

const what = givenUrl === undefined ? "the server are killed" : "all sessions are ended";
it(`loses nothing while processes and ${what} ${kills} times`, async () => {
  const url = await prepare("killed");
  const crew = new Crew(url);
  for (let kill = 0; kill < kills; kill++) {
    await pause(300 + Math.random() * 1200);
    if (kill % 2 === 0) crew.kill();
    else if (own === undefined) await endSessions(url);
    else {
      await own.kill();
      await own.start();
    }
  }
  await crew.untilAllDone();
  await crew.stop();
  expect(crew.outcomes.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  await requireNothingLost(url, crew);
});

async function prepare(name: string): Promise<string> {
  const url = await freshDatabase(server, `processes_${name}`);
  await using db = await openPostgres(url, { workspaces: ["w"] });
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("d").branch("main");
    main.createTable("accounts", [{ name: "balance", type: "int" }]);
    main.createTable(
      "moves",
      defineColumns({ from: "-> accounts", to: "-> accounts", amount: "int" }),
    );
    main.createTable("counters", [{ name: "n", type: "int" }]);
    main.createTable("claims", [{ name: "owner", type: "string" }]);
    main.createTable("names", defineColumns({ name: "string unique", owner: "string" }));
    main.createTable("wide", [{ name: "base", type: "string" }]);
  });
  await db.transact({ database: "d" }, (main) => {
    main.table("accounts").insert(ACCOUNTS.map((id) => ({ id, balance: START })));
    main.table("counters").insert(["c0", "c1", "c2", "compared"].map((id) => ({ id, n: 0 })));
  });
  return url;
}

/** Worker processes, and the outcomes of their requests. */
class Crew {
  readonly outcomes: Outcome[] = [];
  /** Maximum number of requests that were pending in killed processes. */
  lost = 0;
  readonly #url: string;
  readonly #processes: ChildProcess[];
  #started = 0;

  constructor(url: string) {
    this.#url = url;
    this.#processes = Array.from({ length: PROCESSES }, (_, place) => this.#start(place));
  }

  /** Kills a process and starts another one. */
  kill(): void {
    const place = Math.floor(Math.random() * PROCESSES);
    this.#processes[place]!.kill("SIGKILL"); // there are as many
    this.lost += LANES;
    this.#processes[place] = this.#start(place);
  }

  /** Stops all processes after their pending requests. */
  async stop(): Promise<void> {
    await Promise.all(
      this.#processes.map(async (child) => {
        const ended = new Promise((end) => child.once("exit", end));
        child.send("stop");
        await ended;
        expect(child.exitCode).toBe(0);
      }),
    );
  }

  #start(place: number): ChildProcess {
    const name = `p${place}-${++this.#started}`;
    const child = fork(WORKER, [this.#url, name, String(LANES)]);
    child.on("message", (message) => this.outcomes.push(message as Outcome)); // as the process sends it
    return child;
  }

  /** Waits until each kind of request has succeeded. */
  async untilAllDone(): Promise<void> {
    while (KINDS.some((kind) => this.done(kind).length === 0)) await pause(100);
  }

  done(kind: string): (string | number)[] {
    return this.outcomes
      .filter((outcome) => outcome.kind === kind && outcome.status < 300)
      .map(({ what }) => what);
  }

  /** Maximum number of requests with unknown outcome. */
  unknown(kind: string): number {
    return (
      this.lost +
      this.outcomes.filter((outcome) => outcome.kind === kind && outcome.status === 503).length
    );
  }
}

/** Compares the database with the outcomes that the processes received. */
async function requireNothingLost(url: string, crew: Crew): Promise<void> {
  await using db = await openPostgres(url, { workspace: "w" });
  const all = async (table: string): Promise<Record<string, unknown>[]> => {
    const records: Record<string, unknown>[] = [];
    for (let after: string | undefined; ; ) {
      const request =
        after === undefined ? { page: { size: 200 } } : { page: { after, size: 200 } };
      const page = await db.query({ database: "d", table }, request);
      records.push(...page.records);
      if (!page.meta.page.more) return records;
      after = page.meta.page.cursor;
    }
  };
  const isOdd = ({ kind, status }: Outcome): boolean =>
    status >= 400 &&
    status !== 503 &&
    !["compare", "claim", "name", "column", "table", "use"].includes(kind);
  expect(crew.outcomes.filter(isOdd)).toEqual([]);

  // Transactions over two tables are atomic.
  const balances = new Map<unknown, number>(ACCOUNTS.map((id) => [id, START]));
  const moves = await all("moves");
  for (const { from, to, amount } of moves) {
    for (const [link, sign] of [
      [from, -1],
      [to, 1],
    ] as const) {
      const { id } = link as { id: string };
      balances.set(id, balances.get(id)! + sign * (amount as number));
    }
  }
  const accounts = await all("accounts");
  expect(new Map(accounts.map(({ id, balance }) => [id, balance]))).toEqual(balances);
  const movesThere = new Set(moves.map(({ id }) => id));
  expect(crew.done("move").filter((id) => !movesThere.has(id))).toEqual([]);
  expect(new Set(crew.done("sum"))).toEqual(new Set([ACCOUNTS.length * START]));

  // Increments and compare-and-set happen once.
  const counters = new Map((await all("counters")).map(({ id, n }) => [id, n as number]));
  const increments = crew.done("increment");
  const counted = ["c0", "c1", "c2"].reduce((sum, id) => sum + counters.get(id)!, 0);
  expect(counted).toBeGreaterThanOrEqual(increments.length);
  expect(counted).toBeLessThanOrEqual(increments.length + crew.unknown("increment"));
  const compared = crew.done("compare");
  expect(new Set(compared).size).toBe(compared.length);
  expect(counters.get("compared")).toBeGreaterThanOrEqual(compared.length);
  expect(counters.get("compared")).toBeLessThanOrEqual(compared.length + crew.unknown("compare"));

  // Ids and unique values have one owner.
  const claims = new Map((await all("claims")).map(({ id, owner }) => [id, owner]));
  for (const claim of crew.done("claim")) {
    const [id, owner] = String(claim).split(" ");
    expect([id, claims.get(id)]).toEqual([id, owner]);
  }
  const names = (await all("names")).map(({ name, owner }) => `${String(name)} ${String(owner)}`);
  expect(new Set(names.map((name) => name.split(" ")[0])).size).toBe(names.length);
  const namesThere = new Set(names);
  expect(crew.done("name").filter((name) => !namesThere.has(String(name)))).toEqual([]);

  await requireAgreement(url);
  const counts = KINDS.map((kind) => `${crew.done(kind).length} ${kind}`).join(", ");
  const refused = crew.outcomes.filter(({ status }) => status === 503).length;
  process.stdout.write(`${counts}; ${refused} answers of 503; ${crew.done("stats").join("; ")}\n`);
}
