import { type BranchAddress, type TableAddress, tableAt } from "../catalog/address.js";
import { checkNewTable, removeTable, renameTable, setTableCells } from "../catalog/tables.js";
import { pointer } from "../errors.js";
import { isObject } from "../schema/coerce.js";
import type { Schema } from "../schema/columns.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import { createTableVersion } from "../storage/table.js";
import { refuseValue } from "../value/fields.js";
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
  if (!isObject(tables)) {
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
  const cells = tables.map(([name, schema]) => {
    const identity = context.createTableIdentity(tableAt(address, name), describeSchema(schema));
    const table = createTableVersion(identity, schema);
    return [name, context.createCell(table)] as const;
  });
  context.setState(setTableCells(context.state, address, new Map(cells)));
}

/** Gives a table another name; links to it follow (rules M-3, T-17). */
export function renameTableAt(context: EngineContext, address: TableAddress, name: string): void {
  context.changeState((state) =>
    renameTable(state, address, name, (value) => context.createCell(value)),
  );
}

/** Removes a table (rule M-2). */
export function deleteTableAt(context: EngineContext, address: TableAddress): void {
  context.changeState((state) => removeTable(state, address));
}
