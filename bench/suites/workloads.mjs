// Every workload on every engine: rounds interleaved, answers compared with the plain loop's.

import { median } from "../measure.mjs";
import { openSession } from "../session.mjs";
import { makeConstants, WORKLOADS } from "../workloads.mjs";

/** @typedef {import("../workloads.mjs").Workload} Workload */
/** @typedef {import("../session.mjs").Session} Session */

/**
 * How much time is taken.
 *
 * @typedef {object} Pace
 * @property {number} budgetMs one engine's time in a round, but for the call that runs over
 * @property {number} warmMs how long an engine is warmed up for a workload
 * @property {number} loads how often all rows are loaded for W8
 * @property {number} smallMs how long fresh engines are made of few rows
 */

/** @type {Readonly<Record<"full" | "quick", Pace>>} */
export const PACES = {
  full: { budgetMs: 800, warmMs: 600, loads: 2, smallMs: 3000 },
  quick: { budgetMs: 150, warmMs: 150, loads: 1, smallMs: 1000 },
};

/** Fewer rows are too light to tell from what a process holds anyway. */
const WEIGHED_ROWS = 10_000;
/** An engine that takes longer for one call runs one round of it only. */
const SLOW_MS = 8000;

/**
 * @typedef {object} Figure
 * @property {string} workload
 * @property {string} engine
 * @property {number} [ms] median of the rounds' medians
 * @property {number} [min] least round
 * @property {number} [max] greatest round
 * @property {number} [first] the first call of all, before anything was warm
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
 *   pace: Pace, progress: (text: string) => void }} options
 * @returns {Promise<{ rows: number, rounds: number, floorMs: number, figures: Figure[] }>}
 */
export async function measureWorkloads({ rows, workloads, engines, rounds, pace, progress }) {
  const wanted = WORKLOADS.filter(({ id }) => workloads.includes(id));
  const setup = await openEngines(["reference", ...engines], rows, progress);
  try {
    const figures = [...setup.figures];
    for (const workload of wanted) {
      if (workload.kind === "load") continue;
      figures.push(...(await measureOne(workload, setup, { rows, rounds, pace, progress })));
    }
    const floorMs = await measureFloor(rounds);
    await setup.close();
    if (workloads.includes("W8")) {
      figures.push(...(await measureLoads(setup, { rows, loads: pace.loads, progress })));
    }
    return { rows, rounds, floorMs, figures };
  } finally {
    await setup.close();
  }
}

/** @typedef {Awaited<ReturnType<typeof openEngines>>} Setup */

/**
 * @param {readonly string[]} names
 * @param {number} rows
 * @param {(text: string) => void} progress
 */
async function openEngines(names, rows, progress) {
  /** @type {{ name: string, session: Session, adapter: any, loads: any[] }[]} */
  const engines = [];
  /** @type {Figure[]} */
  const figures = [];
  let answer;
  for (const name of names) {
    progress(`${name}: loading ${rows.toLocaleString("en")} rows`);
    const session = openSession(name, rows > 2_000_000 ? 16_384 : 8192);
    try {
      const adapter = await session.ask("describe");
      const load = await session.ask("open", { rows });
      answer ??= load.answer;
      if (load.answer !== answer) throw new Error("what it loaded reads otherwise");
      engines.push({ name, session, adapter, loads: [load] });
    } catch (error) {
      await session.close();
      if (name === "reference") throw error;
      const why = firstLine(error);
      figures.push({ workload: "all", engine: name, unsupported: why });
    }
  }
  return {
    engines,
    figures,
    answer,
    async close() {
      for (const { session } of engines) await session.close();
    },
  };
}

/**
 * @param {Workload} workload
 * @param {Setup} setup
 * @param {{ rows: number, rounds: number, pace: Pace, progress: (text: string) => void }} options
 * @returns {Promise<Figure[]>}
 */
async function measureOne(workload, setup, { rows, rounds, pace, progress }) {
  const [reference, ...engines] = setup.engines;
  const last = Math.min(rounds, workload.rounds ?? rounds);
  /** @type {Map<string, { figure: Figure, medians: number[] }>} */
  const results = new Map();
  for (const { name, adapter } of engines) {
    const unsupported = adapter.unsupported?.[workload.id];
    const note = adapter.notes?.[workload.id];
    /** @type {Figure} */
    const figure = { workload: workload.id, engine: name, ...(note ? { note } : {}) };
    if (unsupported !== undefined) figure.unsupported = unsupported;
    results.set(name, { figure, medians: [] });
  }
  // Round 0 warms up: it is compared, but only its first call is reported.
  for (let round = 0; round <= last; round++) {
    const constants = makeConstants(workload, rows, round);
    /** @type {string[] | undefined} */
    let expected;
    for (const { name, session } of rotate(engines, round)) {
      const result = results.get(name);
      if (result === undefined || result.figure.unsupported !== undefined) continue;
      if (Math.max(...result.medians) > SLOW_MS) continue;
      progress(`${workload.id} round ${round} of ${last}: ${name}`);
      expected ??= await reference?.session.ask("answer", { workload: workload.id, constants });
      try {
        const args = {
          workload: workload.id,
          constants,
          budgetMs: pace.budgetMs,
          warmMs: round === 0 ? pace.warmMs : 0,
        };
        const { times, answers } = await session.ask("run", args);
        const wrong = findWrong(answers, expected ?? []);
        if (wrong >= 0) {
          throw new Error(describeWrong(constants[wrong], answers[wrong], expected?.[wrong]));
        }
        if (round === 0) result.figure.first = times[0];
        if (round > 0 || median(times) > SLOW_MS) {
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
 * @param {{ rows: number, loads: number, progress: (text: string) => void }} options
 * @returns {Promise<Figure[]>}
 */
async function measureLoads({ engines, answer }, { rows, loads: last, progress }) {
  for (let round = 2; round <= last; round++) {
    for (const { name, loads } of engines) {
      if (name === "reference") continue;
      progress(`W8 round ${round} of ${last}: ${name}`);
      const session = openSession(name, rows > 2_000_000 ? 16_384 : 8192);
      const load = await session.ask("open", { rows });
      if (load.answer !== answer) throw new Error(`${name}: what it loaded reads otherwise`);
      loads.push(load);
      await session.close();
    }
  }
  return engines
    .filter(({ name }) => name !== "reference")
    .map(({ name, adapter, loads }) => {
      const note = adapter.notes?.W8;
      const times = loads.map((load) => load.ms);
      return {
        workload: "W8",
        engine: name,
        ms: median(times),
        min: Math.min(...times),
        max: Math.max(...times),
        calls: times.length,
        rowsPerSecond: Math.round((rows / median(times)) * 1000),
        ...(rows < WEIGHED_ROWS ? {} : weigh(loads, rows)),
        indexMs: median(loads.map((load) => load.indexMs)),
        ...(note ? { note } : {}),
      };
    });
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

/** @param {unknown} error */
function firstLine(error) {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n")[0] ?? "").replace(/^Error: /, "");
}
