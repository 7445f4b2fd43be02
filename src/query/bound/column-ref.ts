import {
  type Column,
  ID_SLOT,
  type LeafColumn,
  type LeafType,
  type Schema,
  UPDATED_AT_SLOT,
} from "../../schema/columns.js";

export interface TableShape {
  /** Unchanged by rename, branch, snapshot and export (rule G-13). */
  readonly identity: string;
  readonly schema: Schema;
}

export interface TableName {
  readonly name: string;
  readonly identity: string;
}

export interface Hop {
  readonly name: string;
  readonly slot: number;
  readonly target: TableName;
}

/** A leaf column, reached through links. */
export interface ColumnRef {
  readonly hops: readonly Hop[];
  readonly slot: number;
  /** `id` is like `string`; `item` is a member of a list. */
  readonly type: LeafType | "id" | "item";
  readonly path: string;
  readonly dimension: number | undefined;
  /** Keys inside a `json` value (F-17), or a file's member (F-18). */
  readonly keys: readonly string[] | undefined;
}

export interface ObjectRef {
  readonly type: "object";
  readonly path: string;
  readonly columns: readonly Column[];
  readonly hops: readonly Hop[];
}

export type Ref = ColumnRef | ObjectRef;

export function refTo(column: LeafColumn, hops: readonly Hop[], path: string): ColumnRef {
  const { slot, type, dimension } = column;
  return { hops, slot, type, path, dimension, keys: undefined };
}

export function plainRef(
  type: ColumnRef["type"],
  path: string,
  slot: number,
  hops: readonly Hop[] = [],
  keys: readonly string[] | undefined = undefined,
): ColumnRef {
  return { hops, slot, type, path, dimension: undefined, keys };
}

export function refBelow({ hops, path }: ObjectRef, column: Column): Ref {
  const below = `${path}.${column.name}`;
  if (column.type !== "object") return refTo(column, hops, below);
  return { type: "object", path: below, columns: column.columns, hops };
}

/** Whether a column is an id or part of the metadata, here or behind links. */
export function isInternal({ type, slot }: ColumnRef): boolean {
  return type === "id" || slot <= UPDATED_AT_SLOT;
}

/** Whether a path is that of a link, or leads through one. */
export function isOfLink({ hops, type, slot }: ColumnRef): boolean {
  return hops.length > 0 || type === "link" || (type === "id" && slot !== ID_SLOT);
}

/** A path into `json` supports all operators (rule F-18). */
export function isJsonPath(ref: Ref): boolean {
  return ref.type === "json" && ref.keys !== undefined;
}
