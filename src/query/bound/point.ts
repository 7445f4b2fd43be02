import { compareNumbers, compareStrings } from "../../value/compare.js";
import type { KeyShape } from "./order.js";

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

export const WHOLE: Range = { after: undefined, before: undefined };

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
  if (kind === "text") return compareTextKeys(a as string | null, b as string | null, descending);
  return compareNumberKeys((a ?? Number.NaN) as number, (b ?? Number.NaN) as number, descending);
}

/** NaN is null, which is last in both directions (rule S-3). */
export function compareNumberKeys(a: number, b: number, descending: boolean): number {
  const aIsNull = Number.isNaN(a);
  const bIsNull = Number.isNaN(b);
  if (aIsNull || bIsNull) return aIsNull === bIsNull ? 0 : aIsNull ? 1 : -1;
  return descending ? compareNumbers(b, a) : compareNumbers(a, b);
}

/** Null is last in both directions (rule S-3). */
export function compareTextKeys(a: string | null, b: string | null, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return descending ? compareStrings(b, a) : compareStrings(a, b);
}
