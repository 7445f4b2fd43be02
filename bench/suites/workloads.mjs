// Every workload on every engine: rounds interleaved, answers compared with the plain loop's.
import { median } from "../measure.mjs";
import { openLoaded } from "../session.mjs";
import { makeConstants, WORKLOADS } from "../workloads.mjs";

/**
 * Milliseconds for an engine's round (the last call may exceed it) and for warming up, and how often all
 * rows are loaded for W8.
 */
export const PACES = {
  full: { budgetMs: 800, warmMs: 600, loads: 2 },
  quick: { budgetMs: 150, warmMs: 150, loads: 1 },
};

/** With fewer rows, the base memory of a process dominates. */
const WEIGHED_ROWS = 10_000;
/** An engine that takes longer for a round of a workload skips the remaining rounds. */
const SLOW_MS = 8000;

/** Returns a figure for each workload and engine: milliseconds of a call, median of the rounds' medians. */
export async function measureWorkloads({ rows, workloads, engines, rounds, pace, progress }) {
  const options = { rows, rounds, pace, progress };
  const sides = [];
  const close = async () => {
    for (const { session } of sides) await session.close();
  };
  try {
    for (const engine of ["plain", ...engines]) {
      sides.push(await openLoaded(engine, options, sides[0]?.load.answer));
    }
    const figures = [];
    for (const workload of WORKLOADS) {
      if (!workloads.includes(workload.id) || workload.kind === "load") continue;
      figures.push(...(await measureOne(workload, sides, options)));
    }
    const floorMs = median(figures.map((figure) => figure.floorMs));
    await close();
    if (workloads.includes("W8")) {
      for (const side of sides.slice(1)) figures.push(await measureLoads(side, options));
    }
    return { rows, rounds, floorMs, figures };
  } finally {
    await close();
  }
}

async function measureOne(workload, [reference, ...sides], { rows, rounds, pace, progress }) {
  const { id } = workload;
  const last = Math.min(rounds, workload.rounds ?? rounds);
  const floors = [];
  const results = sides
    .filter(({ load }) => load.runs.includes(id))
    .map((side) => ({ ...side, medians: [], isSlow: false }));
  // Round 0 warms up.
  for (let round = 0; round <= last; round++) {
    const constants = makeConstants(workload, rows, round);
    floors.push(await reference.session.ask("floor"));
    const expected = await reference.session.ask("answer", { workload: id, constants });
    for (const result of rotate(results, round)) {
      const { session, medians } = result;
      if (result.isSlow) continue;
      progress(`${id} round ${round} of ${last}: ${session.engine}`);
      const warmMs = round === 0 ? pace.warmMs : 0;
      const started = performance.now();
      const args = { workload: id, constants, budgetMs: pace.budgetMs, warmMs };
      const { times, answers } = await session.ask("run", args);
      result.isSlow = performance.now() - started > SLOW_MS;
      const wrong = answers.findIndex((answer, i) => answer !== expected[i]);
      if (wrong >= 0) {
        const shown = describeWrong(constants[wrong], answers[wrong], expected[wrong]);
        throw new Error(`${id}: ${session.engine}: ${shown}`);
      }
      if (round > 0 || result.isSlow) medians.push(median(times));
    }
  }
  return results.map(({ session, load, medians }) => {
    const note = load.notes[id];
    const floorMs = median(floors);
    return { workload: id, engine: session.engine, ms: median(medians), floorMs, note };
  });
}

/** Loads again in fresh processes. */
async function measureLoads({ session: { engine }, load }, { rows, pace, progress }) {
  const loads = [load];
  while (loads.length < pace.loads) {
    const again = await openLoaded(engine, { rows, progress }, load.answer);
    await again.session.close();
    loads.push(again.load);
  }
  const of = (name) => median(loads.map((each) => each[name]));
  return {
    workload: "W8",
    engine,
    note: load.notes.W8,
    ms: of("ms"),
    rowsPerSecond: Math.round((1000 * rows) / of("ms")),
    ...(rows >= WEIGHED_ROWS && { bytesPerRow: Math.round(of("bytes") / rows) }),
  };
}

/** Rotates the engine that starts a round. */
function rotate(members, by) {
  const from = by % members.length;
  return [...members.slice(from), ...members.slice(0, from)];
}

function describeWrong(constants, found, expected) {
  const lines = expected.split("\n");
  const at = found.split("\n").findIndex((line, i) => line !== lines[i]);
  const shown = `found ${found.split("\n")[at]}, expected ${lines[at]}`;
  return `wrong answer for ${JSON.stringify(constants)}: line ${at}: ${shown}`;
}
