// Twinbase on PostgreSQL beside SQL written by hand and beside the engine in memory: the same rows
// on one server, calls by turns, answers compared first.
import { digestAnswer } from "../answers.mjs";
import { openLoaded } from "../loaded.mjs";
import { median } from "../measure.mjs";
import { measureBulk, measureDeep } from "../postgres/pages-and-bulks.mjs";
import { openRaw, prepareRaw } from "../postgres/raw.mjs";
import { startServer } from "../postgres/server.mjs";
import { loadTwinbase, openTwinbase, prepareBulk } from "../postgres/twinbase.mjs";
import { measureUniqueBulks } from "../postgres/unique-bulks.mjs";
import { makeConstants, WALK_PAGE, WORKLOADS } from "../workloads.mjs";

/** @typedef {import("../postgres/twinbase.mjs").Twinbase} Twinbase */
/** @typedef {Awaited<ReturnType<typeof openRaw>>} Raw */
/** @typedef {import("../session.mjs").Session} Session */
/** @typedef {import("../workloads.mjs").Workload} Workload */
/** @typedef {{ twinbase: Twinbase, raw: Raw, memory: Session | undefined }} Sides */

/**
 * Milliseconds of one call.
 *
 * @typedef {object} Figure
 * @property {string} workload
 * @property {string} title
 * @property {number} twinbase
 * @property {number} [raw]
 * @property {number} [memory]
 * @property {number} [statements] that Twinbase sends for a call, without those that begin and end
 *   a transaction
 * @property {number} [goal] `twinbase` over `raw`, at most
 * @property {number} [rowsPerSecond]
 * @property {number} [processorMs] milliseconds of processor time of this process for a call
 */

const LEARNING = 100;
const MOST_CALLS = 200;
/** Each write waits for the disk, and is undone. */
const MOST_WRITES = 40;

/** Twinbase may take so many times as long as SQL by hand. @type {Readonly<Record<string, number>>} */
const GOALS = { W1: 2, W1s: 2, W2: 1.6, W3: 3, W4: 3, W5: 3, W5c: 3, W6: 3, W9i: 4, W9u: 1.3 };

/**
 * @param {{ rows: number, workloads: readonly string[], rounds: number, limit: number,
 *   folder: string | undefined, progress: (text: string) => void }} options
 */
export async function measurePostgres(options) {
  const { rows, workloads, rounds, limit, folder, progress } = options;
  const server = await startServer(folder);
  /** @type {Partial<Sides>} */
  const opened = {};
  try {
    const twinbase = await openTwinbase(server.url);
    opened.twinbase = twinbase;
    const load = server.isNew ? await prepare(twinbase, server.url, options) : undefined;
    const wanted = WORKLOADS.filter(({ id }) => workloads.includes(id)).flatMap((workload) =>
      workload.id === "W1" ? [workload, BY_ANSWER] : [workload],
    );
    const raw = await openRaw(server.url);
    opened.raw = raw;
    if (wanted.length > 0) {
      const loading = { rows, limit, progress };
      opened.memory = (await openLoaded("twinbase", undefined, loading)).session;
    }
    const sides = { twinbase, raw, memory: opened.memory };
    /** @type {Figure[]} */
    const figures = [];
    for (const workload of wanted) {
      progress(`${workload.id} ${workload.title}`);
      const isWalk = workload.kind === "walk";
      figures.push(
        isWalk
          ? await measureWalk(sides, workload)
          : await measureCalls(sides, workload, { rows, rounds }),
      );
    }
    if (workloads.includes("after")) figures.push(...(await measureDeep(sides, rounds, rows)));
    if (workloads.includes("bulk")) {
      figures.push(...(await measureBulk(sides, rounds)));
      figures.push(...(await measureUniqueBulks(twinbase, rounds)));
    }
    return { rows, rounds, load, figures };
  } finally {
    await opened.memory?.close();
    await opened.raw?.close();
    await opened.twinbase?.close();
    await server.stop();
  }
}

/**
 * Loads all rows, copies them for the other side, and asks each workload a hundred times.
 *
 * @param {Twinbase} twinbase
 * @param {string} url
 * @param {{ rows: number, progress: (text: string) => void }} options
 */
async function prepare(twinbase, url, { rows, progress }) {
  progress(`loading ${rows.toLocaleString("en")} rows`);
  const ms = await loadTwinbase(twinbase, rows);
  progress("copying them, and making indexes by hand");
  await prepareRaw(url);
  await prepareBulk(twinbase);
  const started = performance.now();
  for (const workload of WORKLOADS) {
    const run = twinbase.run[workload.id];
    if (run === undefined || !KINDS.has(workload.kind) || workload.id === "W11") continue;
    progress(`${workload.id}: a hundred times, for the indexes`);
    const constants = makeConstants(workload, rows, 9);
    for (let i = 0; i < LEARNING; i++) await run(constants[i % constants.length] ?? {});
  }
  for (let i = 0; i < LEARNING; i++) await twinbase.byCreated(undefined, WALK_PAGE);
  progress("waiting for indexes");
  await twinbase.db.idle();
  return {
    ms,
    rowsPerSecond: Math.round((1000 * rows) / ms),
    learningMs: performance.now() - started,
  };
}

