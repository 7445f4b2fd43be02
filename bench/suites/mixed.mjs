// Queries and writes together, on a large table.
import { formatBytes, formatColumns, formatMs } from "../report.mjs";
import { firstLine, openSession } from "../session.mjs";

export const MIXED_ENGINES = ["twinbase", "plain", "sqlite"];

/**
 * @param {{ rows: number, seconds: number, limit: number, engines: readonly string[],
 *   progress: (text: string) => void }} options
 */
export async function measureMixed({ rows, seconds, limit, engines, progress }) {
  const figures = [];
  for (const engine of engines) {
    progress(`mixed load on ${rows.toLocaleString("en")} rows for ${seconds} s: ${engine}`);
    const session = openSession(engine, rows);
    try {
      // Loading and comparing come on top.
      const asked = await session.ask("mixed", { rows, seconds }, seconds + 3 * limit);
      figures.push({ engine, ...asked });
    } catch (error) {
      figures.push({ engine, unsupported: firstLine(error) });
    }
    await session.close();
  }
  return { rows, seconds, figures };
}

/** @param {Awaited<ReturnType<typeof measureMixed>>} result */
export function formatMixed({ rows, seconds, figures }) {
  const lines = [];
  for (const figure of figures) {
    const { engine, queries, writes, each } = /** @type {any} */ (figure);
    if (queries === undefined) continue;
    const parts = { "all queries": queries, "all writes": writes, ...each };
    for (const [name, { calls, p50, p99, max }] of Object.entries(parts)) {
      const cells = [p50, p99, max].map(formatMs);
      lines.push([`${engine} ${name}`, calls.toLocaleString("en"), ...cells]);
    }
  }
  return [
    `Mixed load: nine queries to one write on ${rows.toLocaleString("en")} rows for ${seconds} s; ms`,
    "",
    formatColumns([["", "calls", "p50", "p99", "max"], ...lines]),
    "",
    ...figures.map((figure) => {
      const { engine, heapBytes, checked, unsupported } = /** @type {any} */ (figure);
      if (unsupported !== undefined) return `${engine}: no figure: ${unsupported}`;
      const series = heapBytes.map(formatBytes).join(", ");
      return `${engine}: memory every 10 s: ${series}; ${checked} answers compared afterwards`;
    }),
  ].join("\n");
}
