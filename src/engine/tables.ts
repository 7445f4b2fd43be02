import { type BranchAddress, type TableAddress, tableAt } from "../catalog/address.js";
import type { CatalogDraft } from "../catalog/draft.js";
import { findTable } from "../catalog/find.js";
import type { TableKey } from "../catalog/state.js";
import {
  addMigration,
  addTables,
  checkNewTable,
  removeTable,
  renameTable,
} from "../catalog/tables.js";
import { pointer, refuse } from "../errors.js";
import type { Schema } from "../schema/columns.js";
import { compareColumns, type SchemaEdit } from "../schema/compare-columns.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import type { AlterContext } from "../storage/alter.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { refuseValue } from "../value/fields.js";
import { isPlainObject } from "../value/json.js";
import type { EngineContext } from "./context.js";

/** Creates an empty table (rule M-1). */
export function createTableAt(
  context: EngineContext,
  address: TableAddress,
  columns: unknown = [],
): void {
  context.changeCatalog((draft) => {
    checkNewTable(context.state, address);
    const schema = compileSchema(columns, context.profile);
    requireFewColumns(context, schema);
    createTables(draft, address, [[address.table, schema]], context);
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
  return context.changeCatalog((draft) => {
    const given = Object.entries(tables).filter(([, columns]) => columns !== undefined);
    const schemas = given.map(([table, columns]): NewTable => {
      const at = pointer("", table);
      checkNewTable(context.state, tableAt(address, table), at);
      context.time.check();
      const schema = compileSchema(columns, context.profile, at);
      requireFewColumns(context, schema, at);
      return [table, schema];
    });
    createTables(draft, address, schemas, context);
    return schemas.map(([table]) => table);
  });
}

/** Throws if a table has too many columns, unless it had as many before (rule L-13). */
function requireFewColumns(
  { limits: { tableColumns } }: EngineContext,
  { leaves }: Schema,
  path?: string,
  before = 0,
): void {
  if (leaves.length <= Math.max(tableColumns, before)) return;
  const message = `a table has at most ${tableColumns} columns (limits.tableColumns)`;
  refuse("invalid_schema", message, { path, rule: "L-13" });
}

type NewTable = readonly [name: string, schema: Schema];

/** Creates validated tables; fails only if the branch has too many (rule L-13). */
function createTables(
  draft: CatalogDraft,
  address: BranchAddress,
  tables: readonly NewTable[],
  context: EngineContext,
): void {
  if (tables.length === 0) return;
  const { branchTables } = context.limits;
  if (context.readBranch(address).tables.size + tables.length > branchTables) {
    const message = `a branch has at most ${branchTables} tables (limits.branchTables)`;
    refuse("invalid_schema", message, { rule: "L-13" });
  }
  const operations: SchemaEdit[] = [];
  const keys = new Map<string, TableKey>();
  for (const [name, schema] of tables) {
    const columns = describeSchema(schema);
    const identity = context.createTableIdentity(tableAt(address, name), columns);
    keys.set(name, context.addTable(createTableVersion(identity, schema)));
    operations.push({ addTable: { table: name } });
    for (const column of columns) operations.push({ addColumn: { table: name, column } });
  }
  addTables(draft, address, keys, { createdAt: context.now(), operations });
}

/** Renames a table and the targets of links to it (rules M-3, T-17). */
export function renameTableAt(context: EngineContext, address: TableAddress, name: string): void {
  const { table: oldName } = address;
  context.changeCatalog((draft) => {
    renameTable(draft, address, name, context);
    const operation = { renameTable: { oldName, newName: name } };
    addMigration(draft, address, context.now(), [operation]);
  });
}

export function deleteTableAt(context: EngineContext, address: TableAddress): void {
  const { table } = address;
  context.changeCatalog((draft) => {
    removeTable(draft, address, context);
    addMigration(draft, address, context.now(), [{ removeTable: { table } }]);
  });
}

/** @param describe returns the operation; by default, columns are compared */
export function alterTableAt(
  context: EngineContext,
  address: TableAddress,
  change: (table: TableVersion, alter: AlterContext) => TableVersion,
  describe?: (before: Schema, after: Schema) => SchemaEdit,
): void {
  const { table: name } = address;
  context.changeCatalog((draft) => {
    const now = context.now();
    const key = findTable(context.state, address);
    const before = context.tableAt(key);
    const { profile, time, limits } = context;
    const { recordBytes } = limits;
    const after = change(before, {
      ...{ table: name, profile, recordBytes, now },
      checkTime: time.check,
    });
    requireFewColumns(context, after.schema, undefined, before.schema.leaves.length);
    const operations =
      describe === undefined
        ? compareColumns(name, describeSchema(before.schema), describeSchema(after.schema))
        : [describe(before.schema, after.schema)];
    context.alterTable(address, key, after);
    addMigration(draft, address, now, operations);
  });
}
