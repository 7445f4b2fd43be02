import { compareNumbers, compareStrings } from "../../value/compare.js";
import type { KeyShape } from "./order.js";

/** The values that order a record, the id at the end; null for none. */
export type Keys = readonly (number | string | null)[];

/**
 * A position in an order. With side 0 it is that of a record; −1 and 1 are the gaps just before it
 * and just after. Without keys it is the beginning, before every record (rule G-11).
 */
export interface Point {
  readonly keys: Keys | undefined;
  readonly side: -1 | 0 | 1;
}

export const BEGINNING: Point = { keys: undefined, side: -1 };

/** The part of an order between two points. */
export interface Range {
  readonly after: Point | undefined;
  readonly before: Point | undefined;
}

/** The whole of an order. */
export const WHOLE: Range = { after: undefined, before: undefined };

/** Whether a value is a list of keys of those shapes. */
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

/** Compares two points: negative, positive or 0. */
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

/** Compares two keys of one shape. */
function compareKey({ kind, descending }: KeyShape, a: Key, b: Key): number {
  // `isKeys` holds of both.
  if (kind === "text") return compareTextKeys(a as string | null, b as string | null, descending);
  return compareNumberKeys((a ?? Number.NaN) as number, (b ?? Number.NaN) as number, descending);
}

/** Compares two numbers of one key; NaN is null, which comes last either way (rule S-3). */
export function compareNumberKeys(a: number, b: number, descending: boolean): number {
  const aIsNull = Number.isNaN(a);
  const bIsNull = Number.isNaN(b);
  if (aIsNull || bIsNull) return aIsNull === bIsNull ? 0 : aIsNull ? 1 : -1;
  return descending ? compareNumbers(b, a) : compareNumbers(a, b);
}

/** Compares two texts of one key; null comes last either way (rule S-3). */
export function compareTextKeys(a: string | null, b: string | null, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return descending ? compareStrings(b, a) : compareStrings(a, b);
}
