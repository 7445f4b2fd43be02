// Branches, snapshots and forks over sizes.
import { formatBytes, formatColumns, formatMs } from "../report.mjs";
import { openSession } from "../session.mjs";

/** @param {{ sizes: readonly number[], progress: (text: string) => void }} options */
export async function measureBranches({ sizes, progress }) {
  const figures = [];
  for (const rows of sizes) {
    progress(`branches at ${rows.toLocaleString("en")} rows`);
    const session = openSession("twinbase", rows);
    try {
      figures.push(await session.ask("branches", { rows }));
    } finally {
      await session.close();
    }
  }
  return { figures };
}

/** @param {Awaited<ReturnType<typeof measureBranches>>} result */
export function formatBranches({ figures }) {
  const lines = figures.flatMap(({ rows, cold, indexed }) =>
    [
      { name: "no indexes", of: cold },
      { name: "indexes built", of: indexed },
    ].map(({ name, of }) => [
      `${rows.toLocaleString("en")} rows, ${name}`,
      ...[of.branch, of.query, of.snapshot, of.restore, of.fork].map(({ ms }) => formatMs(ms)),
    ]),
  );
  return [
    "Milliseconds, median of 40: a branch and one write to it; a first query of it; a snapshot and",
    "one write; going back to it; a fork and one write.",
    "",
    formatColumns([["", "branch", "its query", "snapshot", "restore", "fork"], ...lines]),
    "",
    ...figures.map(
      ({ rows, many }) =>
        `${many.count} branches of ${rows.toLocaleString("en")} rows, one write each: ` +
        `${formatMs(many.ms)} ms, ${formatBytes(many.bytes)}; deleted, they leave ` +
        `${formatBytes(many.left)}`,
    ),
  ].join("\n");
}
