import { chunkIndexOf, ordinalOf } from "../../storage/chunk.js";
import { rowCount } from "../../storage/table.js";
import type { Point } from "../bound/point.js";
import { createBits, lowestBit } from "../filter/bitmap.js";
import { selectRows } from "../filter/row-filter.js";
import { plannedIndex } from "../plan/indexes.js";
import { type OrderIndex, OrderWalk, partition } from "../plan/order-index.js";
import { checkRows } from "../source.js";
import { FIRST_SPAN, SPAN_GROWTH, WALK_BUDGET, WALK_SHARE } from "../thresholds.js";
import type { Fetching } from "./fetching.js";

/** Undefined when so few rows match that the walk would take longer than going through all. */
export function fetchByOrderIndex(
  { table, plan, order, filter, checkTime }: Fetching,
  index: string,
): number[] | undefined {
  const check = checkRows({ checkTime });
  const view = plannedIndex<OrderIndex>(table, index);
  const { range, backward, residual, limit } = plan;
  const rows: number[] = [];
  const matchesAll = residual.kind === "constant" && residual.value;
  let left = matchesAll ? Number.POSITIVE_INFINITY : Math.max(WALK_BUDGET, table.size * WALK_SHARE);
  new OrderWalk(table, order, view).visit(range, backward, (row) => {
    check();
    if (matchesAll || filter.matches(row)) rows.push(row);
    return rows.length < limit && --left > 0;
  });
  return left > 0 || rows.length === limit ? rows : undefined;
}

/** The rows from `start` up to `end`, which is not among them. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Rows are stored in the order wanted, so a full page ends the walk. */
export function fetchInStorageOrder(fetching: Fetching, backward: boolean): number[] {
  const { table, plan, filter } = fetching;
  const { chunks } = table;
  const rows: number[] = [];
  const { start, end } = spanOfRange(fetching);
  const bits = createBits();
  let length = FIRST_SPAN;
  for (let done = 0; done < end - start && rows.length < plan.limit; length *= SPAN_GROWTH) {
    const edge = backward ? end - done : start + done;
    const index = chunkIndexOf(backward ? edge - 1 : edge);
    const chunk = chunks[index]!;
    const base = ordinalOf(index, 0);
    const from = Math.max(backward ? edge - length : edge, start, base) - base;
    const to = Math.min(backward ? edge - base : edge - base + length, end - base, chunk.count);
    selectRows(filter, chunk, bits, from, to);
    visitBits(bits, { start: from, end: to }, backward, (row) => {
      rows.push(base + row);
      return rows.length < plan.limit;
    });
    done += to - from;
  }
  return rows;
}

/** Visits the rows of a span whose bits are set, in one direction, until the visitor has enough. */
function visitBits(
  bits: Uint32Array,
  { start, end }: Span,
  backward: boolean,
  visit: (row: number) => boolean,
): void {
  const [first, last] = [start >>> 5, (end - 1) >>> 5];
  for (let step = 0; step <= last - first; step++) {
    const word = backward ? last - step : first + step;
    for (let rest = bits[word]!; rest !== 0; ) {
      const bit = backward ? 31 - Math.clz32(rest) : lowestBit(rest);
      if (!visit((word << 5) + bit)) return;
      rest ^= 1 << bit;
    }
  }
}

/** The rows of a plan's range: an end that is a record is found by its id, any other by binary search. */
function spanOfRange({ table, plan, order }: Fetching): Span {
  const count = rowCount(table.chunks);
  const { after, before } = plan.range;
  // The order may run down the rows: then the range's end comes first among them.
  const runsDown = plan.order.keys[0]?.descending;
  const [low, high] = runsDown ? [before, after] : [after, before];
  const find = (point: Point, isPast: 0 | 1): number => {
    const row = table.find(point.keys?.at(-1) as string); // undefined is no id of any
    if (row >= 0 && order.compareToPoint(row, point) === 0) return row + isPast;
    const sign = runsDown ? -1 : 1;
    return partition(count, (each) => sign * order.compareToPoint(each, point) >= isPast);
  };
  return { start: low ? find(low, 1) : 0, end: high ? find(high, 0) : count };
}
