// Every workload on every engine: rounds interleaved, answers compared with the plain loop's.
import { openEngines, openLoaded, reviveEngine } from "../loaded.mjs";
import { median } from "../measure.mjs";
import { firstLine, openSession } from "../session.mjs";
import { makeConstants, WORKLOADS } from "../workloads.mjs";

/** @typedef {import("../workloads.mjs").Workload} Workload */
/** @typedef {import("../loaded.mjs").Setup} Setup */
/** @typedef {import("../loaded.mjs").Loading} Loading */

/**
 * How much time is taken.
 *
 * @typedef {object} Pace
 * @property {number} budgetMs one engine's time in a round, but for the call that runs over
 * @property {number} warmMs how long an engine is warmed up for a workload
 * @property {number} loads how often all rows are loaded for W8
 */

/** @type {Readonly<Record<"full" | "quick", Pace>>} */
export const PACES = {
  full: { budgetMs: 800, warmMs: 600, loads: 2 },
  quick: { budgetMs: 150, warmMs: 150, loads: 1 },
};

/** Fewer rows are too light to tell from what a process holds anyway. */
const WEIGHED_ROWS = 10_000;
/** An engine that takes longer for a round of a workload runs no other round of it. */
const SLOW_MS = 8000;

/**
 * @typedef {object} Figure
 * @property {string} workload
 * @property {string} engine
 * @property {number} [ms] median of the rounds' medians
 * @property {number} [min] least round
 * @property {number} [max] greatest round
 * @property {number} [calls] how many were timed
 * @property {number} [rowsPerSecond] W8
 * @property {number} [bytesPerRow] W8
 * @property {number} [indexMs] W8: making the indexes
 * @property {number} [indexBytesPerRow] W8
 * @property {string} [note]
 * @property {string} [unsupported] why there is no figure
 */

/**
 * @param {{ rows: number, workloads: readonly string[], engines: readonly string[], rounds: number,
 *   limit: number, pace: Pace, progress: (text: string) => void }} options where `limit` is the
 *   seconds that an engine has for a round of a workload
 * @returns {Promise<{ rows: number, rounds: number, limit: number, floorMs: number,
 *   figures: Figure[] }>}
 */
export async function measureWorkloads(options) {
  const { rows, workloads, engines, rounds, limit, pace } = options;
  const wanted = WORKLOADS.filter(({ id }) => workloads.includes(id));
  const setup = await openEngines(["plain", ...engines], options);
  try {
    const figures = [...setup.figures];
    for (const workload of wanted) {
      if (workload.kind === "load") continue;
      figures.push(...(await measureOne(workload, setup, options)));
    }
    const floorMs = await measureFloor(rounds);
    await setup.close();
    if (workloads.includes("W8")) {
      figures.push(...(await measureLoads(setup, { ...options, loads: pace.loads })));
    }
    return { rows, rounds, limit, floorMs, figures };
  } finally {
    await setup.close();
  }
}

/**
 * @param {Workload} workload
 * @param {Setup} setup
 * @param {Loading & { rounds: number, pace: Pace }} options
 * @returns {Promise<Figure[]>}
 */
