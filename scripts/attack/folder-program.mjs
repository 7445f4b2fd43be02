import * as accounts from "../../dist/accounts.js";
import * as changes from "../../dist/changes.js";
import * as exporting from "../../dist/export.js";
import { enableFiles } from "../../dist/files.js";
import * as history from "../../dist/history.js";
import { createEngine } from "../../dist/index.js";
import { openEngine } from "../../dist/node.js";
import { CALLS, createProgram, createWorld, KINDS, runStep } from "../programs/calls.mjs";
import { createRandom } from "../random.mjs";

/** Bytes that trigger compaction: after a few changes. */
const COMPACT_AFTER = 1500;
const CHANGES = 24;
const GROUPS = 20;
const API = { ...accounts, ...changes, ...exporting, ...history };

export const open = (folder, options) =>
  openEngine({ folder, initial: createInitial, compactAfter: COMPACT_AFTER, ...options });

const createInitial = () => enableFiles(createEngine({ seed: 7, now: 0 }));

export const textOf = (engine) => [...exporting.exportEngine(engine)].join("");

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
    main.createTable("a", [{ name: "text", type: "string" }]);
    const world = createWorld(API, engine);
    const kinds = ["insert", "upsert", "load", ...KINDS.records, ...KINDS.schema, "advance", "key"];
    for (const step of createProgram(seed, CHANGES, kinds)) {
      runStep(world, step);
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

/** Commits groups of calls, closes or copies the folder, opens it again, and compares. */
export async function groupCalls(folder, copyOf, random, seed) {
  const faults = [];
  const begin = async (at) => createWorld(API, await open(at));
  let world = await begin(folder);
  for (let group = 0; group < GROUPS && faults.length === 0; group++) {
    const steps = createProgram(seed * GROUPS + group, 2 + random(19), Object.keys(CALLS));
    for (const step of steps) runStep(world, step);
    await world.engine.flushed();
    const text = textOf(world.engine);
    const isClosed = random(2) === 0;
    if (isClosed) await world.engine.close();
    const what = `group ${group} of seed ${seed}: ${JSON.stringify(steps)}`;
    try {
      const again = await begin(isClosed ? folder : copyOf(folder));
      if (textOf(again.engine) !== text) faults.push(`${what}: opens in another state`);
      if (isClosed) world = again;
      else await again.engine.close();
    } catch (error) {
      faults.push(`${what}: ${error.message}`);
    }
  }
  await world.engine.close();
  return { faults, groups: GROUPS };
}
