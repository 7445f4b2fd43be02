// Few rows: a fresh process for every engine, size and round.
import { median } from "../measure.mjs";
import { formatBytes, formatColumns, formatMs } from "../report.mjs";
import { firstLine, openSession } from "../session.mjs";

/**
 * @param {{ sizes: readonly number[], engines: readonly string[], rounds: number,
 *   budgetMs: number, limit: number, progress: (text: string) => void }} options
 */
export async function measureSmall({ sizes, engines, rounds, budgetMs, limit, progress }) {
  const figures = [];
  for (const rows of sizes) {
    /** @type {Map<string, any[]>} */
    const runs = new Map(engines.map((engine) => [engine, []]));
    /** @type {Map<string, string>} */
    const failures = new Map();
    for (let round = 0; round < rounds; round++) {
      for (const engine of engines) {
        if (failures.has(engine)) continue;
        progress(`${rows} rows, round ${round + 1} of ${rounds}: ${engine}`);
        const session = openSession(engine);
        try {
          runs.get(engine)?.push(await session.ask("small", { rows, round, budgetMs }, limit));
        } catch (error) {
          failures.set(engine, firstLine(error));
        }
        await session.close();
      }
    }
    for (const [engine, results] of runs) {
      const unsupported = failures.get(engine);
      figures.push(
        unsupported === undefined
          ? { rows, engine, ...summarize(results) }
          : { rows, engine, unsupported },
      );
    }
  }
  return { rounds, figures };
}

/** @param {any[]} results */
function summarize(results) {
  const of = (/** @type {(result: any) => number} */ read) => median(results.map(read));
  return {
    cold: {
      importMs: of(({ importMs }) => importMs),
      createMs: of(({ cold }) => cold.createMs),
      loadMs: of(({ cold }) => cold.loadMs),
      firstMs: of(({ cold }) => cold.firstMs),
    },
    warm: {
      createMs: of(({ warm }) => warm.createMs),
      loadMs: of(({ warm }) => warm.loadMs),
      firstMs: of(({ warm }) => warm.firstMs),
      W3: of(({ warm }) => warm.W3),
      W11: of(({ warm }) => warm.W11),
    },
    emptyBytes: of(({ emptyBytes }) => emptyBytes),
    bytes: of(({ bytes }) => bytes),
  };
}

/** @param {Awaited<ReturnType<typeof measureSmall>>} result */
export function formatSmall({ rounds, figures }) {
  const done = figures.filter((one) => "warm" in one);
  const lines = done.map((one) => {
    const { rows, engine, cold, warm, emptyBytes, bytes } = /** @type {any} */ (one);
    return [
      `${rows} rows ${engine}`,
      ...[cold.importMs, cold.createMs, cold.firstMs, warm.createMs, warm.loadMs, warm.firstMs].map(
        formatMs,
      ),
      ...[warm.W3, warm.W11].map(formatMs),
      formatBytes(emptyBytes),
      formatBytes(bytes),
    ];
  });
  const heading = ["", "import", "create", "1st query", "create", "load", "1st query", "W3", "W11"];
  return [
    `Few rows: milliseconds, median of ${rounds} fresh processes; the first three columns are of the`,
    "process's first engine, the others of fresh engines once the code is warm; bytes of an engine",
    "without rows, and with them.",
    "",
    formatColumns([[...heading, "empty", "with rows"], ...lines]),
    ...figures.flatMap((one) =>
      "unsupported" in one ? [`${one.rows} rows ${one.engine}: no figure: ${one.unsupported}`] : [],
    ),
  ].join("\n");
}
