import { ID_SLOT } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { type ColumnRef, plainRef } from "./column-ref.js";

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

const ID_KEY: SortKey = { column: plainRef("id", "id", ID_SLOT), descending: false };

/** A sort key; null is greater than every value (S-3). */
export interface KeyShape {
  readonly kind: "number" | "text";
  readonly descending: boolean;
  readonly value: KeyValue;
}

export type KeyValue =
  | { readonly part: "value" | "ms" | "micros"; readonly column: ColumnRef }
  | { readonly part: "isNull"; readonly of: KeyShape }
  | { readonly part: "random"; readonly seed: number };

/** All sort keys, the id last (rule S-5). */
export function keyShapesOf({ keys, seed }: Order): KeyShape[] {
  const shapes = keys.flatMap((key) => {
    const own = shapesOf(key);
    const [of] = own;
    if (!key.nullsLast || of === undefined) return own;
    return [{ kind: "number", descending: false, value: { part: "isNull", of } } as const, ...own];
  });
  if (seed !== undefined) {
    shapes.push({ kind: "number", descending: false, value: { part: "random", seed } });
  }
  return keys.some(isOwnId) ? shapes : [...shapes, ...shapesOf(ID_KEY)];
}

/** Whether the key is the id of the query's own table. */
export function isOwnId({ column }: SortKey): boolean {
  return column.type === "id" && column.hops.length === 0 && column.slot === ID_SLOT;
}

function shapesOf({ column, descending }: SortKey): KeyShape[] {
  const shape = (kind: KeyShape["kind"], part: "value" | "ms" | "micros"): KeyShape => ({
    kind,
    descending,
    value: { part, column },
  });
  const { stored } = TRAITS[column.type];
  switch (stored) {
    case "number":
    case "bool":
      return [shape("number", "value")];
    case "instant":
      return [shape("number", "ms"), shape("number", "micros")];
    case "text":
    case "code":
      return [shape("text", "value")];
    case "list":
    case "value":
      throw new TypeError(`a column of type ${column.type} has no order`);
  }
}
