import { Table } from "../engine/table.js";
import { describe, refuse } from "../errors.js";
import { findColumn, type LeafColumn } from "../schema/columns.js";
import { asList } from "../schema/read-files.js";
import { isFileType, type StoredFile, type StoredFiles } from "../schema/stored-files.js";
import { refuseValue, requireObject } from "../shape/fields.js";
import type { AnyTable } from "../typed/table.js";

export interface FilePlace {
  readonly record: string;
  /** Path of a column of type `file` or `file[]`. */
  readonly column: string;
  /** The id of a file in a `file[]`. */
  readonly file?: string | undefined;
}

export interface FoundFiles {
  readonly column: LeafColumn;
  readonly files: readonly StoredFile[];
}

export function findFiles(table: AnyTable, place: FilePlace): FoundFiles {
  requireObject(place, { what: "place", rule: "H-3" });
  const { record, column: path } = place;
  if (typeof path !== "string") {
    refuseValue(path, "the path of a column", { what: "place", path: "/column", rule: "H-3" });
  }
  const column = findFileColumn(table, path);
  // Reads through the handle, so that PostgreSQL can load the row first.
  if (table.get(record, { columns: [] }) === null) {
    refuse("record_not_found", `table [${table.name}]: record ${describe(record)} not found`, {
      rule: "H-3",
    });
  }
  const { context, address } = Table.locate(table);
  const version = context.readTable(address);
  const stored = version.get(version.find(record), column.slot) as unknown as StoredFiles; // by the column's type
  return { column, files: asList(stored) };
}

function findFileColumn(table: AnyTable, path: string): LeafColumn {
  const { context, address } = Table.locate(table);
  const { schema } = context.readTable(address);
  const column = findColumn(schema, path);
  if (column === undefined) {
    refuse("column_not_found", `table [${table.name}]: column ${describe(path)} not found`, {
      rule: "H-3",
    });
  }
  if (!isFileType(column.type)) {
    refuse(
      "invalid_request",
      `table [${table.name}]: column [${path}]: expected file or file[], found ${column.type}`,
      { rule: "H-3" },
    );
  }
  return column as LeafColumn; // not an object column
}

export function requireFile(
  table: AnyTable,
  place: FilePlace,
  { column, files }: FoundFiles,
): StoredFile {
  const isList = column.type === "file[]";
  const isNamed = place.file !== undefined;
  const file = isList === isNamed ? files.find(({ id }) => id === place.file) : undefined;
  return file ?? refuseMissing(table, place);
}

export function refuseMissing(table: AnyTable, { record, column, file }: FilePlace): never {
  const what = file === undefined ? "no file" : `no file ${describe(file)}`;
  return refuse(
    "file_not_found",
    `table [${table.name}]: record ${describe(record)}: column [${column}] has ${what} there`,
    { rule: "H-3" },
  );
}
