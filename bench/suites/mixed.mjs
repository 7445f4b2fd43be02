// Queries and writes together, on a large table.
import { formatColumns, formatMs } from "../report.mjs";
import { openSession } from "../session.mjs";

export const MIXED_ENGINES = ["twinbase", "plain", "sqlite"];

export async function measureMixed({ rows, seconds, engines, progress }) {
  const figures = [];
  for (const engine of engines) {
    progress(`mixed load on ${rows.toLocaleString("en")} rows for ${seconds} s: ${engine}`);
    const session = openSession(engine, { rows });
    try {
      figures.push({ engine, ...(await session.ask("mixed", { rows, seconds })) });
    } finally {
      await session.close();
    }
  }
  return { rows, seconds, figures };
}

export function formatMixed({ rows, seconds, figures }) {
  const lines = figures.flatMap(({ engine, times }) =>
    Object.entries(times).map(([name, { calls, p50, p99, max }]) => [
      `${engine} ${name}`,
      calls.toLocaleString("en"),
      ...[p50, p99, max].map(formatMs),
    ]),
  );
  return [
    `Mixed load: nine queries to one write on ${rows.toLocaleString("en")} rows for ${seconds} s; ms`,
    "",
    formatColumns([["", "calls", "p50", "p99", "max"], ...lines]),
    "",
    ...figures.map(({ engine, checked }) => `${engine}: ${checked} answers compared afterwards`),
  ].join("\n");
}
