import type { ColumnDefinition, ColumnType, Json } from "../types.js";
import type { Instant } from "../value/datetime.js";
import { isUnbounded, shortBytesOf } from "./traits.js";

/** A coerced value; null if absent (T-14). */
export type StoredValue =
  | null
  | boolean
  | number
  | string
  | Instant
  | readonly string[]
  | readonly number[]
  | Json;

/** All types except `object`, which only groups columns. */
export type LeafType = Exclude<ColumnType, "object">;

/** A column with values. Its `slot`, an index of vectors, survives renames and is never reused. */
export interface LeafColumn {
  readonly type: LeafType;
  readonly name: string;
  /** Dotted, from the top. */
  readonly path: string;
  readonly slot: number;
  /** The target table of a `link`. */
  readonly target: string | undefined;
  /** The length of a `vector`. */
  readonly dimension: number | undefined;
  readonly unique: boolean;
  readonly notNull: boolean;
  readonly defaultValue: DefaultValue | undefined;
  /** The column as declared. */
  readonly definition: ColumnDefinition;
}

/** A group of columns, without a value of its own (rules T-10, T-14). */
export interface ObjectColumn {
  readonly type: "object";
  readonly name: string;
  readonly path: string;
  readonly columns: readonly Column[];
  readonly columnsByName: ReadonlyMap<string, Column>;
  readonly notNull: boolean;
  readonly defaultValue: { readonly kind: "record"; readonly value: Json } | undefined;
  readonly definition: ColumnDefinition;
}

export type Column = LeafColumn | ObjectColumn;

/** The value for a missing key (rule T-16). */
export type DefaultValue =
  | { readonly kind: "value"; readonly value: StoredValue }
  | { readonly kind: "now" };

export interface CompiledSchema {
  readonly columns: readonly Column[];
  readonly columnsByName: ReadonlyMap<string, Column>;
  /** Leaf columns in schema order. */
  readonly leaves: readonly LeafColumn[];
  /** One more than the highest slot ever assigned. */
  readonly slotCount: number;
  readonly constraints: Constraints;
}

export type LinkColumn = LeafColumn & { readonly target: string };

function isLink(column: LeafColumn): column is LinkColumn {
  return column.target !== undefined;
}

/** Columns with constraints (rule T-16). */
export interface Constraints {
  readonly notNulls: readonly Column[];
  readonly uniques: readonly LeafColumn[];
  readonly defaults: readonly LeafColumn[];
  readonly objectDefaults: readonly ObjectColumn[];
  /** Columns whose values may be long (rule L-12). */
  readonly unbounded: readonly LeafColumn[];
  /** Maximum JSON bytes of a record without long values. */
  readonly shortBytes: number;
  /** Links, which a profile may check (rule T-18). */
  readonly links: readonly LinkColumn[];
}

/** System columns of every table (rule R-1). */
export const ID_SLOT = 0;
export const VERSION_SLOT = 1;
export const CREATED_AT_SLOT = 2;
export const UPDATED_AT_SLOT = 3;
export const FIRST_COLUMN_SLOT = 4;

export function leavesOf(column: Column): readonly LeafColumn[] {
  return column.type === "object" ? column.columns.flatMap(leavesOf) : [column];
}

export function assembleSchema(columns: readonly Column[], slotCount: number): CompiledSchema {
  const leaves: LeafColumn[] = [];
  const notNulls: Column[] = [];
  const uniques: LeafColumn[] = [];
  const defaults: LeafColumn[] = [];
  const objectDefaults: ObjectColumn[] = [];
  const unbounded: LeafColumn[] = [];
  let shortBytes = 0;
  const links: LinkColumn[] = [];
  const enter = (column: Column): void => {
    if (column.notNull) notNulls.push(column);
    if (column.type === "object") {
      if (column.defaultValue !== undefined) objectDefaults.push(column);
      column.columns.forEach(enter);
      return;
    }
    leaves.push(column);
    shortBytes += column.name.length + shortBytesOf(column.type);
    if (column.unique) uniques.push(column);
    if (column.defaultValue !== undefined) defaults.push(column);
    if (isUnbounded(column.type)) unbounded.push(column);
    if (isLink(column)) links.push(column);
  };
  columns.forEach(enter);
  const constraints = { notNulls, uniques, defaults, objectDefaults, unbounded, shortBytes, links };
  return { leaves, ...groupColumns(columns), slotCount, constraints };
}

export function groupColumns(
  columns: readonly Column[],
): Pick<ObjectColumn, "columns" | "columnsByName"> {
  return { columns, columnsByName: new Map(columns.map((column) => [column.name, column])) };
}

/** A leaf without options; its name ends its path. */
export function plainLeaf(
  type: LeafType,
  path: string,
  slot: number,
  target: string | undefined = undefined,
): LeafColumn {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const definition = { name, type };
  const unasked = { dimension: undefined, unique: false, notNull: false, defaultValue: undefined };
  return { type, name, path, slot, target, ...unasked, definition };
}

export function plainObject(path: string, columns: readonly Column[]): ObjectColumn {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const definition = { name, type: "object" } as const;
  const unasked = { notNull: false, defaultValue: undefined };
  return { type: "object", name, path, ...groupColumns(columns), ...unasked, definition };
}

export function mapLeaves(
  columns: readonly Column[],
  change: (leaf: LeafColumn) => LeafColumn,
): Column[] {
  return columns.map((column) =>
    column.type === "object"
      ? { ...column, ...groupColumns(mapLeaves(column.columns, change)) }
      : change(column),
  );
}

/** Returns the column at a dotted path through objects. */
export function findColumn(schema: CompiledSchema, path: string): Column | undefined {
  let names: ReadonlyMap<string, Column> | undefined = schema.columnsByName;
  let column: Column | undefined;
  for (const name of path.split(".")) {
    column = names?.get(name);
    if (column === undefined) return undefined;
    names = column.type === "object" ? column.columnsByName : undefined;
  }
  return column;
}
