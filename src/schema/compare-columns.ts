import type { ColumnDefinition, Json } from "../types.js";
import { canonicalJson } from "../value/json.js";
import type { Column } from "./columns.js";

/** An edit of a schema (rules X-4, K-1). */
export type SchemaEdit =
  | { readonly addTable: { readonly table: string } }
  | { readonly removeTable: { readonly table: string } }
  | { readonly renameTable: { readonly oldName: string; readonly newName: string } }
  | { readonly addColumn: { readonly table: string; readonly column: ColumnDefinition } }
  | { readonly removeColumn: { readonly table: string; readonly column: string } }
  | {
      readonly renameColumn: {
        readonly table: string;
        readonly oldName: string;
        readonly newName: string;
      };
    };

/** Returns the edits between two sets of columns; ignores order, does not detect renames. */
export function compareColumns(
  table: string,
  source: readonly ColumnDefinition[],
  target: readonly ColumnDefinition[],
  parent = "",
): SchemaEdit[] {
  const remove = ({ name }: ColumnDefinition): SchemaEdit => ({
    removeColumn: { table, column: parent + name },
  });
  const add = (column: ColumnDefinition): SchemaEdit => ({
    addColumn: { table, column: { ...column, name: parent + column.name } },
  });
  const sourceByName = new Map(source.map((column) => [column.name, column]));
  const names = new Set(target.map(({ name }) => name));
  const removed = source.filter(({ name }) => !names.has(name));
  return [
    ...removed.map(remove),
    ...target.flatMap((column) => {
      const known = sourceByName.get(column.name);
      if (known === undefined) return [add(column)];
      if (isSame(withoutColumns(known), withoutColumns(column))) {
        const path = `${parent}${column.name}.`;
        return compareColumns(table, known.columns ?? [], column.columns ?? [], path);
      }
      return [remove(known), add(column)];
    }),
  ];
}

/** Returns the one column that was added. */
export function findAdded(before: readonly Column[], after: readonly Column[]): Column {
  const changed = after.find((column, index) => column !== before[index])!; // one was added
  const known = before.find(({ name }) => name === changed.name);
  return known?.type === "object" && changed.type === "object"
    ? findAdded(known.columns, changed.columns)
    : changed;
}

function withoutColumns({ columns: _, ...rest }: ColumnDefinition): object {
  return rest;
}

function isSame(a: object, b: object): boolean {
  return canonicalJson(a as Json) === canonicalJson(b as Json); // definitions are JSON
}
