import { type BranchAddress, type TableAddress, tableAt } from "../catalog/address.js";
import type { TableCell } from "../catalog/state.js";
import {
  addMigration,
  checkNewTable,
  removeTable,
  renameTable,
  setTableCells,
} from "../catalog/tables.js";
import { pointer } from "../errors.js";
import type { Schema } from "../schema/columns.js";
import { compareColumns, type SchemaEdit } from "../schema/compare-columns.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import type { AlterContext } from "../storage/alter.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { refuseValue } from "../value/fields.js";
import { isPlainObject } from "../value/json.js";
import type { EngineContext } from "./context.js";

/** Makes an empty table of the columns given (rule M-1); throws `invalid_schema`. */
export function createTableAt(
  context: EngineContext,
  address: TableAddress,
  columns: unknown = [],
): void {
  context.write(() => {
    checkNewTable(context.state, address);
    addTables(context, address, [[address.table, compileSchema(columns, context.profile)]]);
  });
}

/**
 * Makes empty tables of the columns given by name, all or none (rule M-1), and tells their names.
 *
 * @throws TwinbaseError `invalid_request`, `invalid_name`, `table_exists`, `invalid_schema`
 */
export function createTablesAt(
  context: EngineContext,
  address: BranchAddress,
  tables: unknown,
): string[] {
  context.readBranch(address);
  if (!isPlainObject(tables)) {
    refuseValue(tables, "columns by table", { rule: "E-3" });
  }
  return context.write(() => {
    const given = Object.entries(tables).filter(([, columns]) => columns !== undefined);
    const schemas = given.map(([table, columns]): NewTable => {
      const at = pointer("", table);
      checkNewTable(context.state, tableAt(address, table), at);
      return [table, compileSchema(columns, context.profile, at)];
    });
    addTables(context, address, schemas);
    return schemas.map(([table]) => table);
  });
}

type NewTable = readonly [name: string, schema: Schema];

/** Adds tables that were found to be good: from here on nothing is refused. */
function addTables(
  context: EngineContext,
  address: BranchAddress,
  tables: readonly NewTable[],
): void {
  if (tables.length === 0) return;
  const operations: SchemaEdit[] = [];
  const cells = new Map<string, TableCell>();
  for (const [name, schema] of tables) {
    const columns = describeSchema(schema);
    const identity = context.createTableIdentity(tableAt(address, name), columns);
    cells.set(name, context.createCell(createTableVersion(identity, schema)));
    operations.push({ addTable: { table: name } });
    for (const column of columns) operations.push({ addColumn: { table: name, column } });
  }
  const migration = { createdAt: context.now(), operations };
  context.setState(setTableCells(context.state, address, cells, migration));
}

/** Gives a table another name; links to it follow (rules M-3, T-17). */
export function renameTableAt(context: EngineContext, address: TableAddress, name: string): void {
  const { table: oldName } = address;
  context.changeState((state) => {
    const renamed = renameTable(state, address, name, (value) => context.createCell(value));
    const operation = { renameTable: { oldName, newName: name } };
    return addMigration(renamed, address, context.now(), [operation]);
  });
}

/** Removes a table (rule M-2). */
export function deleteTableAt(context: EngineContext, address: TableAddress): void {
  const { table } = address;
  context.changeState((state) =>
    addMigration(removeTable(state, address), address, context.now(), [{ removeTable: { table } }]),
  );
}

/**
 * Gives a table other columns.
 *
 * @param operation what was done, where comparing the columns does not tell
 */
export function alterTableAt(
  context: EngineContext,
  address: TableAddress,
  change: (table: TableVersion, alter: AlterContext) => TableVersion,
  operation?: SchemaEdit,
): void {
  const { table: name } = address;
  context.write(() => {
    const now = context.now();
    const before = context.readTable(address);
    const { profile, time } = context;
    const after = change(before, { table: name, profile, now, checkTime: time.check });
    const operations =
      operation === undefined
        ? compareColumns(name, describeSchema(before.schema), describeSchema(after.schema))
        : [operation];
    context.writeTable(address, after);
    context.setState(addMigration(context.state, address, now, operations));
  });
}
