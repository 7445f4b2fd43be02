// Live queries: what a write costs with them, beside TanStack DB.
import { formatColumns, formatMs } from "../report.mjs";
import { openSession } from "../session.mjs";

export const LIVE_ENGINES = ["twinbase", "tanstack"];

export async function measureLive({ sizes = [100_000, 1_000_000], engines, progress }) {
  const results = [];
  for (const rows of sizes) {
    const sides = [];
    for (const engine of engines) {
      progress(`live queries: ${engine}, ${rows.toLocaleString("en")} rows`);
      const session = openSession(engine, { rows });
      try {
        sides.push({ engine, ...(await session.ask("live", { rows })) });
      } finally {
        await session.close();
      }
    }
    const [first, ...others] = sides;
    for (const { engine, checked } of others) {
      const at = checked.findIndex((ids, i) => ids !== first.checked[i]);
      if (at >= 0) throw new Error(`${engine}: page ${at} differs from that of ${first.engine}`);
    }
    results.push({ rows, sides });
  }
  return results;
}

export function formatLive(results) {
  const header = results.flatMap(({ rows, sides }) =>
    sides.map(({ engine }) => `${engine} ${rows / 1000}k`),
  );
  const names = Object.keys(results[0].sides[0].figures);
  const lines = names.map((name) => [
    name,
    ...results.flatMap(({ sides }) => sides.map(({ figures }) => formatMs(figures[name]))),
  ]);
  return `Live queries; milliseconds of processor time of a call\n\n${formatColumns([["", ...header], ...lines])}`;
}
