import { createFit } from "../../src/fixtures/fit.js";
import { formatOf, TextFault } from "../../src/fixtures/fixture.js";
import { createInference } from "../../src/fixtures/infer.js";
import { readRows } from "../../src/fixtures/rows.js";
import type { ColumnDefinition } from "../../src/types.js";
import { service, tablePath } from "./api.js";
import { type Operation, readByIds, runOperations } from "./bulk.js";
import { schemaEdits, type TableSchema } from "./catalog.js";
import { linkedId, mergeObjects, objectAt } from "./columns.js";
import { place } from "./place.js";

/** The parsed file and its mapping to the table. */
export interface ImportPlan {
  readonly name: string;
  readonly isCsv: boolean;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Columns missing in the table, with inferred types. */
  readonly added: readonly ColumnDefinition[];
  /** Columns of the table found in the file. */
  readonly known: readonly string[];
  /** Ids of missing records, by link column. */
  readonly dead: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Size limit of a file, in bytes. */
const MAX_BYTES = 200 * 1024 * 1024;

/** Reads a CSV, JSON or NDJSON file; errors name the line and column. */
export async function planImport(file: File, table: TableSchema | undefined): Promise<ImportPlan> {
  if (file.size > MAX_BYTES) throw new Error(`${file.name} has more than 200 MB; use the CLI`);
  const fixture = { name: file.name, text: await file.text() };
  try {
    const isCsv = formatOf(fixture) === "csv";
    const inference = createInference(isCsv);
    const rows = readRows(fixture);
    const records: Record<string, unknown>[] = [];
    for (const row of rows) {
      inference.add(row);
      records.push(row.record);
    }
    const columns = inference.columns(rows.header());
    const names = new Set(table?.columns.map(({ name }) => name));
    const added = columns.filter(({ name }) => !names.has(name));
    const known = columns.map(({ name }) => name).filter((name) => names.has(name));
    const dead = await findDeadLinks(table, records);
    return { name: file.name, isCsv, records, added, known, dead };
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column } = error.place;
    throw new Error(`${file.name}, line ${line}, column ${column}: ${error.message}`);
  }
}

/** Ids in link columns of records that are neither in the branch nor in the file. */
async function findDeadLinks(
  table: TableSchema | undefined,
  records: ImportPlan["records"],
): Promise<Map<string, ReadonlySet<string>>> {
  const dead = new Map<string, ReadonlySet<string>>();
  for (const { name, link } of table?.columns ?? []) {
    if (link === undefined) continue;
    const ids = new Set(records.flatMap((record) => linkedId(record[name]) || []));
    if (link.table === table?.name) for (const { id } of records) ids.delete(String(id));
    const address = [...place.value.address.slice(0, 3), link.table];
    for (const { id } of await readByIds(address, [...ids], ["id"])) ids.delete(id);
    if (ids.size > 0) dead.set(name, ids);
  }
  return dead;
}

/**
 * Inserts the records of a file, and creates the table if there is none.
 *
 * @param address of the table
 * @param added columns to add first; other unknown columns are skipped
 */
export async function runImport(
  address: readonly string[],
  table: TableSchema | undefined,
  plan: ImportPlan,
  { added, isUpdate }: { added: readonly ColumnDefinition[]; isUpdate: boolean },
): Promise<void> {
  const [workspace = "", database = "", branch = "", name = ""] = address;
  const path = tablePath(database, branch, name);
  const columns = [...(table?.columns ?? []), ...added];
  const operations = planOperations(name, columns, plan, isUpdate);
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
    throw error;
  }
}

function planOperations(
  table: string,
  columns: readonly ColumnDefinition[],
  { records, isCsv }: ImportPlan,
  isUpdate: boolean,
): Operation[] {
  const fitRecord = createFit(columns, isCsv);
  const names = new Set(columns.map(({ name }) => name)).add("id");
  return records.map((record): Operation => {
    // CSV headers name object columns by dotted paths.
    const taken = Object.entries(record).filter(([key]) =>
      names.has(isCsv ? (key.split(".")[0] ?? key) : key),
    );
    const { id, ...flat } = fitRecord(Object.fromEntries(taken));
    const fields = isCsv ? nest(flat) : flat;
    if (isUpdate && id !== undefined) return { update: { table, id, fields, upsert: true } };
    const values = id === undefined ? fields : { id, ...fields };
    return { insert: { table, record: values, ...(id !== undefined && { createOnly: true }) } };
  });
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
