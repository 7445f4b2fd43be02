import { exportEngine } from "../../dist/export.js";
import { createEngine } from "../../dist/index.js";
import { openEngine } from "../../dist/node.js";
import { createRandom } from "../random.mjs";

/** Bytes that trigger compaction: after a few changes. */
const COMPACT_AFTER = 1500;
const CHANGES = 24;

export const open = (folder, options) =>
  openEngine({ folder, initial: createInitial, compactAfter: COMPACT_AFTER, ...options });

const createInitial = () => createEngine({ seed: 7, now: 0 });

export const textOf = (engine) => [...exportEngine(engine)].join("");

const STEPS = [
  (main, n) => main.createTable(`t${n}`, [{ name: "a", type: "int" }]),
  (main, n) => main.table("notes").insert([{ id: `r${n}`, text: `ä ${n}` }, { text: "\u{1f41d}" }]),
  (main, n) => main.table("notes").upsert(`r${n - 3}`, { text: "again" }),
  (main, n) => main.table("notes").delete(`r${n - 7}`),
  (main, n) => main.table("notes").load(Array.from({ length: 20 }, () => ({ text: `load ${n}` }))),
  (main, n) => main.table("notes").addColumn({ name: `c${n}`, type: "int", defaultValue: n }),
  (_, __, engine) => engine.clock.advance(1000),
  (_, n, engine) => engine.deleteKey("usr_0", engine.createKey("usr_0", `k${n}`).name),
  (_, n, engine) => engine.workspace("w").database("d").createBranch(`b${n}`, { from: "main" }),
];

/**
 * Changes an engine in a folder, and closes it. `progress` collects its states, and counts
 * acknowledged ones.
 */
export async function runProgram(folder, seed, progress) {
  const random = createRandom(seed).below;
  const engine = await open(folder);
  progress.states.push(textOf(engine));
  progress.acknowledged = 1;
  try {
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    main.createTable("notes", [{ name: "text", type: "string" }]);
    for (let n = 0; n < CHANGES; n++) {
      STEPS[random(STEPS.length)](main, n, engine);
      progress.states.push(textOf(engine));
      // The next change may come before this one is written.
      if (random(3) === 0) await new Promise((resolve) => setImmediate(resolve));
      else {
        const { length } = progress.states;
        await engine.flushed();
        acknowledge(progress, length);
      }
    }
  } finally {
    await engine.close();
  }
  acknowledge(progress, progress.states.length);
}

/** `before` is the number of states that were acknowledged before the last commit. */
function acknowledge(progress, length) {
  if (progress.acknowledged === length) return;
  Object.assign(progress, { before: progress.acknowledged, acknowledged: length });
}
