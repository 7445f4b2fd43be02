import { type BranchAddress, type TableAddress, tableAt, tableNames } from "../catalog/address.js";
import type { CatalogEvent } from "../catalog/events.js";
import { findTable } from "../catalog/find.js";
import { checkName } from "../catalog/names.js";
import {
  addMigration,
  checkNewTable,
  removeTable,
  renameTable,
  requireFreeTable,
} from "../catalog/tables.js";
import { pointer, refuse } from "../errors.js";
import type { CompiledSchema } from "../schema/columns.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import { refuseValue } from "../shape/fields.js";
import type { AlterContext, AlteredTable } from "../storage/alter.js";
import { findBreach } from "../storage/row-checks.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { isPlainObject } from "../value/json.js";
import type { EngineContext } from "./context.js";

/** Creates an empty table (rule M-1). */
export function createTableAt(
  context: EngineContext,
  address: TableAddress,
  columns: unknown = [],
): void {
  context.change((state) => {
    checkNewTable(state, address);
    return createTables(address, [[address.table, compile(context, columns)]], context);
  });
}

/** Creates empty tables, all or none (rule M-1), and returns their names. */
export function createTablesAt(
  context: EngineContext,
  address: BranchAddress,
  tables: unknown,
): string[] {
  context.readBranch(address);
  if (!isPlainObject(tables)) {
    refuseValue(tables, "columns by table", { rule: "E-3" });
  }
  let schemas: NewTable[] = [];
  context.change(() => {
    const entries = Object.entries(tables).filter(([, columns]) => columns !== undefined);
    const existing = context.readBranch(address).tables.keys();
    const taken = new Map(Array.from(existing, (name) => [name.toLowerCase(), name]));
    schemas = entries.map(([table, columns]): NewTable => {
      const at = pointer("", table);
      checkName("table", table, at);
      const folded = table.toLowerCase();
      requireFreeTable(taken.get(folded), address, { name: table, rule: "M-1", path: at });
      taken.set(folded, table);
      context.time.check();
      return [table, compile(context, columns, at)];
    });
    return createTables(address, schemas, context);
  });
  return schemas.map(([table]) => table);
}

function compile(context: EngineContext, columns: unknown, at?: string): CompiledSchema {
  const schema = compileSchema(columns, context.profile, at);
  requireFewColumns(context, schema, at);
  return schema;
}

/** Throws if a table has too many columns, unless it had as many before (rule L-13). */
function requireFewColumns(
  { limits: { tableColumns } }: EngineContext,
  { leaves }: CompiledSchema,
  path?: string,
  before = 0,
): void {
  if (leaves.length <= Math.max(tableColumns, before)) return;
  const message = `a table has at most ${tableColumns} columns (limits.tableColumns)`;
  refuse("invalid_schema", message, { path, rule: "L-13" });
}

type NewTable = readonly [name: string, schema: CompiledSchema];

/** Creates validated tables; fails only if the branch has too many (rule L-13). */
function createTables(
  address: BranchAddress,
  tables: readonly NewTable[],
  context: EngineContext,
): CatalogEvent[] {
  const { branchTables } = context.limits;
  const available = branchTables - context.readBranch(address).tables.size;
  if (tables.length > Math.max(0, available)) {
    const message = `a branch has at most ${branchTables} tables (limits.branchTables)`;
    refuse("invalid_schema", message, { rule: "L-13" });
  }
  const operations: SchemaEdit[] = [];
  const events = tables.map(([name, schema]): CatalogEvent => {
    const columns = describeSchema(schema);
    const at = tableAt(address, name);
    const identity = context.createTableIdentity(at, columns);
    operations.push({ addTable: { table: name } });
    for (const column of columns) operations.push({ addColumn: { table: name, column } });
    const version = createTableVersion(identity, schema);
    return { kind: "table_created", at: tableNames(at), key: context.createKey(), version };
  });
  return [...events, ...addMigration(context.state, address, context.now(), operations)];
}

/** Renames a table and the targets of links to it (rules M-3, T-17). */
export function renameTableAt(context: EngineContext, address: TableAddress, name: string): void {
  context.change((state) => renameTable(state, address, name, context));
}

export function deleteTableAt(context: EngineContext, address: TableAddress): void {
  context.change((state) => removeTable(state, address, context));
}

export function alterTableAt(
  context: EngineContext,
  address: TableAddress,
  alter: (table: TableVersion, context: AlterContext) => AlteredTable,
): void {
  context.change((state) => {
    const key = findTable(state, address);
    const before = context.tableAt(key);
    const altering = alterContext(context, address);
    const { version, operations } = alter(before, altering);
    requireFewColumns(context, version.schema, undefined, before.schema.leaves.length);
    const { links, remote, time } = context;
    links?.addAltered(address, key, { before, after: version, remote }, time.check);
    return [
      { kind: "table_altered", at: tableNames(address), key, before, version },
      ...addMigration(state, address, altering.now, operations),
    ];
  });
}

export function alterContext(context: EngineContext, address: TableAddress): AlterContext {
  const { profile, time, limits, remote } = context;
  return {
    table: address.table,
    profile,
    recordBytes: limits.recordBytes,
    now: context.now(),
    checkTime: time.check,
    findBreach: (version, check) =>
      remote ? remote.findBreach(address, check) : findBreach(version, check, time.check),
  };
}
