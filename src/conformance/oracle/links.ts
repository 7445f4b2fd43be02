import type { ColumnDefinition } from "../../types.js";
import {
  findRecord,
  findTable,
  isObject,
  type JsonObject,
  type OracleDatabase,
  type OracleRecord,
} from "./model.js";
import { linkId, subColumns, valueAt } from "./values.js";

interface LinkPath {
  readonly path: string;
  readonly target: string;
}

function linksOf(columns: readonly ColumnDefinition[]): LinkPath[] {
  return columns.flatMap((column): LinkPath[] => {
    const { name, type, link } = column;
    if (type === "link") return [{ path: name, target: link?.table ?? "" }];
    if (type !== "object") return [];
    return linksOf(subColumns(column)).map(({ path, target }) => ({
      path: `${name}.${path}`,
      target,
    }));
  });
}

/** T-18: sets links to a deleted record to null, one write of each record that links to it. */
export function unlink(
  db: OracleDatabase,
  target: string,
  id: string,
  time: string,
): OracleDatabase {
  if (db.profile.links === "free") return db;
  const tables = db.tables.map((table) => {
    const links = linksOf(table.columns).filter((link) => link.target === target);
    const records = table.records.map((record): OracleRecord => {
      const found = links.filter(({ path }) => valueAt(record.columns, path) === id);
      if (found.length === 0) return record;
      const columns = found.reduce(
        (held, { path }) => withNull(held, path.split(".")),
        record.columns,
      );
      const version = record.metadata.version + 1;
      return { ...record, columns, metadata: { ...record.metadata, version, updatedAt: time } };
    });
    return { ...table, records };
  });
  return { ...db, tables };
}

function withNull(columns: JsonObject, [name = "", ...path]: readonly string[]): JsonObject {
  const inner = columns[name];
  const value = path.length > 0 && isObject(inner) ? withNull(inner, path) : null;
  return { ...columns, [name]: value };
}

/** A record as a call writes it, with nested keys. */
export interface WrittenRecord {
  readonly table: string;
  readonly id: string;
  readonly given: JsonObject;
}

/** T-18: whether the links that a call writes name records at its end. */
export function linksHold(db: OracleDatabase, written: readonly WrittenRecord[]): boolean {
  if (db.profile.links === "free") return true;
  return written.every(({ table, id, given }) => {
    const columns = findTable(db, table)?.columns ?? [];
    const record = findRecord(db, table, id);
    return linksOf(columns).every(({ path, target }) => {
      if (record === undefined || findTable(db, target) === undefined) return true;
      const held = valueAt(record.columns, path);
      // A later write of the call may have replaced the link.
      if (held === null || linkId(valueAt(given, path)) !== held) return true;
      return findRecord(db, target, String(held)) !== undefined;
    });
  });
}
