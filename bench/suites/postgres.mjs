// Compares Twinbase on PostgreSQL with handwritten SQL and with the engine in memory: the same rows on one
// server, calls in turn, answers compared.
import { PostgresServer } from "../../scripts/postgres-server.mjs";
import { digestAnswer } from "../answers.mjs";
import { median } from "../measure.mjs";
import { measureBulk, measureDeep, measureUniqueBulks } from "../postgres/pages-and-bulks.mjs";
import { openRaw, prepareRaw } from "../postgres/raw.mjs";
import { loadTwinbase, openTwinbase } from "../postgres/twinbase.mjs";
import { formatColumns, formatMs, formatNumber } from "../report.mjs";
import { openLoaded } from "../session.mjs";
import { makeConstants, WALK_PAGE, WORKLOADS } from "../workloads.mjs";

const SETTINGS = [
  ...["shared_buffers=1GB", "work_mem=32MB", "maintenance_work_mem=256MB", "max_wal_size=4GB"],
  ...["max_connections=40", "fsync=on"],
];
/** Calls after which Twinbase has created its indexes. */
const LEARNING = 100;
const MOST_CALLS = 200;
/** The kinds of read-only workloads. */
const READING = new Set(["record", "records", "page", "count"]);

/** The same workloads by other calls of Twinbase. */
const OTHERWISE = {
  W1: { id: "W1q", title: "the same by db.query" },
  W9u: { id: "W9p", title: "the same by PATCH" },
};

export async function measurePostgres({ rows, workloads, rounds, progress }) {
  const server = await PostgresServer.create(SETTINGS);
  const opened = [];
  try {
    const twinbase = await openTwinbase(server.url);
    opened.push(twinbase);
    await prepare(twinbase, server.url, { rows, progress });
    const raw = await openRaw(server.url);
    opened.push(raw);
    const wanted = WORKLOADS.filter(({ id }) => workloads.includes(id));
    const memory =
      wanted.length > 0 ? (await openLoaded("twinbase", { rows, progress })).session : undefined;
    opened.push(...(memory ? [memory] : []));
    const sides = { twinbase, raw, memory };
    const figures = [];
    const asked = wanted.flatMap((one) =>
      one.id in OTHERWISE ? [one, { ...one, ...OTHERWISE[one.id], isOther: true }] : [one],
    );
    for (const workload of asked) {
      progress(`${workload.id} ${workload.title}`);
      figures.push(
        workload.kind === "walk"
          ? await measureWalk(sides, workload)
          : await measureCalls(sides, workload, { rows, rounds }),
      );
    }
    if (workloads.includes("after")) figures.push(...(await measureDeep(sides, rounds, rows)));
    if (workloads.includes("bulk")) {
      figures.push(...(await measureBulk(sides, rounds)));
      figures.push(...(await measureUniqueBulks(sides, rounds)));
    }
    return { rows, rounds, figures };
  } finally {
    for (const one of opened.reverse()) await one.close();
    await server.remove();
  }
}

/** Loads all rows, copies them for the other side, and runs each workload until its indexes exist. */
async function prepare(twinbase, url, { rows, progress }) {
  progress(`loading ${rows.toLocaleString("en")} rows`);
  await loadTwinbase(twinbase, rows);
  progress("copying the rows, and creating indexes for handwritten SQL");
  await prepareRaw(url);
  for (const workload of WORKLOADS) {
    const run = twinbase.run[workload.id];
    if (run === undefined || !READING.has(workload.kind) || workload.id === "W11") continue;
    progress(`${workload.id}: ${LEARNING} times, for the indexes`);
    const constants = makeConstants(workload, rows, 9);
    for (let i = 0; i < LEARNING; i++) await run(constants[i % constants.length]);
  }
  for (let i = 0; i < LEARNING; i++) await twinbase.byCreated(undefined, WALK_PAGE);
  progress("waiting for indexes");
  await twinbase.db.idle();
}

/** Both sides make each call in turn, and every other time the other one begins; round 0 warms up. */
async function measureCalls({ twinbase, raw, memory }, workload, { rows, rounds }) {
  const { id, title, isOther = false } = workload;
  const medians = { twinbase: [], raw: [], memory: [] };
  for (let round = 0; round <= rounds; round++) {
    const constants = makeConstants(workload, rows, round).slice(0, MOST_CALLS);
    const [own, hand] = await runInTurn([twinbase, raw], workload, constants);
    const args = { workload: id, constants, budgetMs: 60_000 };
    const held = isOther ? undefined : await memory.ask("run", args);
    for (const [i, answer] of own.answers.entries()) {
      const given = { own: answer, raw: hand.answers[i], memory: held?.answers[i] ?? answer };
      if (given.raw !== answer || given.memory !== answer) {
        throw new Error(`${id}: answers differ\n${JSON.stringify([constants[i], given], null, 2)}`);
      }
    }
    if (round === 0) continue;
    medians.twinbase.push(median(own.times));
    medians.raw.push(median(hand.times));
    if (held !== undefined) medians.memory.push(median(held.times));
  }
  const [own, hand] = [medians.twinbase, medians.raw].map(median);
  const held = medians.memory.length > 0 ? { memory: median(medians.memory) } : {};
  return { workload: id, title, twinbase: own, raw: hand, ...held };
}

async function runInTurn(sides, { id, kind }, constants) {
  const ran = sides.map((side) => ({ side, times: [], answers: [] }));
  for (const [i, one] of constants.entries()) {
    for (const { side, times, answers } of i % 2 === 0 ? ran : ran.toReversed()) {
      const started = performance.now();
      const answer = await side.run[id](one);
      times.push(performance.now() - started);
      if (kind !== "write") answers.push(digestAnswer(kind, answer));
    }
  }
  for (const { id: given, user } of kind === "write" ? constants : []) {
    for (const { side, answers } of ran) {
      answers.push(digestAnswer(kind, await side.get(given ?? user.id)));
    }
  }
  return ran;
}

async function measureWalk({ twinbase, raw, memory }, { id, title }) {
  const walk = async ({ run }) => {
    const ids = [];
    const started = performance.now();
    await run[id]({}, (page) => {
      for (const record of page) ids.push(record.id);
    });
    return { ms: performance.now() - started, answer: digestAnswer("walk", ids) };
  };
  const [own, hand] = [await walk(twinbase), await walk(raw)];
  const held = await memory.ask("run", { workload: id, constants: [{}], budgetMs: 1 });
  if (own.answer !== hand.answer || held.answers[0] !== own.answer) {
    throw new Error(`${id}: answers differ`);
  }
  return { workload: id, title, twinbase: own.ms, raw: hand.ms, memory: held.times[0] };
}

export function formatPostgres({ rows, rounds, figures }) {
  const lines = figures.map(({ workload, title, twinbase, raw, memory }) => [
    `${workload} ${title.length > 44 ? `${title.slice(0, 43)}…` : title}`,
    formatMs(twinbase),
    formatMs(raw),
    raw === undefined ? "" : formatNumber(twinbase / raw),
    formatMs(memory),
  ]);
  return [
    `${rows.toLocaleString("en")} rows in PostgreSQL 18; milliseconds, median of the rounds' medians (${rounds} rounds)`,
    "",
    formatColumns([["", "twinbase", "raw pg", "ratio", "memory"], ...lines]),
  ].join("\n");
}
