import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresServer } from "../../scripts/postgres-server.mjs";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { runsHere } from "./cluster.js";

/** Seconds of writes before the primary is killed, and after the promotion. */
const seconds = Number(process.env.TWINBASE_POSTGRES_SECONDS ?? 15) / 2;
const LANES = 6;
const PLACE = { database: "d" } as const;

let primary: PostgresServer;
let standby: PostgresServer;
let db: PostgresDatabase;

const runs = runsHere("failover", "a primary to kill and a standby to promote");

describe.runIf(runs)("a primary and a standby", () => {
  beforeAll(async () => {
    // Acknowledged writes are on both.
    primary = await PostgresServer.create(["synchronous_standby_names=*", "synchronous_commit=on"]);
    standby = await primary.createStandby(["hot_standby=on"]);
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
    db = await openPostgres(`postgres://test@${hosts}/postgres`, { workspaces: ["w"] });
    await db.change((engine) => {
      const main = engine.workspace("w").createDatabase("d").branch("main");
      main.createTable("counters", [{ name: "n", type: "int" }]);
      main.createTable("written", [{ name: "by", type: "int" }]);
    });
    await db.transact(PLACE, (main) => main.table("counters").insert({ id: "all", n: 0 }));
  }, 120_000);

  afterAll(async () => {
    await db?.close();
    await standby?.remove();
    await primary?.remove();
  });

  it("continues at the promoted standby with all acknowledged writes", async () => {
    const crew = new Writers();
    await pause(seconds * 1000);
    await primary.kill();
    await pause(500);
    const failedBefore = crew.failed.length;
    const promoted = performance.now();
    await standby.promote();
    const first = await crew.next();
    const waited = first - promoted;
    await pause(seconds * 1000);
    await crew.stop();

    expect(failedBefore).toBeGreaterThan(0);
    expect(new Set(crew.failed)).toEqual(new Set([503]));
    expect(waited).toBeLessThan(5000);
    const { records } = await db.query({ ...PLACE, table: "counters" });
    const unknown = crew.failed.length;
    expect(records[0]!.n).toBeGreaterThanOrEqual(crew.acknowledged.length);
    expect(records[0]!.n).toBeLessThanOrEqual(crew.acknowledged.length + unknown);
    const there = new Set(
      await db.transact(PLACE, (main) =>
        crew.acknowledged.filter((id) => main.table("written").get(id) !== undefined),
      ),
    );
    expect(crew.acknowledged.filter((id) => !there.has(id))).toEqual([]);
    process.stdout.write(
      `${crew.acknowledged.length} acknowledged writes, none lost; ${unknown} answers of 503; first write ${Math.round(waited)} ms after the promotion\n`,
    );
  });

  it("sends eventually consistent reads to the standby", async () => {
    // A standby of the new primary.
    const follower = await standby.createStandby(["hot_standby=on"]);
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${follower.port}`;
    const two = await openPostgres(`postgres://test@${hosts}/postgres`, { workspace: "w" });
    try {
      const read = (consistency: "strong" | "eventual"): Promise<unknown> =>
        two.query({ ...PLACE, table: "counters" }, { consistency });
      expect(await read("eventual")).toEqual(await read("strong"));
      await standby.freeze();
      expect(await read("eventual")).toMatchObject({ records: [{ id: "all" }] });
      await standby.thaw();
      await follower.kill();
      expect(await read("eventual")).toEqual(await read("strong"));
    } finally {
      await two.close();
      await follower.remove();
    }
  });
});

/** Writers that retry after 503 with idempotent requests. */
class Writers {
  readonly acknowledged: string[] = [];
  readonly failed: number[] = [];
  #stopping = false;
  #onDone: (() => void) | undefined;
  readonly #lanes: Promise<unknown>;

  constructor() {
    this.#lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#write(lane)));
  }

  /** Resolves at the next acknowledged write. */
  async next(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#onDone = resolve;
    });
    return performance.now();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#lanes;
  }

  async #write(lane: number): Promise<void> {
    for (let i = 0; !this.#stopping; ) {
      const id = `w${lane}-${i}`;
      const operations = [
        { insert: { table: "written", record: { id, by: lane }, createOnly: true } },
        { update: { table: "counters", id: "all", fields: { n: { $increment: 1 } } } },
      ];
      const response = await db.fetch("http://localhost/db/d:main/transaction", {
        method: "POST",
        body: JSON.stringify({ operations }),
      });
      const body = await response.text();
      if (response.status === 503) {
        this.failed.push(503);
        await pause(20);
        continue; // retries are idempotent
      }
      // The record exists: the answer to an earlier try was lost.
      const isThere = response.status === 400 && body.includes(id);
      if (response.status === 200 || isThere) {
        this.acknowledged.push(id);
        this.#onDone?.();
      } else this.failed.push(response.status);
      i++;
    }
  }
}
