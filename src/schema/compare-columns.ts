import type { ColumnDefinition, Json } from "../types.js";
import { canonicalJson } from "../value/json.js";

/** An edit of a schema (rules X-4, K-1, K-5). */
export type SchemaEdit =
  | { readonly addTable: { readonly table: string } }
  | { readonly removeTable: { readonly table: string } }
  | { readonly renameTable: { readonly oldName: string; readonly newName: string } }
  | { readonly addColumn: { readonly table: string; readonly column: ColumnDefinition } }
  | { readonly alterColumn: { readonly table: string; readonly column: ColumnDefinition } }
  | { readonly removeColumn: { readonly table: string; readonly column: string } }
  | {
      readonly renameColumn: {
        readonly table: string;
        readonly oldName: string;
        readonly newName: string;
      };
    };

/**
 * Returns the edits between two sets of columns; ignores order, does not detect renames. A column of
 * the same type is altered, so its values stay (rule K-5).
 */
export function compareColumns(
  table: string,
  source: readonly ColumnDefinition[],
  target: readonly ColumnDefinition[],
  parent = "",
): SchemaEdit[] {
  const remove = ({ name }: ColumnDefinition): SchemaEdit => ({
    removeColumn: { table, column: parent + name },
  });
  const named = (column: ColumnDefinition): { table: string; column: ColumnDefinition } => ({
    table,
    column: { ...column, name: parent + column.name },
  });
  const add = (column: ColumnDefinition): SchemaEdit => ({ addColumn: named(column) });
  const sourceByName = new Map(source.map((column) => [column.name, column]));
  const names = new Set(target.map(({ name }) => name));
  const removed = source.filter(({ name }) => !names.has(name));
  return [
    ...removed.map(remove),
    ...target.flatMap((column) => {
      const sourceColumn = sourceByName.get(column.name);
      if (sourceColumn === undefined) return [add(column)];
      if (sourceColumn.type !== column.type) return [remove(sourceColumn), add(column)];
      const path = `${parent}${column.name}.`;
      const inside = compareColumns(table, sourceColumn.columns ?? [], column.columns ?? [], path);
      if (isSame(withoutColumns(sourceColumn), withoutColumns(column))) return inside;
      return [...inside, { alterColumn: named(column) }];
    }),
  ];
}

function withoutColumns({ columns: _, ...rest }: ColumnDefinition): object {
  return rest;
}

function isSame(a: object, b: object): boolean {
  return canonicalJson(a as Json) === canonicalJson(b as Json); // definitions are JSON
}
