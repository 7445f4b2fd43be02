import { makeCall } from "../programs/calls.mjs";
import { createAsked } from "../programs/requests.mjs";
import { shrinkList } from "../shrink-list.mjs";
import {
  answerOf,
  compareLives,
  drawProgram,
  drawQuestions,
  isKept,
  OPTIONS,
  STEPS,
  textOf,
} from "./steps.mjs";

/** Steps between two comparisons with a fresh engine. */
const COMPARED_STEPS = 200;
/** Milliseconds for shrinking a program. */
const SHRINK_MS = 60_000;

/** A world whose engine can be replaced; an answer of 500 is a bug. */
function openAttacked(api, engine) {
  const world = createAsked(api, engine, OPTIONS);
  const { send } = world;
  const use = (next) => {
    for (const { live } of world.lives.splice(0)) live.close();
    const fetch = api.connect(next, { workspace: "w", auth: "open" });
    Object.assign(world, { engine: next, fetch, cursors: [] });
  };
  Object.assign(world, { lives: [], kept: [], use });
  world.send = async (...request) => {
    const answer = await send(...request);
    const isBug = answer.status >= 500 && answer.status !== 501;
    if (isBug) throw new Error(`${request.join(" ")}: ${answer.status} ${answer.text}`);
    return answer;
  };
  use(engine);
  return world;
}

/**
 * Runs a program on a new engine, and compares it with fresh ones. Returns the difference, if any. `plant`, for
 * tests, corrupts the fresh engines after these kinds of steps.
 */
export async function runProgram(api, { seed, steps }, figures, plant = []) {
  const indexes = ["auto", "always", "auto", "never"][seed % 4];
  const world = openAttacked(api, api.createEngine({ seed, now: 0, indexes }));
  const missing = new Set(plant);
  const isPlanted = () => plant.length > 0 && missing.size === 0;
  for (const [at, step] of steps.entries()) {
    const [kind] = step;
    figures.steps++;
    try {
      await makeCall(world, step, STEPS);
      missing.delete(kind);
    } catch (error) {
      if (error?.name !== "TwinbaseError") return `step ${at}, ${kind}: ${error.stack ?? error}`;
    }
    const differs = compareLives(world);
    if (differs !== undefined) return `step ${at}, ${kind}: ${differs}`;
    figures.lives += world.lives.length;
    const isLast = at === steps.length - 1;
    if (!isLast && (at + 1) % COMPARED_STEPS !== 0) continue;
    const questions = drawQuestions(seed + at);
    const difference = await compareWithFresh(api, world.engine, { questions, isPlanted });
    if (difference !== undefined) return `after step ${at}: ${difference}`;
    figures.queries += questions.length;
    figures.comparisons++;
    if (!world.kept.splice(0).every(isKept))
      return `a scan, snapshot or fork changed by step ${at}`;
  }
  return undefined;
}

/** Compares the answers of an engine and of an import of its export, byte by byte. */
async function compareWithFresh(api, engine, { questions, isPlanted }) {
  const text = [...api.exportEngine(engine)].join("");
  const fresh = api.importEngine(text);
  if (isPlanted()) fresh.createWorkspace("planted");
  if ([...api.exportEngine(fresh)].join("") !== text) return "the export of the import differs";
  if (textOf(fresh) !== textOf(engine)) return "scans differ";
  const options = { ...OPTIONS, isRepeatable: true };
  const worlds = [engine, fresh].map((one) => createAsked(api, one, options));
  for (const step of questions) {
    const [found, expected] = [await answerOf(worlds[0], step), await answerOf(worlds[1], step)];
    if (found !== expected) return `question ${step}:\n${found}\n${expected}`;
  }
  return undefined;
}

export function createFigures() {
  return { programs: 0, steps: 0, queries: 0, lives: 0, comparisons: 0 };
}

/** Runs the program of a seed; returns the difference and a shrunk program. */
export async function attackOnce(api, seed, length, figures, plant) {
  const steps = drawProgram(seed, length);
  figures.programs++;
  const difference = await runProgram(api, { seed, steps }, figures, plant);
  if (difference === undefined) return undefined;
  const shorter = await shrink(api, { seed, steps }, plant);
  return { difference, seed, steps: shorter };
}

function shrink(api, { seed, steps }, plant) {
  const end = Date.now() + SHRINK_MS;
  return shrinkList(steps, async (tried) => {
    if (Date.now() > end) return false;
    const program = { seed, steps: tried };
    return (await runProgram(api, program, createFigures(), plant)) !== undefined;
  });
}