/**
 * A record by its id without the `Request` and the `Response` of a fetch, which take longer than the
 * statement.
 *
 * @type {Workload}
 */
const BY_ANSWER = {
  .../** @type {Workload} */ (WORKLOADS.find(({ id }) => id === "W1")),
  id: "W1s",
  title: "the same as a server answers it",
};

/** What is asked and changes nothing. @type {ReadonlySet<Workload["kind"]>} */
const KINDS = new Set(["record", "records", "page", "count"]);

/**
 * Each round the same calls by one after the other, and its median; round 0 compares and warms up.
 *
 * @param {Sides} sides
 * @param {Workload} workload
 * @param {{ rows: number, rounds: number }} options
 * @returns {Promise<Figure>}
 */
async function measureCalls({ twinbase, raw, memory }, workload, { rows, rounds }) {
  const { id, kind, title } = workload;
  /** @type {{ twinbase: number[], raw: number[], memory: number[] }} */
  const medians = { twinbase: [], raw: [], memory: [] };
  let statements = 0;
  for (let round = 0; round <= rounds; round++) {
    const most = kind === "write" ? MOST_WRITES : MOST_CALLS;
    const constants = makeConstants(workload, rows, round).slice(0, most);
    const before = kind === "write" ? await readAll(raw, constants) : [];
    const own = await runAll(twinbase, workload, constants);
    statements = own.statements / constants.length;
    const hand = await runAll(raw, workload, constants);
    const args = { workload: id, constants, budgetMs: 60_000 };
    const held = id === BY_ANSWER.id ? undefined : await memory?.ask("run", args);
    for (const [i, answer] of own.answers.entries()) {
      const given = { own: answer, raw: hand.answers[i], memory: held?.answers[i] ?? answer };
      if (given.raw !== answer || given.memory !== answer) {
        throw new Error(`${id}: answers differ\n${JSON.stringify([constants[i], given], null, 2)}`);
      }
    }
    if (kind === "write") await putBack({ twinbase, raw, memory }, { id, constants, before });
    if (round === 0) continue;
    medians.twinbase.push(median(own.times));
    medians.raw.push(median(hand.times));
    if (held !== undefined) medians.memory.push(median(held.times));
  }
  return {
    workload: id,
    title,
    twinbase: median(medians.twinbase),
    raw: median(medians.raw),
    memory: medians.memory.length === 0 ? undefined : median(medians.memory),
    statements,
    goal: GOALS[id],
  };
}

/**
 * @param {{ run: Raw["run"], get: (id: string) => Promise<any>, db?: Twinbase["db"] }} side
 * @param {Workload} workload
 * @param {readonly any[]} constants
 */
async function runAll({ run, get, db }, { id, kind }, constants) {
  const times = [];
  const answers = [];
  const sent = () => db?.stats().statements ?? 0;
  const before = sent();
  for (const one of constants) {
    const started = performance.now();
    const answer = await run[id]?.(one);
    times.push(performance.now() - started);
    if (kind !== "write") answers.push(digestAnswer(kind, answer));
  }
  const statements = sent() - before;
  if (kind === "write") {
    for (const { id: given, user } of constants) {
      answers.push(digestAnswer(kind, await get(given ?? user.id)));
    }
  }
  return { times, answers, statements };
}

/** @param {Raw} raw @param {readonly any[]} constants */
async function readAll(raw, constants) {
  const records = [];
  for (const { id } of constants) records.push(id === undefined ? null : await raw.get(id));
  return records;
}

/**
 * A folder that is kept holds the same rows for the next run.
 *
 * @param {Sides} sides
 * @param {{ id: string, constants: readonly any[], before: readonly any[] }} written
 */
async function putBack({ twinbase, raw }, { id, constants, before }) {
  for (const [i, one] of constants.entries()) {
    if (id === "W9i") {
      await twinbase.remove(one.user.id);
      await raw.remove(one.user.id);
      continue;
    }
    const { zipcode, rating = null } = before[i];
    const old = { id: one.id, changes: { zipcode, rating } };
    await twinbase.run.W9u?.(old);
    await raw.run.W9u?.(old);
  }
}

/**
 * All rows, once by each.
 *
 * @param {Sides} sides
 * @param {Workload} workload
 * @returns {Promise<Figure>}
 */
async function measureWalk({ twinbase, raw, memory }, workload) {
  const { id, title } = workload;
  const walk = async (/** @type {Pick<Raw, "run">} */ { run }) => {
    /** @type {string[]} */
    const ids = [];
    const started = performance.now();
    await run[id]?.({}, (page) => {
      for (const record of page) ids.push(record.id);
    });
    return { ms: performance.now() - started, answer: digestAnswer("walk", ids) };
  };
  const [own, hand] = [await walk(twinbase), await walk(raw)];
  const held = await memory?.ask("run", { workload: id, constants: [{}], budgetMs: 1 });
  if (own.answer !== hand.answer || (held?.answers[0] ?? own.answer) !== own.answer) {
    throw new Error(`${id}: answers differ`);
  }
  return { workload: id, title, twinbase: own.ms, raw: hand.ms, memory: held?.times[0], goal: 2 };
}
