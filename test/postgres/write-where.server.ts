import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { type AnyTable, TwinbaseError } from "../../src/index.js";
import { openPostgres } from "../../src/postgres.js";
import type { AnyRecord } from "../../src/types.js";
import { runs, seed } from "../generated.js";
import { freshDatabase } from "./cluster.js";

const GROUPS = ["a", "b", "c"];
const IDS = Array.from({ length: 9 }, (_, i) => `r${i}`);
const SHOP = { database: "d" };

/** Increments records, by a filter or one, and moves them to a group; without `by` deletes. */
interface Act {
  readonly id: string | undefined;
  readonly group: string;
  readonly to: string;
  readonly by: number | undefined;
}

/** A write of one record that a client has been told of. */
interface Written {
  readonly act: Act | undefined;
  readonly record: AnyRecord;
}

const group = fc.constantFrom(...GROUPS);
const acts: fc.Arbitrary<Act> = fc.record({
  id: fc.option(fc.constantFrom(...IDS), { nil: undefined, freq: 3 }),
  group,
  to: group,
  by: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 4 }),
});

function perform(items: AnyTable, { id, group, to, by }: Act): AnyRecord[] {
  const filter = id === undefined ? { group } : { id };
  const changes = { group: to, n: { $increment: by ?? 0 } };
  if (by === undefined) return items.deleteWhere(filter, { columns: ["*"], limit: 2 });
  if (id === undefined) return items.updateWhere(filter, changes, { columns: ["*"] });
  return items.get(id) === null ? [] : [items.update(id, changes)];
}

it(`R-5, R-2: each write by a filter continues from the last of every record that it writes, seed ${seed}`, {
  timeout: 240_000,
}, async () => {
  const url = await freshDatabase(inject("postgresUrl"), "write_where");
  await using one = await openPostgres(url, { workspaces: ["w"] });
  await using other = await openPostgres(url, { workspace: "w" });
  await one.change((engine) => {
    const main = engine.workspace("w").createDatabase("d").branch("main");
    main.createTable("items", [
      { name: "group", type: "string" },
      { name: "n", type: "int" },
    ]);
  });
  let refusals = 0;
  const run = async (clients: readonly (readonly Act[])[]): Promise<void> => {
    const written: Written[] = await one.transact(SHOP, (branch) => {
      const items = branch.table("items");
      items.deleteWhere({});
      const records = IDS.map((id, i) => ({ id, group: GROUPS[i % GROUPS.length], n: 0 }));
      return items.insert(records).map((record) => ({ act: undefined, record }));
    });
    await Promise.all(
      clients.map(async (program, client) => {
        for (const act of program) {
          try {
            const records = await [one, other][client % 2]!.transact(SHOP, (branch) =>
              perform(branch.table("items"), act),
            );
            written.push(...records.map((record) => ({ act, record })));
          } catch (error) {
            if (!(error instanceof TwinbaseError) || error.code !== "unavailable") throw error;
            refusals++;
          }
        }
      }),
    );
    const { records } = await one.query({ ...SHOP, table: "items" });
    expect(records).toEqual(IDS.flatMap((id) => followWrites(id, written) ?? []));
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(acts, { minLength: 1, maxLength: 5 }), { minLength: 4, maxLength: 6 }),
      run,
    ),
    { seed, numRuns: Math.ceil(400 * runs) },
  );
  process.stdout.write(`${refusals} calls found no turn\n`);
});

it("R-2, R-5: updates by a filter alone write records that match when they are written, and count them", async () => {
  const url = await freshDatabase(inject("postgresUrl"), "update_where");
  await using one = await openPostgres(url, { workspaces: ["w"] });
  await using other = await openPostgres(url, { workspace: "w" });
  await one.change((engine) => {
    const main = engine.workspace("w").createDatabase("d").branch("main");
    main.createTable("items", [{ name: "group", type: "string" }]);
  });
  const items = { ...SHOP, table: "items" };
  await one.transact(SHOP, (branch) => {
    const records = IDS.map((id, i) => ({ id, group: GROUPS[i % GROUPS.length] }));
    branch.table("items").insert(records);
  });
  const moves = Array.from({ length: 120 }, (_, i) => ({
    db: i % 2 === 0 ? one : other,
    from: GROUPS[i % 3]!,
    to: GROUPS[(i * 7 + 1) % 3]!,
  }));
  const counts = await Promise.all(
    moves.map(({ db, from, to }) => db.updateWhere(items, { group: from }, { group: to })),
  );
  const { records } = await one.query(items);
  const versions = records.map(({ service }) => Number((service as AnyRecord).version));
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  expect(sum(versions)).toBe(sum(counts));
  const moved = (end: "from" | "to", group: string): number =>
    sum(moves.map((move, i) => (move[end] === group ? counts[i]! : 0)));
  for (const group of GROUPS) {
    const size = IDS.length / GROUPS.length + moved("to", group) - moved("from", group);
    expect(records.filter((record) => record.group === group)).toHaveLength(size);
  }
});

/** Follows the writes of a record by its versions; returns its last state, undefined if deleted. */
function followWrites(id: string, written: readonly Written[]): AnyRecord | undefined {
  const versionOf = ({ record }: Written): number => Number((record.service as AnyRecord).version);
  const isDeletion = ({ act }: Written): boolean => act !== undefined && act.by === undefined;
  const own = written
    .filter(({ record }) => record.id === id)
    .sort((a, b) => versionOf(a) - versionOf(b) || Number(isDeletion(a)) - Number(isDeletion(b)));
  let last: AnyRecord | undefined;
  own.forEach((write, index) => {
    const { act, record } = write;
    if (isDeletion(write)) {
      expect([index, record]).toEqual([own.length - 1, last]);
      last = undefined;
      return;
    }
    expect(versionOf(write)).toBe(index);
    if (act?.by !== undefined) {
      expect([record.n, record.group]).toEqual([Number(last!.n) + act.by, act.to]);
      if (act.id === undefined) expect(last!.group).toBe(act.group);
    }
    last = record;
  });
  return last;
}
