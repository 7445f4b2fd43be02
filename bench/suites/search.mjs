// Search for words beside other engines, and for vectors beside a bare loop.
import { readVersion } from "../machine.mjs";
import { median } from "../measure.mjs";
import { formatBytes, formatColumns, formatMs } from "../report.mjs";
import { openSession } from "../session.mjs";
import { loadSearchAdapter } from "../tasks/search.mjs";
import { makeQueries } from "../texts.mjs";

const DIMENSION = 256;
/** Queries whose answers are compared, and those asked in each round. */
const COMPARED = 60;
const ASKED = 60;
/** Of the compared queries so many must have the same answer with every engine. */
const LEAST_SAME = 0.6;

/** @typedef {{ ms: number, p95: number }} Times */
/**
 * @typedef {object} SearchFigure
 * @property {string} engine
 * @property {number} loadMs
 * @property {number} bytes of the texts and the index
 * @property {Times} exact
 * @property {Times} [fuzzy]
 * @property {{ write: number, later: number, both: number }} writes
 */

/**
 * @param {{ rows: number, rounds: number, engines: readonly string[],
 *   progress: (text: string) => void }} options
 */
export async function measureSearch({ rows, rounds, engines, progress }) {
  const sessions = ["plain", ...engines].map((engine) => openSession(engine, rows));
  const ask = (/** @type {(typeof sessions)[number]} */ session, /** @type {object} */ args) => {
    progress(`search: ${session.engine} ${Object.values(args).slice(0, 1)}`);
    return session.ask("search", args);
  };
  try {
    /** @type {{ ms: number, bytes: number, isFuzzy: boolean }[]} */
    const opened = [];
    for (const session of sessions) opened.push(await ask(session, { part: "open", rows }));
    const isFuzzy = (/** @type {number} */ at) => opened[at]?.isFuzzy === true;
    const compared = [];
    for (const distance of [0, 1]) {
      const answers = [];
      for (const [at, session] of sessions.entries()) {
        if (distance > 0 && !isFuzzy(at)) continue;
        const args = { part: "answers", queries: makeQueries(COMPARED, 1), distance };
        answers.push({ engine: session.engine, found: await ask(session, args) });
      }
      compared.push(compare(answers));
    }
    const measured = sessions.slice(1);
    /** @type {{ exact: Times[], fuzzy: Times[] }[]} */
    const times = measured.map(() => ({ exact: [], fuzzy: [] }));
    for (let round = 0; round < rounds; round++) {
      const queries = makeQueries(ASKED, 100 + round);
      for (const [at, session] of measured.entries()) {
        times[at]?.exact.push(await ask(session, { part: "queries", queries, distance: 0 }));
        if (!isFuzzy(at + 1)) continue;
        times[at]?.fuzzy.push(await ask(session, { part: "queries", queries, distance: 1 }));
      }
    }
    /** @type {SearchFigure[]} */
    const figures = [];
    for (const [at, session] of measured.entries()) {
      const { ms: loadMs = 0, bytes = 0 } = opened[at + 1] ?? {};
      const { exact, fuzzy } = times[at] ?? { exact: [], fuzzy: [] };
      figures.push({
        engine: session.engine,
        loadMs,
        bytes,
        exact: medianOf(exact),
        ...(fuzzy.length > 0 ? { fuzzy: medianOf(fuzzy) } : {}),
        writes: await ask(session, { part: "writes" }),
      });
    }
    for (const session of sessions) await session.close();
    const segments = await measureAlone("search", { part: "segments", rows });
    progress("search: vectors");
    const vectors = await measureAlone("vectors", { rows, dimension: DIMENSION });
    const versions = await listSearchVersions(engines);
    return { versions, texts: rows, rounds, compared, figures, segments, vectors };
  } finally {
    for (const session of sessions) await session.close();
  }
}

/** @param {string} task @param {object} args */
async function measureAlone(task, args) {
  const session = openSession("twinbase", 100_000);
  try {
    return await session.ask(task, args);
  } finally {
    await session.close();
  }
}

/**
 * How many queries every engine answers as the plain loop does, and how many each answers otherwise.
 *
 * @param {{ engine: string, found: string[] }[]} answers the first is the plain loop's
 */
function compare([plain, ...others]) {
  if (plain === undefined) throw new Error("nothing to compare with");
  const wrong = others.map(({ engine, found }) => ({
    engine,
    queries: found.flatMap((one, at) => (one === plain.found[at] ? [] : [at])),
  }));
  const own = wrong.find(({ engine, queries }) => engine === "twinbase" && queries.length > 0);
  if (own !== undefined) throw new Error(`twinbase: wrong answers to queries ${own.queries}`);
  const left = new Set(wrong.flatMap(({ queries }) => queries));
  const same = plain.found.length - left.size;
  if (same < LEAST_SAME * plain.found.length) throw new Error(`only ${same} answers are the same`);
  return {
    queries: plain.found.length,
    same,
    otherwise: Object.fromEntries(wrong.map(({ engine, queries }) => [engine, queries.length])),
  };
}

/** @param {Times[]} all @returns {Times} */
function medianOf(all) {
  return { ms: median(all.map(({ ms }) => ms)), p95: median(all.map(({ p95 }) => p95)) };
}

/** @param {readonly string[]} engines */
async function listSearchVersions(engines) {
  /** @type {Record<string, string>} */
  const versions = {};
  for (const engine of engines)
    versions[engine] = readVersion((await loadSearchAdapter(engine)).package);
  return versions;
}

/** @param {Awaited<ReturnType<typeof measureSearch>>} result */
export function formatSearch({ texts, compared, figures, segments, vectors }) {
  const [exact, fuzzy] = compared.map(
    ({ queries, same, otherwise }) =>
      `${same} of ${queries} queries answered alike by all (otherwise: ${JSON.stringify(otherwise)})`,
  );
  const share = (/** @type {number} */ bytes) => (bytes / segments.text).toFixed(2);
  const { peak } = segments;
  const bare = Math.min(vectors.float32, vectors.float64);
  return [
    `${texts.toLocaleString("en")} texts of 40 words; milliseconds, median of the rounds' medians`,
    `exact: ${exact}`,
    `fuzzy: ${fuzzy}`,
    "",
    formatColumns([
      ["", "load", "bytes", "exact", "p95", "fuzzy 1", "p95", "write", "later", "write + search"],
      ...figures.map((one) => [
        one.engine,
        formatMs(one.loadMs),
        formatBytes(one.bytes),
        formatMs(one.exact.ms),
        formatMs(one.exact.p95),
        formatMs(one.fuzzy?.ms),
        formatMs(one.fuzzy?.p95),
        formatMs(one.writes.write),
        formatMs(one.writes.later),
        formatMs(one.writes.both),
      ]),
    ]),
    "",
    `segments: read in ${formatMs(segments.ms)} ms, ${formatBytes(segments.bytes)}, ` +
      `${share(segments.bytes)} × the text` +
      `${peak === undefined ? "" : `, at most ${share(peak)} × while they are read`}; a query with highlights ${formatMs(segments.highlighted)} ms`,
    `vectors: ${formatMs(vectors.engine)} ms; a bare loop over a Float32Array ` +
      `${formatMs(vectors.float32)}, over a Float64Array ${formatMs(vectors.float64)}: ` +
      `${(vectors.engine / bare).toFixed(2)} × the faster`,
  ].join("\n");
}
