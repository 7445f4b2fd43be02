import { createWorld, makeCall } from "../programs/calls.mjs";
import { shrinkList } from "../shrink-list.mjs";
import { askTable, compareLives, drawProgram, isKept, OPTIONS, queryOf, STEPS } from "./steps.mjs";

/** Steps between two comparisons with a fresh engine. */
const COMPARED_STEPS = 200;
/** Queries per table and comparison. */
const QUESTIONS = 8;
/** Milliseconds for shrinking a program. */
const SHRINK_MS = 60_000;

/**
 * Runs a program on a new engine, and compares it with fresh ones. Returns the difference, if any. `plant`, for
 * tests, corrupts the fresh engines after these kinds of steps.
 */
export async function runProgram(api, { seed, steps }, figures, plant = []) {
  const indexes = ["auto", "always", "auto", "never"][seed % 4];
  const world = createWorld(api, api.createEngine({ seed, now: 0, indexes }), OPTIONS);
  Object.assign(world, { lives: [], kept: [] });
  world.use = (engine) => {
    for (const { live } of world.lives.splice(0)) live.close();
    world.engine = engine;
    world.fetch = api.createFetch(engine, { workspace: "w", auth: "open" });
  };
  world.use(world.engine);
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
    const difference = compareWithFresh(api, world.engine, figures, at, isPlanted());
    if (difference !== undefined) return `after step ${at}: ${difference}`;
    if (!world.kept.splice(0).every(isKept))
      return `a scan, snapshot or fork changed by step ${at}`;
  }
  return undefined;
}

/** Compares the answers of an engine and of an import of its export, byte by byte. */
function compareWithFresh(api, engine, figures, at, isPlanted) {
  const text = [...api.exportEngine(engine)].join("");
  const fresh = api.importEngine(text);
  if (isPlanted) fresh.createWorkspace("planted");
  if ([...api.exportEngine(fresh)].join("") !== text) return "the export of the import differs";
  const databases = [engine, fresh].map((one) => one.workspace("w").database("d"));
  for (const { name: branch } of databases[0].branches()) {
    for (const { name } of databases[0].branch(branch).tables()) {
      const [table, other] = databases.map((database) => database.branch(branch).table(name));
      for (let i = 0; i < QUESTIONS; i++) {
        const n = (at + i * 5) % 40;
        figures.queries++;
        noteAccess(table, n, figures);
        const [found, expected] = [table, other].map((one) =>
          JSON.stringify(askTable(api, one, n)),
        );
        if (found !== expected) return `${branch}/${name}, question ${n}:\n${found}\n${expected}`;
      }
      const [all, wanted] = [table, other].map((one) => JSON.stringify([...one.scan()]));
      if (all !== wanted) return `${branch}/${name}: scans differ`;
      figures.rows = Math.max(figures.rows, table.count());
    }
  }
  figures.comparisons++;
  return undefined;
}

function noteAccess(table, n, { accesses }) {
  try {
    const { kind } = table.explain(queryOf(n)).access;
    accesses[kind] = (accesses[kind] ?? 0) + 1;
  } catch {
    // An invalid query has no plan.
  }
}

export function createFigures() {
  return { programs: 0, steps: 0, queries: 0, lives: 0, comparisons: 0, rows: 0, accesses: {} };
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