async function measureOne(workload, setup, options) {
  const { rows, rounds, limit, pace, progress } = options;
  const [reference, ...engines] = setup.engines;
  const last = Math.min(rounds, workload.rounds ?? rounds);
  /** @type {Map<string, { figure: Figure, medians: number[], isSlow: boolean }>} */
  const results = new Map();
  for (const { name, adapter } of engines) {
    const unsupported = adapter.unsupported?.[workload.id];
    const note = adapter.notes?.[workload.id];
    /** @type {Figure} */
    const figure = { workload: workload.id, engine: name, ...(note ? { note } : {}) };
    if (unsupported !== undefined) figure.unsupported = unsupported;
    results.set(name, { figure, medians: [], isSlow: false });
  }
  // Round 0 warms up.
  for (let round = 0; round <= last; round++) {
    const constants = makeConstants(workload, rows, round);
    /** @type {string[] | undefined} */
    let expected;
    for (const engine of rotate(engines, round)) {
      const { name } = engine;
      const result = results.get(name);
      if (result === undefined || result.figure.unsupported !== undefined) continue;
      if (result.isSlow) continue;
      await reviveEngine(engine, setup.answer, options);
      if (engine.failure !== undefined) {
        result.figure.unsupported = engine.failure;
        continue;
      }
      progress(`${workload.id} round ${round} of ${last}: ${name}`);
      expected ??= await reference?.session.ask("answer", { workload: workload.id, constants });
      try {
        const args = {
          workload: workload.id,
          constants,
          budgetMs: pace.budgetMs,
          warmMs: round === 0 ? pace.warmMs : 0,
        };
        const started = performance.now();
        const { times, answers } = await engine.session.ask("run", args, limit);
        result.isSlow = performance.now() - started > SLOW_MS;
        const wrong = findWrong(answers, expected ?? []);
        if (wrong >= 0) {
          throw new Error(describeWrong(constants[wrong], answers[wrong], expected?.[wrong]));
        }
        if (round > 0 || result.isSlow) {
          result.medians.push(median(times));
          result.figure.calls = (result.figure.calls ?? 0) + times.length * (workload.group ?? 1);
        }
      } catch (error) {
        result.figure.unsupported = firstLine(error);
      }
    }
  }
  return [...results.values()].map(({ figure, medians }) => summarize(figure, medians));
}

/** @param {Figure} figure @param {number[]} medians @returns {Figure} */
function summarize(figure, medians) {
  if (figure.unsupported !== undefined || medians.length === 0) return figure;
  return {
    ...figure,
    ms: median(medians),
    min: Math.min(...medians),
    max: Math.max(...medians),
  };
}

/**
 * Loads again in fresh processes, so that W8 too is a median of several.
 *
 * @param {Setup} setup
 * @param {Loading & { loads: number }} options
 * @returns {Promise<Figure[]>}
 */
async function measureLoads({ engines, answer }, options) {
  /** @type {Figure[]} */
  const figures = [];
  const { rows, loads: last } = options;
  for (const { name, adapter, loads } of engines.slice(1)) {
    const note = adapter.notes?.W8;
    /** @type {Figure} */
    const figure = { workload: "W8", engine: name, ...(note ? { note } : {}) };
    try {
      for (let round = 2; round <= last; round++) {
        const { session, load } = await openLoaded(name, answer, options);
        await session.close();
        loads.push(load);
      }
      const times = loads.map((load) => load.ms);
      Object.assign(figure, {
        calls: times.length,
        rowsPerSecond: Math.round((rows / median(times)) * 1000),
        ...(rows < WEIGHED_ROWS ? {} : weigh(loads, rows)),
        indexMs: median(loads.map((load) => load.indexMs)),
      });
      figures.push(summarize(figure, times));
    } catch (error) {
      figures.push({ ...figure, unsupported: firstLine(error) });
    }
  }
  return figures;
}

/** @param {readonly any[]} loads @param {number} rows */
function weigh(loads, rows) {
  return {
    bytesPerRow: Math.round(median(loads.map((load) => load.bytes)) / rows),
    indexBytesPerRow: Math.round(median(loads.map((load) => load.indexBytes)) / rows),
  };
}

/** @param {number} rounds */
async function measureFloor(rounds) {
  const session = openSession("plain");
  const times = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await session.ask("floor", { length: 1_000_000 }));
  }
  await session.close();
  return median(times);
}

/**
 * Another engine begins each round.
 *
 * @template T
 * @param {readonly T[]} members
 * @param {number} by
 */
function rotate(members, by) {
  const from = members.length === 0 ? 0 : by % members.length;
  return [...members.slice(from), ...members.slice(0, from)];
}

/** @param {readonly string[]} answers @param {readonly string[]} expected */
function findWrong(answers, expected) {
  return answers.findIndex((answer, i) => answer !== expected[i]);
}

/** @param {any} constants @param {string} found @param {string} [expected] */
function describeWrong(constants, found, expected = "") {
  const lines = expected.split("\n");
  const at = found.split("\n").findIndex((line, i) => line !== lines[i]);
  const shown = `found ${found.split("\n")[at]}, expected ${lines[at]}`;
  return `wrong answer for ${JSON.stringify(constants)}: line ${at}: ${shown}`;
}
