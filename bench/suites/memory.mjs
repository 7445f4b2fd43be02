// Bytes of the table, of single columns, of indexes and of branches.
import { formatBytes, formatColumns } from "../report.mjs";
import { openSession } from "../session.mjs";

/** Columns of single-column tables, by kind of contents. */
const COLUMNS = {
  "distinct strings": "full_name",
  "few different strings": "plan",
  emails: "email",
  integers: "zipcode",
  floats: "rating",
  datetimes: "created",
  "lists, 2 of 50 on average": "labels",
  "objects of a string and an integer": "address",
};

export async function measureMemory({ rows, progress }) {
  const ask = async (part, column) => {
    progress(`memory at ${rows.toLocaleString("en")} rows: ${part} ${column ?? ""}`);
    const session = openSession("twinbase", { rows });
    try {
      return await session.ask("memory", { part, column, rows });
    } finally {
      await session.close();
    }
  };
  const ids = await ask("column");
  const figures = { "the bench table": await ask("table"), "a table of ids and metadata": ids };
  for (const [name, column] of Object.entries(COLUMNS)) {
    figures[`a column of ${name}`] = (await ask("column", column)) - ids;
  }
  figures["caches and indexes of all queries"] = await ask("indexes");
  return { rows, figures, branches: await ask("branches") };
}

export function formatMemory({ rows, figures, branches }) {
  const lines = Object.entries(figures).map(([name, bytes]) => [name, (bytes / rows).toFixed(1)]);
  return `Memory at ${rows.toLocaleString("en")} rows\n
${formatColumns([["", "B/row"], ...lines])}\n
A hundred branches with one write each: ${formatBytes(branches)}`;
}
