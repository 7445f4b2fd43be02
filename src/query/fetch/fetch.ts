import { CHUNK_SHIFT } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { Point } from "../bind/cursor.js";
import { countBits, eachSetBit, hasBit, withBits, wordsFor } from "../filter/bitmap.js";
import { compileFilter, type RowFilter, selectRows } from "../filter/row-filter.js";
import { compareToPoint } from "../order/point.js";
import { RowOrder } from "../order/row-order.js";
import { TopRows } from "../order/top-rows.js";
import type { IndexView } from "../plan/indexes.js";
import { rowsLinkedTo } from "../plan/link-index.js";
import { type OrderIndex, OrderWalk, partition } from "../plan/order-index.js";
import type { Access, Plan } from "../plan/plan.js";

/** The part of an order that a page may take rows from: behind one point and ahead of another. */
export interface Range {
  readonly after: Point | undefined;
  readonly before: Point | undefined;
}

/** The whole of an order. */
export const WHOLE: Range = { after: undefined, before: undefined };

/**
 * Finds the first rows of a plan in the direction of travel.
 *
 * @returns ordinals, `plan.limit` at most, in the direction of travel
 */
export function fetchRows(
  table: TableVersion,
  plan: Plan,
  range: Range,
  backward: boolean,
): number[] {
  const order = new RowOrder(table, plan.order);
  const filter = compileFilter(plan.residual, table);
  const { access } = plan;
  switch (access.kind) {
    case "ids":
      return fetchByIds(table, access, plan, order, filter, range, backward);
    case "link-index":
      return fetchByLink(table, access, plan, order, filter, range, backward);
    case "storage-order":
      return fetchInStorageOrder(table, plan, order, filter, range, access.backward);
    case "order-index":
      return (
        fetchByOrderIndex(table, plan, access.view, filter, range, backward) ??
        fetchByScan(table, plan, order, filter, range, backward)
      );
    case "scan":
      return fetchByScan(table, plan, order, filter, range, backward);
  }
}

/** How many records match. */
export function countRows(table: TableVersion, plan: Plan): number {
  const filter = compileFilter(plan.residual, table);
  const { access } = plan;
  if (access.kind === "ids") return findIds(table, access).filter(filter.matches).length;
  if (access.kind === "link-index") return countLinked(table, access, filter);
  return withBits((bits) => {
    let total = 0;
    for (const chunk of table.chunks) {
      selectRows(filter, chunk, bits);
      total += countBits(bits, wordsFor(chunk.count));
    }
    return total;
  });
}

function countLinked(table: TableVersion, access: LinkAccess, filter: RowFilter): number {
  const { runs, dirty, written } = rowsLinkedTo(table, access.slot, access.view, access.codes);
  let total = 0;
  for (const run of runs) {
    for (const row of run) if (!dirty.has(row) && filter.matches(row)) total++;
  }
  for (const row of written) if (filter.matches(row)) total++;
  return total;
}

type IdAccess = Extract<Access, { kind: "ids" }>;
type LinkAccess = Extract<Access, { kind: "link-index" }>;

function findIds(table: TableVersion, { ids }: IdAccess): number[] {
  return ids.map((id) => table.find(id)).filter((row) => row >= 0);
}

function isInRange(order: RowOrder, ordinal: number, { after, before }: Range): boolean {
  return (
    (after === undefined || compareToPoint(order, ordinal, after) > 0) &&
    (before === undefined || compareToPoint(order, ordinal, before) < 0)
  );
}

function fetchByIds(
  table: TableVersion,
  access: IdAccess,
  plan: Plan,
  order: RowOrder,
  filter: RowFilter,
  range: Range,
  backward: boolean,
): number[] {
  const top = new TopRows(plan.limit, order, backward);
  for (const row of findIds(table, access)) {
    if (filter.matches(row) && isInRange(order, row, range)) top.offer(row);
  }
  return top.toSorted();
}

/** Of a run that stands in order no more rows can be wanted than the page holds. */
function fetchByLink(
  table: TableVersion,
  access: LinkAccess,
  plan: Plan,
  order: RowOrder,
  filter: RowFilter,
  range: Range,
  backward: boolean,
): number[] {
  const { slot, view, codes, sorted } = access;
  const { runs, dirty, written } = rowsLinkedTo(table, slot, view, codes);
  const most = sorted === undefined ? Number.POSITIVE_INFINITY : plan.limit;
  const isWanted = (row: number): boolean => filter.matches(row) && isInRange(order, row, range);
  const top = new TopRows(plan.limit, order, backward);
  const page: number[] = [];
  // One run that stands in order is the page; of several the first rows are picked.
  const isAlone = sorted !== undefined && runs.length === 1 && written.length === 0;
  for (const run of runs) {
    let taken = 0;
    for (let step = 0; step < run.length && taken < most; step++) {
      const row = run[sorted === "backward" ? run.length - 1 - step : step]!;
      if (dirty.has(row) || !isWanted(row)) continue;
      if (isAlone) page.push(row);
      else top.offer(row);
      taken++;
    }
  }
  for (const row of written) if (isWanted(row)) top.offer(row);
  return isAlone ? page : top.toSorted();
}

