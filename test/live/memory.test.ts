/** @module-tag slow */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Engine } from "../../src/engine.js";
import { createEngine } from "../../src/index.js";
import { liveCount, liveEvents, liveQuery } from "../../src/live.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Bytes on the heap. */
function heap(): number {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

it("10,000 live queries that are opened and closed leave the heap level", async () => {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  const { teams, users } = main.createTables({
    teams: [{ name: "name", type: "string" }],
    users: [
      { name: "n", type: "int" },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  });
  teams.insert({ id: "blue", name: "Blue" });
  users.load(Array.from({ length: 100 }, (_, n) => ({ n, team: "blue" })));
  const kept = liveQuery(users, { page: { size: 1 } });
  const use = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const filter = { "team.name": "Blue", n: { $ge: i % 100 } };
      const live = liveQuery(users, { filter, columns: ["team.*"], sort: { n: "asc" } }, () => {});
      const number = liveCount(users, { n: i % 100 }, () => {});
      if (i % 100 === 0) {
        users.update(live.records[0]!.id, {});
        const reader = liveEvents(live).getReader();
        await reader.read();
        await reader.cancel();
      }
      live.close();
      number.close();
    }
  };
  await use(2000);
  const before = heap();
  await use(10_000);
  // One that stays takes two thousand bytes.
  expect(heap() - before).toBeLessThan(2_000_000);
  kept.close();
  expect(Engine.contextOf(engine).feed.live).toBeUndefined();
}, 300_000);
