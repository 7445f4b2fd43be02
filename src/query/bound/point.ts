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
  const order =
    kind === "text"
      ? compareTexts(a as string | null, b as string | null)
      : compareNumbers((a ?? NULL_NUMBER) as number, (b ?? NULL_NUMBER) as number);
  return descending ? -order : order;
}

/** Null as a numeric sort key: greater than every value (rule S-3). */
export const NULL_NUMBER: number = Number.POSITIVE_INFINITY;

/** Null is greater than every text (rule S-3). */
export function compareTexts(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareStrings(a, b);
}
