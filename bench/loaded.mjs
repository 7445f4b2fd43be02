// Engines in processes of their own that have all rows loaded.
import { firstLine, openSession } from "./session.mjs";

/** @typedef {import("./session.mjs").Session} Session */
/** @typedef {import("./suites/workloads.mjs").Figure} Figure */
/** @typedef {Awaited<ReturnType<typeof openEngines>>} Setup */
/** @typedef {{ rows: number, limit: number, progress: (text: string) => void }} Loading */
/**
 * @typedef {{ name: string, session: Session, adapter: any, loads: any[], failure?: string }} Engine
 *   with a `failure` where it could not be loaded again
 */

/** Loading may take so many times as long as a round. */
const LOAD_LIMITS = 3;

/**
 * @param {readonly string[]} names the first is the one to compare with
 * @param {Loading} options
 */
export async function openEngines(names, options) {
  /** @type {Engine[]} */
  const engines = [];
  /** @type {Figure[]} */
  const figures = [];
  let answer;
  for (const name of names) {
    try {
      const { session, load } = await openLoaded(name, answer, options);
      answer ??= load.answer;
      engines.push({ name, session, adapter: await session.ask("describe"), loads: [load] });
    } catch (error) {
      if (name === names[0]) throw error;
      figures.push({ workload: "all", engine: name, unsupported: firstLine(error) });
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
 * An engine whose process ended, as it took too long for a workload, begins the next one anew.
 *
 * @param {Engine} engine
 * @param {string | undefined} answer
 * @param {Loading} options
 */
export async function reviveEngine(engine, answer, options) {
  if (engine.failure !== undefined || !engine.session.hasEnded()) return;
  try {
    engine.session = (await openLoaded(engine.name, answer, options)).session;
  } catch (error) {
    engine.failure = firstLine(error);
  }
}

/**
 * A process with all rows.
 *
 * @param {string} name
 * @param {string | undefined} answer what its rows have to read as
 * @param {Loading} options
 */
export async function openLoaded(name, answer, { rows, limit, progress }) {
  progress(`${name}: loading ${rows.toLocaleString("en")} rows`);
  const session = openSession(name, rows);
  try {
    const load = await session.ask("open", { rows }, limit * LOAD_LIMITS);
    if (load.answer !== (answer ?? load.answer)) throw new Error("what it loaded reads otherwise");
    return { session, load };
  } catch (error) {
    await session.close();
    throw error;
  }
}
