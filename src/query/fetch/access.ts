import { assert } from "../../errors.js";
import { chunkIndexOf, ordinalOf } from "../../storage/chunk.js";
import { rowCount } from "../../storage/table.js";
import { findUnique } from "../../storage/unique.js";
import type { Point } from "../bound/point.js";
import { createBits } from "../filter/bitmap.js";
import {
  compileFilter,
  type RowFilter,
  type RowVisitor,
  selectRows,
} from "../filter/row-filter.js";
import type { RowOrder } from "../order/row-order.js";
import { plannedIndex } from "../plan/indexes.js";
import type { LinkAccess, NamedAccess, Plan } from "../plan/plan.js";
import { partition, type RowIndex, rowsLinkedTo } from "../plan/row-index.js";
import { checkRows, type Source } from "../source.js";
import { FIRST_SPAN, SPAN_GROWTH, WALK_BUDGET, WALK_SHARE } from "../thresholds.js";
import { OrderWalk } from "./order-walk.js";

/** A way to the rows that match a plan. */
export interface AccessPath {
  /** Rows that are visited at most. */
  readonly candidates: number;
  /** Whether rows are visited in the order of the plan, from the end on if it is backward. */
  readonly isOrdered: boolean;
  /** Whether a chunk's rows are visited from the last one on. */
  readonly isReversed: boolean;
  /** Whether only rows within the plan's range are visited. */
  readonly isBounded: boolean;
  /** Visits the rows that match; false where a scan would take less time than going on. */
  visit(visitor: RowVisitor): boolean;
}

/**
 * The only way from a plan to its rows: for pages, counts, aggregates and estimates.
 *
 * @param order the comparator of the plan's order; absent where all rows are wanted, in any order
 */
export function openAccess(source: Source, plan: Plan, order?: RowOrder): AccessPath {
  const filter = compileFilter(plan.residual, source);
  const { access } = plan;
  switch (access.kind) {
    case "ids":
    case "unique-index":
      return visitNamed(source, access, filter);
    case "link-index":
      return visitLinked(source, access, filter);
    case "storage-order":
      return visitInStorageOrder(source, plan, requireOrder(order), filter);
    case "order-index":
      return visitInIndexOrder(source, plan, requireOrder(order), filter);
    case "scan":
      return visitAll(source, filter);
  }
}

function requireOrder(order: RowOrder | undefined): RowOrder {
  assert(order !== undefined, "rows that are visited in order have a comparator");
  return order;
}

/** Records looked up by their ids, or by their values of a `unique` column. */
function visitNamed(source: Source, access: NamedAccess, filter: RowFilter): AccessPath {
  const { table } = source;
  const rows = (
    access.kind === "ids"
      ? access.ids.map((id) => table.find(id))
      : access.keys.map((key) => findUnique(table, access.slot, key, () => true))
  ).filter((row) => row >= 0);
  return {
    candidates: rows.length,
    isOrdered: false,
    isReversed: false,
    isBounded: false,
    visit: (visitor) => {
      const check = checkRows(source);
      for (const row of rows) {
        check();
        if (filter.matches(row)) visitor.row(row);
      }
      return true;
    },
  };
}

/** Records that link to some ids. A run of an index is in order; rows written since are not. */
function visitLinked(source: Source, access: LinkAccess, filter: RowFilter): AccessPath {
  const { index, slot, codes, sorted } = access;
  const view = plannedIndex<RowIndex>(source.table, index);
  const { runs, dirty, written } = rowsLinkedTo(source.table, slot, view, new Set(codes));
  return {
    candidates: runs.reduce((sum, run) => sum + run.length, written.length),
    isOrdered: sorted !== undefined && runs.length === 1 && written.length === 0,
    isReversed: false,
    isBounded: false,
    visit: (visitor) => {
      const check = checkRows(source);
      for (const run of runs) {
        for (let step = 0; step < run.length; step++) {
          check();
          const row = run[sorted === "backward" ? run.length - 1 - step : step]!;
          if (dirty.has(row) || !filter.matches(row)) continue;
          // In order, the rows after one that is not wanted are not wanted either.
          if (!visitor.row(row) && sorted !== undefined) break;
        }
      }
      for (const row of written) {
        check();
        if (filter.matches(row)) visitor.row(row);
      }
      return true;
    },
  };
}

