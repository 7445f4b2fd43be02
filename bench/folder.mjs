// Updates of a table in memory and with a data folder: node bench/folder.mjs [rows]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "../dist/node.js";
import { createRandom, userId } from "./data.mjs";
import { createLoaded } from "./engines/twinbase.mjs";
import { median, timeCall } from "./measure.mjs";

const ROWS = Number(process.argv[2] ?? 100_000);
const UPDATES = 5000;
const ROUNDS = 9;

const random = createRandom(1);

const createFilled = () => createLoaded(ROWS).engine;

function usersOf(engine) {
  return engine.workspace("bench").database("bench").branch("main").table("users");
}

function update(users) {
  const zipcode = 10_000 + Math.floor(random() * 90_000);
  const email = `changed.${zipcode}@example.com`;
  users.update(userId(Math.floor(random() * ROWS)), { zipcode, email });
}

const folder = mkdtempSync(join(tmpdir(), "twinbase-bench-"));
try {
  const stored = await openEngine({ folder, initial: createFilled });
  const sides = [createFilled(), stored].map((engine) => ({ engine, times: [] }));
  for (let round = 0; round < ROUNDS + 2; round++) {
    for (const { engine, times } of sides) {
      const users = usersOf(engine);
      const { ms } = await timeCall(async () => {
        for (let i = 0; i < UPDATES; i++) update(users);
        await engine.flushed?.();
      });
      if (round > 1) times.push((ms / UPDATES) * 1000);
    }
  }
  const [inMemory, inFolder] = sides.map(({ times }) => median(times));
  const ratio = (inFolder / inMemory).toFixed(2);
  console.log(
    `an update: ${inMemory.toFixed(2)} µs in memory, ${inFolder.toFixed(2)} with a folder: ${ratio}×`,
  );
  await stored.close();
} finally {
  rmSync(folder, { recursive: true });
}
