// Queries and writes together, on a large table.
import { formatColumns, formatMs } from "../report.mjs";
import { openSession } from "../session.mjs";

export async function measureMixed({ rows, seconds, progress }) {
  progress(`mixed load on ${rows.toLocaleString("en")} rows for ${seconds} s`);
  const session = openSession("twinbase", { rows });
  try {
    return { rows, seconds, ...(await session.ask("mixed", { rows, seconds })) };
  } finally {
    await session.close();
  }
}

export function formatMixed({ rows, seconds, queries, writes, checked }) {
  const lines = Object.entries({ queries, writes }).map(([name, { calls, p50, p99, max }]) => [
    name,
    calls.toLocaleString("en"),
    ...[p50, p99, max].map(formatMs),
  ]);
  return `Mixed load: nine queries to one write on ${rows.toLocaleString("en")} rows for ${seconds} s; ms\n
${formatColumns([["", "calls", "p50", "p99", "max"], ...lines])}\n
${checked} answers compared afterwards`;
}
