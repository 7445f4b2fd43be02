// Compares searches for words with other engines, and for vectors with a plain loop.
import { median } from "../measure.mjs";
import { formatBytes, formatColumns, formatMs } from "../report.mjs";
import { openSession } from "../session.mjs";

const DIMENSION = 256;
/** Queries whose answers are compared, and queries of a round. */
const COMPARED = 60;
const ASKED = 60;
/** The share of compared queries to which every engine must give the same answer. */
const LEAST_SAME = 0.6;

export async function measureSearch({ rows, rounds, engines, progress }) {
  const { makeQueries } = await import("../texts.mjs");
  const sessions = ["plain", ...engines].map((engine) => openSession(engine, { rows }));
  const ask = (session, args) => {
    progress(`search: ${session.engine} ${Object.values(args).slice(0, 1)}`);
    return session.ask("search", args);
  };
  try {
    const sides = [];
    for (const session of sessions) {
      const load = await ask(session, { part: "open", rows });
      sides.push({ session, load, exact: [], fuzzy: [], highlight: [] });
    }
    const compared = [];
    for (const distance of [0, 1]) {
      const answers = [];
      for (const { session, load } of sides) {
        if (distance > 0 && !load.isFuzzy) continue;
        const args = { part: "answers", queries: makeQueries(COMPARED, 1), distance };
        answers.push({ engine: session.engine, found: await ask(session, args) });
      }
      compared.push(compare(answers));
    }
    const measured = sides.slice(1);
    for (let round = 0; round < rounds; round++) {
      const args = { part: "queries", queries: makeQueries(ASKED, 100 + round), distance: 0 };
      for (const { session, load, exact, fuzzy, highlight } of measured) {
        exact.push(await ask(session, args));
        if (load.isFuzzy) fuzzy.push(await ask(session, { ...args, distance: 1 }));
        if (session.engine !== "twinbase") continue;
        highlight.push(await ask(session, { ...args, highlight: true }));
      }
    }
    const figures = [];
    for (const { session, load, ...times } of measured) {
      figures.push({
        engine: session.engine,
        loadMs: load.ms,
        bytes: load.bytes,
        exact: medianOf(times.exact),
        fuzzy: medianOf(times.fuzzy),
        highlight: medianOf(times.highlight),
        writeMs: await ask(session, { part: "writes" }),
      });
      await session.close();
    }
    progress("search: vectors");
    const session = openSession("twinbase", { rows });
    sessions.push(session);
    const vectors = await session.ask("vectors", { rows, dimension: DIMENSION });
    return { rows, rounds, compared, figures, vectors };
  } finally {
    for (const session of sessions) await session.close();
  }
}

/** Counts the queries that every engine answers like the plain loop, which comes first. */
function compare([plain, ...others]) {
  const queries = plain?.found ?? [];
  const wrong = others.map(({ engine, found }) => ({
    engine,
    queries: found.flatMap((one, at) => (one === queries[at] ? [] : [at])),
  }));
  const own = wrong.find(({ engine, queries }) => engine === "twinbase" && queries.length > 0);
  if (own !== undefined) throw new Error(`twinbase: wrong answers to queries ${own.queries}`);
  const same = queries.length - new Set(wrong.flatMap(({ queries }) => queries)).size;
  if (same < LEAST_SAME * queries.length) throw new Error(`only ${same} answers are the same`);
  const counts = wrong.map(({ engine, queries }) => `${engine} ${queries.length}`);
  return `${same} of ${queries.length} queries have equal answers; different answers: ${counts.join(", ")}`;
}

function medianOf(all) {
  if (all.length === 0) return undefined;
  return { ms: median(all.map(({ ms }) => ms)), p95: median(all.map(({ p95 }) => p95)) };
}

export function formatSearch({ rows, compared, figures, vectors }) {
  const heading = ["", "load", "bytes", "exact", "p95", "fuzzy 1", "p95", "highlights", "written"];
  const lines = figures.map(({ engine, loadMs, bytes, exact, fuzzy, highlight, writeMs }) => [
    engine,
    formatMs(loadMs),
    formatBytes(bytes),
    ...[exact?.ms, exact?.p95, fuzzy?.ms, fuzzy?.p95, highlight?.ms, writeMs].map(formatMs),
  ]);
  return [
    `${rows.toLocaleString("en")} texts of 40 words; milliseconds, median of the rounds' medians;`,
    "written: a write and the next search",
    ...["exact", "fuzzy"].map((name, at) => `${name}: ${compared[at]}`),
    "",
    formatColumns([heading, ...lines]),
    "",
    `vectors: ${formatMs(vectors.engine)} ms; a plain loop ${formatMs(vectors.bare)} ms`,
  ].join("\n");
}
