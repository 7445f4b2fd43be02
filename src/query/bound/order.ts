import { ID_SLOT } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { compareNumbers, compareStrings } from "../../value/compare.js";
import {
  type ColumnRef,
  type Keys,
  type Order,
  type Point,
  plainRef,
  type SortKey,
} from "./bound-query.js";

const ID_KEY: SortKey = { column: plainRef("id", "id", ID_SLOT), descending: false };

/** A sort key; null is greater than every value (S-3). */
export interface KeyShape {
  readonly kind: "number" | "text";
  readonly descending: boolean;
  /** The place of null among numbers; of texts, the sign decides. */
  readonly none: number;
  readonly value: KeyValue;
}

export type KeyValue =
  | { readonly part: "value" | "ms" | "micros"; readonly column: ColumnRef }
  | { readonly part: "random"; readonly seed: number };

/** All sort keys, the id last (rule S-5). */
export function keyShapesOf({ keys, seed }: Order): KeyShape[] {
  const shapes: KeyShape[] = [];
  for (const key of keys) addShapes(shapes, key);
  if (seed !== undefined) {
    const value = { part: "random", seed } as const;
    shapes.push({ kind: "number", descending: false, none: NULL_NUMBER, value });
  }
  if (!keys.some(isOwnId)) addShapes(shapes, ID_KEY);
  return shapes;
}

/** Whether the key is the id of the query's own table. */
export function isOwnId({ column }: SortKey): boolean {
  return column.type === "id" && column.hops.length === 0 && column.slot === ID_SLOT;
}

function addShapes(shapes: KeyShape[], { column, descending, nullsLast }: SortKey): void {
  const none = descending && nullsLast ? -NULL_NUMBER : NULL_NUMBER;
  const add = (kind: KeyShape["kind"], part: "value" | "ms" | "micros"): void => {
    shapes.push({ kind, descending, none, value: { part, column } });
  };
  switch (TRAITS[column.type].stored) {
    case "number":
    case "bool":
      add("number", "value");
      break;
    case "instant":
      add("number", "ms");
      add("number", "micros");
      break;
    case "text":
    case "code":
      add("text", "value");
      break;
    case "list":
    case "value":
      throw new TypeError(`a column of type ${column.type} has no order`);
  }
}

export function isKeys(shapes: readonly KeyShape[], value: unknown): value is Keys {
  return (
    Array.isArray(value) &&
    value.length === shapes.length &&
    value.every((key: unknown, i) =>
      key === null || shapes[i]!.kind === "text"
        ? key === null || typeof key === "string"
        : Number.isFinite(key),
    )
  );
}

export function comparePoints(shapes: readonly KeyShape[], a: Point, b: Point): number {
  if (a.keys === undefined || b.keys === undefined) {
    return (a.keys === undefined ? 0 : 1) - (b.keys === undefined ? 0 : 1);
  }
  for (let i = 0; i < shapes.length; i++) {
    const compared = compareKey(shapes[i]!, a.keys[i]!, b.keys[i]!);
    if (compared !== 0) return compared;
  }
  return a.side - b.side;
}

type Key = Keys[number];

function compareKey({ kind, descending }: KeyShape, a: Key, b: Key): number {
  // Both passed `isKeys`.
  const order =
    kind === "text"
      ? compareTexts(a as string | null, b as string | null)
      : compareNumbers((a ?? NULL_NUMBER) as number, (b ?? NULL_NUMBER) as number);
  return descending ? -order : order;
}

/** Null as a numeric sort key: greater than every value (rule S-3). */
const NULL_NUMBER: number = Number.POSITIVE_INFINITY;

/** Null is greater than every text (rule S-3), or less. */
export function compareTexts(
  a: string | null,
  b: string | null,
  none: number = NULL_NUMBER,
): number {
  if (a === null || b === null) {
    return Math.sign(none) * (Number(a === null) - Number(b === null));
  }
  return compareStrings(a, b);
}
