// Bytes of the table, of single columns, of indexes and of branches, and of what deleting leaves.
import { formatBytes, formatColumns } from "../report.mjs";
import { openSession } from "../session.mjs";

const INDEXED = ["W1", "W2", "W3", "W4", "W5", "W5c", "W6", "W7", "W11"];

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
  /** @type {Record<string, number>} */
  const indexes = {};
  for (const name of INDEXED) indexes[name] = (await ask("index", name)).bytes;
  const back = await ask("back");
  const branches = await ask("branches");
  return { rows, table: table.bytes, columns, indexes, back, branches };
}

/** @param {Awaited<ReturnType<typeof measureMemory>>} result */
export function formatMemory({ rows, table, columns, indexes, back, branches }) {
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
      ...Object.entries(indexes).map(([name, bytes]) => [
        `queries of ${name} add`,
        perRow(bytes),
        "",
      ]),
    ]),
    "",
    `table with all its indexes: ${formatBytes(back.table)}; a branch with 100,000 updates adds ` +
      `${formatBytes(back.branchAdds)}; deleted, it leaves ${formatBytes(back.branchLeaves)}; ` +
      `the table, deleted, leaves ${formatBytes(back.tableLeaves)}`,
    `${branches.count} branches with one write each: ${formatBytes(branches.bytes)}; deleted, they ` +
      `leave ${formatBytes(branches.left)}`,
  ].join("\n");
}
