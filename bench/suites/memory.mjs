// Bytes of the table, of single columns, of indexes and of branches, and of what deleting leaves.
import { formatBytes, formatColumns } from "../report.mjs";
import { openSession } from "../session.mjs";

/** @param {{ rows: number, progress: (text: string) => void }} options */
export async function measureMemory({ rows, progress }) {
  const { COLUMNS } = await import("../tasks/memory.mjs");
  const ask = async (/** @type {string} */ part, /** @type {string} */ name = "") => {
    progress(`memory at ${rows.toLocaleString("en")} rows: ${part} ${name}`);
    const session = openSession("twinbase", rows);
    try {
      return await session.ask("memory", { part, name, rows });
    } finally {
      await session.close();
    }
  };
  const table = await ask("table");
  /** @type {Record<string, { bytes: number, left: number }>} */
  const columns = {};
  for (const name of Object.keys(COLUMNS)) columns[name] = await ask("column", name);
  const indexes = await ask("indexes");
  const branches = await ask("branches");
  return { rows, table: table.bytes, columns, indexes: indexes.bytes, branches };
}

/** @param {Awaited<ReturnType<typeof measureMemory>>} result */
export function formatMemory({ rows, table, columns, indexes, branches }) {
  const perRow = (/** @type {number} */ bytes) => (bytes / rows).toFixed(1);
  const ids = columns["id alone"]?.bytes ?? 0;
  return [
    `Memory at ${rows.toLocaleString("en")} rows`,
    "",
    formatColumns([
      ["", "B/row", "left after deleting"],
      ["the bench table", perRow(table), ""],
      ...Object.entries(columns).map(([name, { bytes, left }]) => [
        name === "id alone" ? "a table of ids and metadata alone" : `a column more: ${name}`,
        perRow(name === "id alone" ? bytes : bytes - ids),
        formatBytes(left),
      ]),
      ["caches and indexes of all queries", perRow(indexes), ""],
    ]),
    "",
    `${branches.count} branches with one write each: ${formatBytes(branches.bytes)}; deleted, they ` +
      `leave ${formatBytes(branches.left)}`,
  ].join("\n");
}
