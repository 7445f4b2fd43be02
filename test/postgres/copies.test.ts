/** @module-tag slow */
import { expect, it } from "vitest";
import { exportEngine } from "../../src/export.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { readInBatches } from "../../src/postgres/contents.js";
import { readBatches } from "../../src/postgres/read-batches.js";
import type { holdRows } from "../../src/postgres/rows.js";
import { ordinalsOf } from "../../src/storage/table.js";
import { requireBranchCopies } from "./copies-branches.js";
import { makeFolder, requireRefusals, requireRoundTrip } from "./copies-exports.js";
import "./copied-database.js";

async function* sourceOf(engine: AnyEngine): AsyncGenerator<string> {
  yield* exportEngine(engine);
}

it("K-4: copies records into a branch of equal schema, in one transaction", () =>
  requireBranchCopies({ pglite: true }));

it("copies an export into a database and back without loss, or not at all", async () => {
  const folder = await makeFolder();
  await requireRoundTrip(`pglite:${folder}/one`, `pglite:${folder}/other`);
});

it("refuses an export that is damaged or breaks a rule, and writes nothing of it", async () =>
  requireRefusals(`pglite:${await makeFolder()}`));

it("a copy reads the records of a branch that differ from those of an equal table", async () => {
  const engine = createEngine({ seed: 7, now: 1e12 });
  const shop = engine.createWorkspace("w").createDatabase("shop");
  const notes = shop.branch("main").createTable("notes", [{ name: "text", type: "text" }]);
  notes.insert([{ id: "a" }, { id: "b" }, { id: "c" }]);
  const dev = shop.createBranch("dev", { from: "main", data: true });
  dev.table("notes").update("b", { text: "changed" });
  const read: string[][] = [];
  for await (const batch of readBatches(sourceOf(engine), engine.profile)) {
    if (batch.kind !== "records") continue;
    const version = batch.read([]);
    read.push(Array.from(ordinalsOf(version.chunks), (ordinal) => version.idAt(ordinal)));
  }
  expect(read).toEqual([["a", "b", "c"], ["b"]]);
});

it("a copy reads in batches, smaller ones if records are long", async () => {
  const engine = createEngine({ seed: 7, now: 1e12 });
  const main = engine.createWorkspace("w").createDatabase("shop").branch("main");
  main.createTable("notes", [{ name: "text", type: "text" }]);
  const long = "x".repeat(100_000);
  for (let i = 0; i < 6000; i++) {
    main.table("notes").insert({ id: `n${i + 1000}`, text: i < 60 ? long : "short" });
  }
  const sizes: number[] = [];
  const table = { rows: [] as (readonly (string | null)[])[] };
  let version: ReturnType<typeof holdRows> | undefined;
  for await (const batch of readBatches(sourceOf(engine), engine.profile)) {
    if (batch.kind !== "records") continue;
    version = batch.read([]);
    sizes.push(version.size);
  }
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6000);
  expect(Math.max(...sizes)).toBe(2000);
  expect(sizes[0]).toBeLessThan(45);

  for (let i = 0; i < 6000; i++) {
    const time = "2024-01-01 00:00:00+00";
    table.rows.push([`n${i + 1000}`, "0", time, time, i < 60 ? long : "short"]);
  }
  const asked: number[] = [];
  const session = {
    query: async ({ values }: { readonly values: readonly (string | null)[] }) => {
      const after = values.length > 1 ? (values[0] ?? "") : "";
      const rows = table.rows.filter(([id]) => (id ?? "") > after).slice(0, Number(values.at(-1)));
      asked.push(rows.reduce((sum, [, , , , text]) => sum + (text?.length ?? 0), 0));
      return rows;
    },
  };
  let read = 0;
  for await (const some of readInBatches(session, "tb_1.t1", version!)) {
    expect(some.size).toBeLessThanOrEqual(2000);
    read += some.size;
  }
  expect(read).toBe(6000);
  expect(Math.max(...asked.slice(1))).toBeLessThan(2 ** 21 + 200_000);
});