/** Rows that an index walk may look at before going through all rows is tried instead. */
const WALK_BUDGET = 4096;
const WALK_SHARE = 1 / 32;

/** Undefined when so few rows match that the walk would take longer than going through all. */
function fetchByOrderIndex(
  table: TableVersion,
  plan: Plan,
  view: IndexView<OrderIndex>,
  filter: RowFilter,
  { after, before }: Range,
  backward: boolean,
): number[] | undefined {
  const rows: number[] = [];
  const matchesAll = plan.residual.kind === "constant" && plan.residual.value;
  let left = matchesAll ? Number.POSITIVE_INFINITY : Math.max(WALK_BUDGET, table.size * WALK_SHARE);
  new OrderWalk(table, plan.order, view).visit(after, before, backward, (row) => {
    if (matchesAll || filter.matches(row)) rows.push(row);
    return rows.length < plan.limit && --left > 0;
  });
  return left > 0 || rows.length === plan.limit ? rows : undefined;
}

/** Rows looked at first: where many match, the page is full long before a chunk is gone through. */
const FIRST_SPAN = 256;
/** How many times as many rows are looked at each next time, up to a chunk. */
const SPAN_GROWTH = 4;

/** Rows stand in the order wanted, so a page ends the walk, and its range is found by halving. */
function fetchInStorageOrder(
  table: TableVersion,
  plan: Plan,
  order: RowOrder,
  filter: RowFilter,
  range: Range,
  backward: boolean,
): number[] {
  const { chunks } = table;
  const rows: number[] = [];
  // The order may run down the rows; `isAscending` says which end of the range comes first.
  const isAscending = plan.order.keys[0]?.descending !== true;
  const rowCount =
    chunks.length === 0 ? 0 : ((chunks.length - 1) << CHUNK_SHIFT) + chunks.at(-1)!.count;
  const [low, high] = isAscending ? [range.after, range.before] : [range.before, range.after];
  const sign = isAscending ? 1 : -1;
  const start =
    low === undefined
      ? 0
      : partition(rowCount, (row) => sign * compareToPoint(order, row, low) > 0);
  const end =
    high === undefined
      ? rowCount
      : partition(rowCount, (row) => sign * compareToPoint(order, row, high) >= 0);
  withBits((bits) => {
    let span = FIRST_SPAN;
    for (let done = 0; done < end - start && rows.length < plan.limit; span *= SPAN_GROWTH) {
      const edge = backward ? end - done : start + done;
      const index = (backward ? edge - 1 : edge) >>> CHUNK_SHIFT;
      const chunk = chunks[index]!;
      const base = index << CHUNK_SHIFT;
      const from = Math.max(backward ? edge - span : edge, start, base);
      const to = Math.min(backward ? edge : edge + span, end, base + chunk.count);
      selectRows(filter, chunk, bits, from - base, to - base);
      takeBits(bits, from - base, to - base, backward, base, rows, plan.limit);
      done += to - from;
    }
  });
  return rows;
}

/** Adds the set bits of `from … to` to the rows, up to the limit. */
function takeBits(
  bits: Uint32Array,
  from: number,
  to: number,
  backward: boolean,
  base: number,
  rows: number[],
  limit: number,
): void {
  for (let step = 0; step < to - from && rows.length < limit; step++) {
    const row = backward ? to - 1 - step : from + step;
    if (hasBit(bits, row)) rows.push(base + row);
  }
}

function fetchByScan(
  table: TableVersion,
  plan: Plan,
  order: RowOrder,
  filter: RowFilter,
  range: Range,
  backward: boolean,
): number[] {
  if (plan.limit >= table.size) return sortAll(table, order, filter, range, backward);
  const top = new TopRows(plan.limit, order, backward);
  const isBounded = range.after !== undefined || range.before !== undefined;
  const isWanted = isBounded ? (row: number) => isInRange(order, row, range) : undefined;
  withBits((bits) => {
    for (const [index, chunk] of table.chunks.entries()) {
      selectRows(filter, chunk, bits);
      top.offerChunk(chunk, index << CHUNK_SHIFT, bits, isWanted);
    }
  });
  return top.toSorted();
}

/** All matching rows of a range, for a whole result. */
function sortAll(
  table: TableVersion,
  order: RowOrder,
  filter: RowFilter,
  range: Range,
  backward: boolean,
): number[] {
  const rows: number[] = [];
  eachMatch(table, filter, (row) => {
    if (isInRange(order, row, range)) rows.push(row);
  });
  const sorted = Array.from(order.sort(Int32Array.from(rows)));
  return backward ? sorted.reverse() : sorted;
}

/** Visits the rows that match, as they stand. */
function eachMatch(table: TableVersion, filter: RowFilter, visit: (row: number) => void): void {
  withBits((bits) => {
    for (const [index, chunk] of table.chunks.entries()) {
      selectRows(filter, chunk, bits);
      const base = index << CHUNK_SHIFT;
      eachSetBit(bits, wordsFor(chunk.count), (row) => visit(base + row));
    }
  });
}
