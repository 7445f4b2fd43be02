import type { BoundQuery } from "./bind/bind-query.js";
import { BEGINNING, encodeCursor, type Point } from "./bind/cursor.js";
import { fetchRows, WHOLE } from "./fetch/fetch.js";
import { RowOrder } from "./order/row-order.js";
import { createPlan } from "./plan/plan.js";

/** The cursor of a page (rules G-3, G-4, G-11). */
export function cursorOf(query: BoundQuery, page: readonly number[]): string {
  const first = page[0];
  const last = page.at(-1);
  if (first === undefined || last === undefined) {
    const gap = gapOf(query);
    return encodeCursor(query.carried, gap, gap);
  }
  const order = new RowOrder(query.table, query.order);
  const firstPoint: Point = { keys: order.keysOf(first), side: 0 };
  return encodeCursor(query.carried, firstPoint, { keys: order.keysOf(last), side: 0 });
}

/** The gap between records that an empty page stands for (rule G-11). */
function gapOf(query: BoundQuery): Point {
  const { range, backward, isRange, isTail } = query;
  const { offset } = query.page;
  if (backward)
    return offset === 0 && range.before !== undefined ? asGap(range.before, -1) : BEGINNING;
  if (range.after !== undefined && (isRange || offset === 0)) return asGap(range.after, 1);
  return isTail || offset > 0 ? behindLast(query) : BEGINNING;
}

function asGap(point: Point, side: -1 | 1): Point {
  return point.side === 0 ? { keys: point.keys, side } : point;
}

/** The gap behind the record that is last; the beginning where there is none. */
function behindLast({ table, predicate, order, environment }: BoundQuery): Point {
  const { indexes } = environment;
  const plan = createPlan(table, {
    predicate,
    order,
    limit: 1,
    backward: true,
    isWalk: false,
    indexes,
  });
  const [last] = fetchRows(table, plan, WHOLE, true);
  return last === undefined
    ? BEGINNING
    : { keys: new RowOrder(table, order).keysOf(last), side: 1 };
}
