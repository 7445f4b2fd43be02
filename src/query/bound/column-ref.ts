import type { Column, LeafColumn, LeafType, Schema } from "../../schema/columns.js";

/** A table without its rows. */
export interface TableShape {
  /** Kept by rename, branch, snapshot and export (rule G-13). */
  readonly identity: string;
  readonly schema: Schema;
}

/** Another table that a bound query reads, by its name in the branch. */
export interface TableName {
  readonly name: string;
  readonly identity: string;
}

/** One link that a path follows. */
export interface Hop {
  /** The column's name. */
  readonly name: string;
  readonly slot: number;
  readonly target: TableName;
}

/** A column that holds values, reached from a query's table by links. */
export interface ColumnRef {
  readonly hops: readonly Hop[];
  readonly slot: number;
  /** The column's type; `id` is like `string`, `item` is that of one member of a list. */
  readonly type: LeafType | "id" | "item";
  /** The path of the column, as in requests. */
  readonly path: string;
  readonly dimension: number | undefined;
  /** Keys to follow inside a `json` value (rule F-17), or the member of a file (rule F-18). */
  readonly keys: readonly string[] | undefined;
}

/** An object column, or the metadata, seen from a query's table. */
export interface ObjectRef {
  readonly type: "object";
  readonly path: string;
  readonly columns: readonly Column[];
  readonly hops: readonly Hop[];
}

export type Ref = ColumnRef | ObjectRef;

/** A reference to a column of a table reached by those hops. */
export function refTo(column: LeafColumn, hops: readonly Hop[], path: string): ColumnRef {
  const { slot, type, dimension } = column;
  return { hops, slot, type, path, dimension, keys: undefined };
}

/** A reference to a value that is no column of the schema: an id, or an item of a list. */
export function plainRef(
  type: ColumnRef["type"],
  path: string,
  slot: number,
  hops: readonly Hop[] = [],
  keys: readonly string[] | undefined = undefined,
): ColumnRef {
  return { hops, slot, type, path, dimension: undefined, keys };
}

/** A column of an object column. */
export function refBelow({ hops, path }: ObjectRef, column: Column): Ref {
  const below = `${path}.${column.name}`;
  if (column.type !== "object") return refTo(column, hops, below);
  return { type: "object", path: below, columns: column.columns, hops };
}

/** Whether a column is a path into `json`, which has all operators (rule F-18). */
export function isJsonPath(ref: Ref): boolean {
  return ref.type === "json" && ref.keys !== undefined;
}
