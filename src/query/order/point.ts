import type { Point } from "../bind/cursor.js";
import type { RowOrder } from "./row-order.js";

/** Where a row stands in relation to a point: negative ahead of it, positive behind. */
export function compareToPoint(order: RowOrder, ordinal: number, { keys, side }: Point): number {
  if (keys === undefined) return 1;
  const compared = order.compareToKeys(ordinal, keys);
  return compared !== 0 ? compared : -side;
}

/** Where one point stands in relation to another. */
export function comparePoints(order: RowOrder, a: Point, b: Point): number {
  if (a.keys === undefined || b.keys === undefined) {
    return (a.keys === undefined ? 0 : 1) - (b.keys === undefined ? 0 : 1);
  }
  const compared = order.compareKeys(a.keys, b.keys);
  return compared !== 0 ? compared : a.side - b.side;
}
