import { readCsvRows } from "../../src/fixtures/csv.js";
import { createFit } from "../../src/fixtures/fit.js";
import { TextFault } from "../../src/fixtures/fixture.js";
import type { AnyRecord, QueryRequest } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { ServiceError } from "./api.js";
import { type Operation, readAll, runOperations } from "./bulk.js";
import { profile, type TableSchema } from "./catalog.js";
import { type Leaf, linkedId, mergeObjects, objectAt, valueAt } from "./columns.js";
import { describeError } from "./load.js";
import { place } from "./place.js";
import { versionOf } from "./record-writer.js";
import { showCount } from "./text.js";

/** Maximum number of pasted rows. */
const MAX_ROWS = 10_000;
/** Cells as sheets copy them: a tab between two, quotes around those with tabs and line breaks. */
const SHEET = { delimiter: "\t", quote: '"', comment: "", skip: 0 };

/** A row of cells; an empty cell is undefined. */
export type CellRow = readonly (string | undefined)[];

/** A write of one row, and what names it in messages. */
interface RowWrite {
  readonly operation: Operation;
  readonly name: string;
}

/** Formats a value as a cell of a sheet: null is empty, the empty text is in quotes. */
export function sheetCell({ link }: Leaf, value: unknown): string {
  const shown = link === undefined ? value : linkedId(value);
  if (shown === null || shown === undefined) return "";
  const text = typeof shown === "object" ? JSON.stringify(shown) : String(shown);
  const isQuoted = text === "" || /[\t\r\n]|^ *"/.test(text);
  return isQuoted ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Reads the records of a query as rows of a sheet. */
export async function readAsSheet(query: QueryRequest, leaves: readonly Leaf[]): Promise<string> {
  const columns = leaves.map(({ path }) => path);
  const rows: string[] = [];
  for await (const records of readAll(place.value.address, { ...query, columns })) {
    for (const record of records) {
      const cells = leaves.map((leaf) => sheetCell(leaf, valueAt(record, leaf.path)));
      rows.push(`${cells.join("\t")}\n`);
    }
  }
  return rows.join("");
}

/** Parses cells that a sheet copied. */
export function readSheet(text: string): CellRow[] {
  try {
    const rows = Array.from(readCsvRows([text], SHEET), (row) =>
      row.cells.map((cell, i) => (cell === "" && !row.isQuotedBlank(i) ? undefined : cell)),
    );
    if (rows.length > 0 && rows.length <= MAX_ROWS) return rows;
    throw refusal(`the clipboard has ${showCount(rows.length, "row")} of cells`);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw refusal(`line ${error.place.line}: ${error.message}`);
  }
}

/**
 * Plans the write of cells: by row the update of a record, or a new record.
 *
 * @param leaves columns from that of the first cell on
 * @param records the records of the first rows; rows beyond are new records
 */
export function planPaste(
  { name: table, columns }: TableSchema,
  leaves: readonly Leaf[],
  records: readonly AnyRecord[],
  rows: readonly CellRow[],
): RowWrite[] {
  const fitRow = createFit(columns, { isCsv: true, orders: new Map() });
  const paths = leaves.map(({ path }) => path);
  const { idColumn } = profile.value;
  return rows.map((cells, index) => {
    const record = records[index];
    const name = record ? idOf(record) : `new record ${index - records.length + 1}`;
    if (cells.length > leaves.length) {
      const fitting = `from ${paths[0]} on, only ${leaves.length} fit`;
      throw refusal(`${name} gets ${showCount(cells.length, "cell")}; ${fitting}`);
    }
    const metadata = undefined;
    const at = { line: index + 1, column: 1 };
    const cellAt = (i: number): string | undefined => cells[i];
    const fitted = fitRow({ record: {}, columns: paths, cellAt, metadata, place: () => at });
    let fields: Record<string, unknown> = {};
    for (const [i, cell] of cells.entries()) {
      const leaf = leaves[i]!; // there is one for each cell
      const { path, type, isOwn } = leaf;
      const value = fitted[path] ?? null;
      if (isOwn || (type === "id" && record === undefined)) {
        // The default of a column fills an empty cell of a new record.
        if (record !== undefined || value !== null) {
          fields = mergeObjects(fields, objectAt(path, value));
        }
      } else if (sheetCell(leaf, cell) !== sheetCell(leaf, record && valueAt(record, path))) {
        throw refusal(`${path} of ${name} cannot be written`);
      }
    }
    const operation =
      record === undefined
        ? { insert: { table, record: fields, ...(idColumn in fields && { createOnly: true }) } }
        : { update: { table, id: idOf(record), fields, ifVersion: versionOf(record) } };
    return { operation, name };
  });
}

/** Writes planned rows, all or none; an error names the cell. */
export async function pasteRows(
  writes: readonly RowWrite[],
  leaves: readonly Leaf[],
): Promise<void> {
  try {
    const operations = writes.map(({ operation }) => operation);
    await runOperations(place.value.address, operations);
  } catch (error) {
    const path = error instanceof ServiceError ? error.path : undefined;
    const [, index, rest = ""] = /^\/operations\/(\d+)\/?(.*)/.exec(path ?? "") ?? [];
    const at = rest.replace(/^\w+\/(?:fields|record)\//, "").replaceAll("/", ".");
    const leaf = leaves.find(({ path }) => `${at}.`.startsWith(`${path}.`));
    const name = index === undefined ? undefined : writes[Number(index)]?.name;
    const cell = [leaf?.path, name].filter(Boolean).join(" of ");
    throw refusal(cell === "" ? describeError(error) : `${cell}: ${describeError(error)}`);
  }
}

function refusal(reason: string): Error {
  return new Error(`Nothing was pasted: ${reason}`);
}