/** All rows, chunk by chunk. */
function visitAll({ table, checkTime }: Source, filter: RowFilter): AccessPath {
  return {
    candidates: table.size,
    isOrdered: false,
    isReversed: false,
    isBounded: false,
    visit: (visitor) => {
      const bits = createBits();
      for (const [index, chunk] of table.chunks.entries()) {
        checkTime?.();
        selectRows(filter, chunk, bits);
        visitor.chunk(chunk, ordinalOf(index, 0), bits);
      }
      return true;
    },
  };
}

/** Rows in the order of an index; gives up where so few match that a scan takes less time. */
function visitInIndexOrder(
  source: Source,
  { access, range, backward, residual }: Plan,
  order: RowOrder,
  filter: RowFilter,
): AccessPath {
  const { table } = source;
  const { index } = access as Extract<Plan["access"], { kind: "order-index" }>; // by the caller
  const view = plannedIndex<RowIndex>(table, index);
  return {
    candidates: table.size,
    isOrdered: true,
    isReversed: false,
    isBounded: true,
    visit: (visitor) => {
      const check = checkRows(source);
      const matchesAll = residual.kind === "constant" && residual.value;
      const budget = Math.max(WALK_BUDGET, table.size * WALK_SHARE);
      let left = matchesAll ? Number.POSITIVE_INFINITY : budget;
      let isWanted = true;
      new OrderWalk(table, order, view).visit(range, backward, (row) => {
        check();
        if (matchesAll || filter.matches(row)) isWanted = visitor.row(row);
        return isWanted && --left > 0;
      });
      return left > 0 || !isWanted;
    },
  };
}

/** Rows as they are stored, where that is the order: a part of a chunk first, then more. */
function visitInStorageOrder(
  { table }: Source,
  plan: Plan,
  order: RowOrder,
  filter: RowFilter,
): AccessPath {
  const { backward } = plan.access as Extract<Plan["access"], { kind: "storage-order" }>; // as above
  return {
    candidates: table.size,
    isOrdered: true,
    isReversed: backward,
    isBounded: true,
    visit: (visitor) => {
      const bits = createBits();
      const { start, end } = spanOfRange(table, plan, order);
      let length = FIRST_SPAN;
      for (let done = 0; done < end - start; length *= SPAN_GROWTH) {
        const edge = backward ? end - done : start + done;
        const index = chunkIndexOf(backward ? edge - 1 : edge);
        const chunk = table.chunks[index]!;
        const base = ordinalOf(index, 0);
        const from = Math.max(backward ? edge - length : edge, start, base) - base;
        const to = Math.min(backward ? edge - base : edge - base + length, end - base, chunk.count);
        selectRows(filter, chunk, bits, from, to);
        if (!visitor.chunk(chunk, base, bits)) break;
        done += to - from;
      }
      return true;
    },
  };
}

/** The rows from `start` up to `end`, which is not among them. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The rows of a plan's range: an end that is a record is found by its id, any other by binary search. */
function spanOfRange(table: Source["table"], { range, order }: Plan, rowOrder: RowOrder): Span {
  const count = rowCount(table.chunks);
  const { after, before } = range;
  // The order may run down the rows: then the range's end comes first among them.
  const runsDown = order.keys[0]?.descending;
  const [low, high] = runsDown ? [before, after] : [after, before];
  const find = (point: Point, isPast: 0 | 1): number => {
    const row = table.find(point.keys?.at(-1) as string); // undefined is no id of any
    if (row >= 0 && rowOrder.compareToPoint(row, point) === 0) return row + isPast;
    const sign = runsDown ? -1 : 1;
    return partition(count, (each) => sign * rowOrder.compareToPoint(each, point) >= isPast);
  };
  return { start: low ? find(low, 1) : 0, end: high ? find(high, 0) : count };
}
