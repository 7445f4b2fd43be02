import type { ColumnDefinition, ColumnType, Json } from "../types.js";
import type { Instant } from "../value/datetime.js";
import { isUnbounded } from "./traits.js";

/** A value as it is stored: coerced to its column's type, null where there is none (T-14). */
export type StoredValue =
  | null
  | boolean
  | number
  | string
  | Instant
  | readonly string[]
  | readonly number[]
  | Json;

/** The types that hold a value of their own: all but `object`, which only groups. */
export type LeafType = Exclude<ColumnType, "object">;

/**
 * A column that holds values. `slot` is the place of its vector in every chunk, and its identity:
 * a rename keeps it, and it is never given again after the column is removed.
 */
export interface LeafColumn {
  readonly type: LeafType;
  readonly name: string;
  /** Names from the table's top down, joined by dots. */
  readonly path: string;
  readonly slot: number;
  /** Name of the target table, for `link`. */
  readonly target: string | undefined;
  /** Length of each value, for `vector`. */
  readonly dimension: number | undefined;
  readonly unique: boolean;
  readonly notNull: boolean;
  readonly defaultValue: DefaultValue | undefined;
  /** What was declared, for giving the schema back. */
  readonly definition: ColumnDefinition;
}

/** A column that groups others; it holds nothing itself (rules T-10, T-14). */
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

/** What fills a missing key (rule T-16): a value, or the time of the write. */
export type DefaultValue =
  | { readonly kind: "value"; readonly value: StoredValue }
  | { readonly kind: "now" };

/** The columns of a table, compiled. */
export interface Schema {
  readonly columns: readonly Column[];
  readonly columnsByName: ReadonlyMap<string, Column>;
  /** Every column that holds values, in the order of the schema. */
  readonly leaves: readonly LeafColumn[];
  /** One more than the highest slot ever given in this table. */
  readonly slotCount: number;
  readonly constraints: Constraints;
}

/** The columns of a schema that ask for something beyond their type (rule T-16). */
export interface Constraints {
  readonly notNulls: readonly Column[];
  readonly uniques: readonly LeafColumn[];
  readonly defaults: readonly LeafColumn[];
  readonly objectDefaults: readonly ObjectColumn[];
  /** Columns of which a value may be long (rule L-12). */
  readonly unbounded: readonly LeafColumn[];
}

/** Slots of the columns that every table has (rule R-1). */
export const ID_SLOT = 0;
export const VERSION_SLOT = 1;
export const CREATED_AT_SLOT = 2;
export const UPDATED_AT_SLOT = 3;
export const FIRST_COLUMN_SLOT = 4;

/** The leaves below a column, in the order of the schema; of a leaf, itself. */
export function leavesOf(column: Column): readonly LeafColumn[] {
  return column.type === "object" ? column.columns.flatMap(leavesOf) : [column];
}

/** Puts columns together to a schema. */
export function assembleSchema(columns: readonly Column[], slotCount: number): Schema {
  const leaves: LeafColumn[] = [];
  const notNulls: Column[] = [];
  const uniques: LeafColumn[] = [];
  const defaults: LeafColumn[] = [];
  const objectDefaults: ObjectColumn[] = [];
  const unbounded: LeafColumn[] = [];
  const enter = (column: Column): void => {
    if (column.notNull) notNulls.push(column);
    if (column.type === "object") {
      if (column.defaultValue !== undefined) objectDefaults.push(column);
      column.columns.forEach(enter);
      return;
    }
    leaves.push(column);
    if (column.unique) uniques.push(column);
    if (column.defaultValue !== undefined) defaults.push(column);
    if (isUnbounded(column.type)) unbounded.push(column);
  };
  columns.forEach(enter);
  const constraints = { notNulls, uniques, defaults, objectDefaults, unbounded };
  return { leaves, ...groupColumns(columns), slotCount, constraints };
}

/** Columns that belong together, in their order and by their names. */
export function groupColumns(
  columns: readonly Column[],
): Pick<ObjectColumn, "columns" | "columnsByName"> {
  return { columns, columnsByName: new Map(columns.map((column) => [column.name, column])) };
}

/** A leaf of a table that is not declared: without conditions, named by the end of its path. */
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

/** The same of an object column. */
export function plainObject(path: string, columns: readonly Column[]): ObjectColumn {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const definition = { name, type: "object" } as const;
  const unasked = { notNull: false, defaultValue: undefined };
  return { type: "object", name, path, ...groupColumns(columns), ...unasked, definition };
}

/** The same columns with other leaves in the places of theirs. */
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

/** Follows a dotted path through object columns; undefined where it leads nowhere. */
export function findColumn(schema: Schema, path: string): Column | undefined {
  let names: ReadonlyMap<string, Column> | undefined = schema.columnsByName;
  let column: Column | undefined;
  for (const name of path.split(".")) {
    column = names?.get(name);
    if (column === undefined) return undefined;
    names = column.type === "object" ? column.columnsByName : undefined;
  }
  return column;
}
