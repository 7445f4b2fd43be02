import {
  type Column,
  type CompiledSchema,
  ID_SLOT,
  type LeafColumn,
  type LeafType,
  type ObjectColumn,
  type StoredValue,
  UPDATED_AT_SLOT,
} from "../../schema/columns.js";
import type { OPERATORS, OperatorName } from "../../schema/operators.js";
import type { FileMember } from "../../schema/stored-files.js";

export interface BoundTable {
  /** Unchanged by rename, branch, snapshot and export (rule G-13). */
  readonly identity: string;
  readonly schema: CompiledSchema;
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

/** The condition that a link is one of some ids. */
export function linksTo(link: LeafColumn, ids: readonly string[]): Leaf {
  const test = { kind: "among", values: ids } as const;
  const column = refTo(link, [], link.path);
  return { kind: "leaf", column, test, negated: false, nullMatches: false };
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

/** A normalized filter: true or false for every record. */
export type Predicate = Constant | NullTest | Combination | Leaf;

export interface Constant {
  readonly kind: "constant";
  readonly value: boolean;
}

export interface NullTest {
  readonly kind: "null";
  readonly column: ColumnRef;
  readonly isNull: boolean;
}

/** `all` of nothing is true, `any` of nothing is false (rule F-2). */
export interface Combination {
  readonly kind: "all" | "any";
  readonly parts: readonly Predicate[];
}

export interface Leaf {
  readonly kind: "leaf";
  readonly column: ColumnRef;
  readonly test: Test;
  /** Matches values for which the test fails. */
  readonly negated: boolean;
  readonly nullMatches: boolean;
}

/** A test of a value other than null; `Node` is the condition on a list's item. */
export type Test<Node = Predicate> =
  | { readonly kind: "equals"; readonly value: StoredValue }
  | { readonly kind: "among"; readonly values: readonly StoredValue[] }
  | RangeTest
  | { readonly kind: "text"; readonly operator: TextOperator; readonly operand: string }
  | { readonly kind: "items"; readonly quantifier: "some" | "every"; readonly item: Node };

export interface RangeTest {
  readonly kind: "range";
  readonly low: Bound | undefined;
  readonly high: Bound | undefined;
}

export interface Bound {
  readonly value: StoredValue;
  readonly inclusive: boolean;
}

/** Operators with a text operand, without `$`. */
export type TextOperator = {
  [Name in OperatorName]: (typeof OPERATORS)[Name] extends { operand: "text" | "pattern" }
    ? WithoutSign<Name>
    : never;
}[OperatorName];

type WithoutSign<Name> = Name extends `$${infer Rest}` ? Rest : never;

export const TRUE: Constant = { kind: "constant", value: true };
export const FALSE: Constant = { kind: "constant", value: false };

/** Folds constants and flattens nested combinations. */
export function combine(kind: "all" | "any", parts: readonly Predicate[]): Predicate {
  const neutral = kind === "all";
  const rest: Predicate[] = [];
  for (const part of parts) {
    if (part.kind === kind) for (const inner of part.parts) rest.push(inner);
    else if (part.kind !== "constant") rest.push(part);
    else if (part.value !== neutral) return part; // absorbing constant
  }
  if (rest.length === 0) return neutral ? TRUE : FALSE;
  return rest.length === 1 ? rest[0]! : { kind, parts: rest };
}

export interface Order {
  readonly keys: readonly SortKey[];
  /** Seed of the random order that breaks ties (rule S-4). */
  readonly seed: number | undefined;
}

export interface SortKey {
  readonly column: ColumnRef;
  readonly descending: boolean;
  /** Summaries: null is last in both directions (rule S-3). */
  readonly nullsLast?: boolean;
}

export const BY_ID: Order = { keys: [], seed: undefined };

/** Key values of a record, the id last. */
export type Keys = readonly (number | string | null)[];

/** A record's position (side 0), or the gap before (−1) or after it; without keys the start. */
export interface Point {
  readonly keys: Keys | undefined;
  readonly side: -1 | 0 | 1;
}

export const BEGINNING: Point = { keys: undefined, side: -1 };

export interface Range {
  readonly after: Point | undefined;
  readonly before: Point | undefined;
}

export const WHOLE_RANGE: Range = { after: undefined, before: undefined };

export interface Selection {
  readonly columns: Map<string, ColumnChoice>;
  readonly reverse: readonly ReverseChoice[];
  /** Whether all columns are selected, as without `columns`. */
  readonly isWhole: boolean;
}

/** Selects only the id and the metadata. */
export const NOTHING: Selection = { columns: new Map(), reverse: [], isWhole: false };

export type ColumnChoice =
  | { readonly kind: "value"; readonly column: LeafColumn }
  | {
      readonly kind: "files";
      readonly column: LeafColumn;
      readonly members: Set<FileMember>;
    }
  | {
      readonly kind: "object";
      readonly column: ObjectColumn;
      readonly columns: Map<string, ColumnChoice>;
    }
  | {
      readonly kind: "link";
      readonly column: LeafColumn;
      linked: { readonly table: TableName; readonly selection: Selection } | undefined;
    };

export interface ReverseChoice {
  readonly name: string;
  readonly table: TableName;
  readonly link: LeafColumn;
  readonly selection: Selection;
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
}

export interface RowQuery {
  readonly predicate: Predicate;
  readonly order: Order;
  readonly range: Range;
  readonly backward: boolean;
  readonly limit: number;
}

/** The rows of a page. */
export interface PageQuery extends RowQuery {
  readonly selection: Selection;
  /** Rows to skip, in the direction of paging; they count in `limit`. */
  readonly offset: number;
}

/** A bound query: the request is fully validated. */
export interface BoundQuery {
  readonly table: BoundTable;
  readonly selection: Selection;
  readonly predicate: Predicate;
  readonly order: Order;
  readonly page: Page;
  readonly size: number;
  readonly offset: number;
  readonly cursorQuery: CursorQuery;
}

/** The position of a page (rules G-5 … G-10); only `before` travels backward (G-2). */
export type Page =
  | { readonly kind: "first" }
  | { readonly kind: "after"; readonly point: Point }
  /** Without a point the last page. */
  | { readonly kind: "before"; readonly point: Point | undefined }
  /** Without `before` up to the end. */
  | { readonly kind: "between"; readonly after: Point; readonly before: Point | undefined }
  /** After the last record. */
  | { readonly kind: "tail" };

/** The query in a cursor (rule G-4). */
export interface CursorQuery {
  /** The table's identity, not its name. */
  readonly table: string;
  readonly filter: unknown;
  readonly columns: unknown;
  readonly sort: unknown;
  readonly seed: number | undefined;
  readonly size: number;
  /** Checksum of the named columns: replacing one invalidates cursors (rule G-13). */
  readonly columnsChecksum: string;
  readonly text?: string | undefined;
}
