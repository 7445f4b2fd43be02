import { gunzip, isGzip } from "../../src/fixtures/decode.js";
import { createFit, type DateOrders } from "../../src/fixtures/fit.js";
import { type FixtureRow, TextFault } from "../../src/fixtures/fixture.js";
import { inferFrom } from "../../src/fixtures/infer.js";
import { describeText } from "../../src/fixtures/notes.js";
import type { ReadingOptions } from "../../src/fixtures/reading.js";
import { readRows } from "../../src/fixtures/rows.js";
import type { ColumnDefinition } from "../../src/types.js";
import { ServiceError, service, tablePath } from "./api.js";
import { type Operation, runOperations } from "./bulk.js";
import { profile, schemaEdits, type TableSchema } from "./catalog.js";
import { mergeObjects, objectAt } from "./columns.js";
import { type BranchFacts, type ImportRecord, lineOf, lookUp } from "./import-faults.js";
import { describeError } from "./load.js";

/** The parsed file and its mapping to the table. */
export interface ImportPlan {
  readonly isCsv: boolean;
  readonly orders: DateOrders;
  /** Assumptions about the file. */
  readonly notes: readonly string[];
  readonly rows: readonly FixtureRow[];
  /** Columns missing in the table, with inferred types. */
  readonly added: readonly ColumnDefinition[];
  /** Columns of the table found in the file. */
  readonly known: readonly string[];
  readonly facts: BranchFacts;
  /** Maximum number of lines to find: each is a search in a JSON file. */
  readonly maxLines: number;
}

const MAX_LINES = 100;
/** Characters searched for lines in a JSON file. */
const SEARCHED_LENGTH = 20_000_000;
/** Size limit of a file, in bytes. */
const MAX_BYTES = 200 * 1024 * 1024;
/** Bytes decoded at once. */
const CHUNK = 1 << 20;

/** Reads a CSV, JSON or NDJSON file; errors name the line and column. */
export async function planImport(
  file: File,
  table: TableSchema | undefined,
  reading: ReadingOptions = {},
): Promise<ImportPlan> {
  if (file.size > MAX_BYTES) throw new Error(`${file.name} has more than 200 MB; use the CLI`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const chunks = isGzip(bytes) ? await gunzip(file, file.name) : cutBytes(bytes);
  try {
    const read = readRows({ name: file.name, text: () => chunks, ...reading });
    const { format } = read.source;
    const isCsv = format === "csv";
    const rows = [...read];
    const inferred = inferFrom({ ...read, [Symbol.iterator]: () => rows.values() });
    const { columns, orders } = inferred;
    const notes = describeText(read, inferred, { numbers: undefined, keepsId: true, refused: [] });
    const names = new Set(table?.columns.map(({ name }) => name));
    const added = columns.filter(({ name }) => !names.has(name));
    const known = columns.map(({ name }) => name).filter((name) => names.has(name));
    const facts = table
      ? await lookUp(table, fitRecords({ rows, isCsv, orders }, table.columns))
      : { existing: new Set<string>(), dead: new Map(), owners: new Map() };
    const searches = Math.max(3, SEARCHED_LENGTH / file.size);
    const maxLines = format === "json" ? Math.min(MAX_LINES, searches) : MAX_LINES;
    return { isCsv, orders, notes, rows, added, known, facts, maxLines };
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column } = error.place;
    throw new Error(`${file.name}, line ${line}, column ${column}: ${error.message}`);
  }
}

/** Views of the bytes: the beginning of a large file can be decoded alone. */
function cutBytes(bytes: Uint8Array): Uint8Array[] {
  const starts = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) => i * CHUNK);
  return starts.map((start) => bytes.subarray(start, start + CHUNK));
}

/** The records of a file with values converted for the columns; other columns are omitted. */
export function fitRecords(
  { rows, isCsv, orders }: Pick<ImportPlan, "rows" | "isCsv" | "orders">,
  columns: readonly ColumnDefinition[],
): ImportRecord[] {
  const fitRecord = createFit(columns, { isCsv, orders });
  const names = new Set(columns.map(({ name }) => name)).add("id");
  return rows.map((row) => {
    // CSV headers name object columns by dotted paths.
    const taken = Object.entries(fitRecord(row)).filter(([key, value]) => {
      const name = isCsv ? (key.split(".")[0] ?? key) : key;
      return names.has(name) && (row.record[key] !== undefined || value !== null);
    });
    const { id, ...flat } = Object.fromEntries(taken);
    // An id of another type is a fault.
    return { row, id: id as string | undefined, values: isCsv ? nest(flat) : flat };
  });
}

/**
 * Inserts the records of a file, and creates the table if there is none.
 *
 * Inserts nothing if the service rejects a record; the error has its line.
 *
 * @param address of the table
 * @param added columns to add first; other unknown columns are skipped
 */
export async function runImport(
  address: readonly string[],
  table: TableSchema | undefined,
  records: readonly ImportRecord[],
  { added, isUpdate }: { added: readonly ColumnDefinition[]; isUpdate: boolean },
): Promise<void> {
  const [workspace = "", database = "", branch = "", name = ""] = address;
  const path = tablePath(database, branch, name);
  const operations = records.map(({ id, values: fields }): Operation => {
    if (id === undefined) return { insert: { table: name, record: fields } };
    if (isUpdate) return { update: { table: name, id, fields, upsert: true } };
    return {
      insert: {
        table: name,
        record: { [profile.value.idColumn]: id, ...fields },
        createOnly: true,
      },
    };
  });
  if (table === undefined) await service(workspace, "PUT", path);
  const made: ColumnDefinition[] = [];
  try {
    for (const column of added) {
      await service(workspace, "POST", `${path}/columns`, { body: column });
      made.push(column);
    }
    await runOperations([workspace, database, branch], operations);
    if (table === undefined || added.length > 0) schemaEdits.value++;
  } catch (error) {
    if (table === undefined) await service(workspace, "DELETE", path);
    else {
      for (const column of made) {
        await service(workspace, "DELETE", `${path}/columns/${encodeURIComponent(column.name)}`);
      }
    }
    const index =
      error instanceof ServiceError && /^\/operations\/(\d+)/.exec(error.path ?? "")?.[1];
    const record = index ? records[Number(index)] : undefined;
    const at = record === undefined ? "" : `line ${lineOf(record.row, "")}: `;
    throw new Error(`Nothing was imported: ${at}${describeError(error)}`);
  }
}

/** Nests dotted paths: `{"a.b": 1}` gives `{"a": {"b": 1}}`. */
function nest(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.entries(flat).reduce<Record<string, unknown>>(
    (all, [path, value]) => mergeObjects(all, objectAt(path, value)),
    {},
  );
}

/** A table name from a file name: `New people.csv` gives `new_people`. */
export function tableNameOf(file: string): string {
  return (
    file
      .replace(/\.[^.]*$/, "")
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "_")
      .replace(/^_+|_+$/g, "") || "imported"
  );
}
