import { type Chunk, chunkIndexOf, ordinalOf } from "../../storage/chunk.js";
import { rowCount, type TableVersion } from "../../storage/table.js";
import { findUnique } from "../../storage/unique.js";
import { checkEvery } from "../../value/check-every.js";
import { lowerBound } from "../../value/lower-bound.js";
import type { Point, RowQuery } from "../bound/bound-query.js";
import { countBits, createBits, eachSetBit, lowestBit, wordsFor } from "../filter/kernels.js";
import {
  compileFilter,
  type RowFilter,
  type RowVisitor,
  selectRows,
} from "../filter/row-filter.js";
import { RowOrder, TopRows } from "../order/row-order.js";
import { plannedIndex } from "../plan/indexes.js";
import type { LinkAccess, NamedAccess, Plan } from "../plan/plan.js";
import type { RowIndex } from "../plan/row-index.js";
import type { TableView } from "../query-run.js";
import { FIRST_SPAN, SORTED_PAGES, SPAN_GROWTH, WALK_BUDGET, WALK_SHARE } from "../thresholds.js";
import { OrderWalk } from "./order-walk.js";

/** Returns the first rows of a plan, in the direction of paging. */
export function fetchRows(
  view: TableView,
  plan: Plan,
  order: RowOrder = new RowOrder(view, plan.query.order),
): number[] {
  const path = openAccess(view, plan, order);
  const { range, limit, backward } = plan.query;
  const isBounded = path.isBounded || (range.after === undefined && range.before === undefined);
  const isWanted = isBounded ? undefined : (row: number) => order.isInRange(row, range);
  if (path.isOrdered) {
    const page = createPage(limit, path.isReversed, isWanted);
    if (path.visit(page)) return page.rows;
    return fetchRows(view, { ...plan, access: { kind: "scan" } }, order);
  }
  if (limit * SORTED_PAGES >= path.candidates) {
    const gathered = gather(path);
    const rows = order.sort(isWanted === undefined ? gathered : gathered.filter(isWanted));
    const first: number[] = [];
    for (let i = 0; i < rows.length && i < limit; i++) {
      first.push(rows[backward ? rows.length - 1 - i : i]!);
    }
    return first;
  }
  const top = new TopRows(plan.query, order, isWanted);
  path.visit(top);
  return top.toSorted();
}

export function countRows(view: TableView, plan: Plan): number {
  let count = 0;
  openAccess(view, plan).visit({
    row: () => {
      count++;
      return true;
    },
    chunk: (chunk, _, bits) => {
      count += countBits(bits, wordsFor(chunk.count));
      return true;
    },
  });
  return count;
}

/** Returns the rows of a plan in any order. */
export function gatherRows(view: TableView, plan: Plan): Int32Array {
  return gather(openAccess(view, plan));
}

function gather(path: AccessPath): Int32Array {
  const rows = new Int32Array(path.candidates);
  let found = 0;
  path.visit({
    row: (row) => {
      rows[found++] = row;
      return true;
    },
    chunk: (chunk, base, bits) => {
      eachSetBit(bits, wordsFor(chunk.count), (row) => {
        rows[found++] = base + row;
      });
      return true;
    },
  });
  return rows.subarray(0, found);
}

function createPage(
  limit: number,
  isReversed: boolean | undefined,
  isWanted: ((row: number) => boolean) | undefined,
): RowVisitor & { readonly rows: number[] } {
  const rows: number[] = [];
  const row = (each: number): boolean => {
    if (rows.length < limit && (isWanted === undefined || isWanted(each))) rows.push(each);
    return rows.length < limit;
  };
  return {
    rows,
    row,
    chunk: ({ count }, base, bits) => {
      const words = wordsFor(count);
      for (let step = 0; step < words; step++) {
        const word = isReversed ? words - 1 - step : step;
        for (let rest = bits[word]!; rest !== 0; ) {
          const bit = isReversed ? 31 - Math.clz32(rest) : lowestBit(rest);
          if (!row(base + (word << 5) + bit)) return false;
          rest ^= 1 << bit;
        }
      }
      return true;
    },
  };
}

/** A way to the rows of a plan that match its whole predicate, each live row once. Visited once. */
export interface AccessPath {
  /** Upper bound of visited rows. */
  readonly candidates: number;
  /** Visits rows in the order of the plan, or its reverse if that is backward. */
  readonly isOrdered?: boolean;
  /** Visits each chunk's rows in reverse. */
  readonly isReversed?: boolean;
  /** Visits only rows within the plan's range. */
  readonly isBounded?: boolean;
  /** Visits matching rows; returns false if a scan would be faster than continuing. */
  visit(visitor: RowVisitor): boolean;
}

/** Opens the access path of a plan. `allMatching` needs no `order`. */
export function openAccess(view: TableView, plan: Plan, order?: RowOrder): AccessPath {
  const filter = compileFilter(plan.residual, view);
  const check = checkEvery(view.checkTime);
  const matches = (row: number): boolean => {
    check();
    return filter.matches(row);
  };
  const { table } = view;
  const { access } = plan;
  switch (access.kind) {
    case "ids":
    case "unique-index":
      return visitNamed(table, access, matches);
    case "link-index":
      return visitLinked(table, access, matches);
    case "storage-order":
      return visitInStorageOrder(table, plan, order!, filter);
    case "order-index":
      return visitInIndexOrder(table, plan, order!, matches);
    case "scan":
      return visitAll(view, plan, filter, order);
  }
}

/** Whether the residual filter accepts a row. Checks the time limit. */
type Matches = (row: number) => boolean;

function visitNamed(table: TableVersion, access: NamedAccess, matches: Matches): AccessPath {
  const rows = (
    access.kind === "ids"
      ? access.ids.map((id) => table.find(id))
      : access.keys.map((key) => findUnique(table, access.slot, key, () => true))
  ).filter((row) => row >= 0);
  return {
    candidates: rows.length,
    visit: (visitor) => {
      for (const row of rows) if (matches(row)) visitor.row(row);
      return true;
    },
  };
}

/** Rows linked to some ids. Runs of an index are ordered; rows written later are not. */
function visitLinked(table: TableVersion, access: LinkAccess, matches: Matches): AccessPath {
  const { slot, sorted } = access;
  const { index, written: since } = plannedIndex<RowIndex>(table, access.index);
  const dirty = since.rows;
  const codes = new Set(access.codes);
  const runs = Array.from(codes, (code) => index.runOf(code));
  const writtenRows = [...dirty].filter((row) => {
    return codes.has(table.codeAt(row, slot)) && table.isLive(row);
  });
  return {
    candidates: runs.reduce((sum, run) => sum + run.length, writtenRows.length),
    isOrdered: sorted !== undefined && runs.length === 1 && writtenRows.length === 0,
    visit: (visitor) => {
      for (const run of runs) {
        for (let step = 0; step < run.length; step++) {
          const row = run[sorted === "backward" ? run.length - 1 - step : step]!;
          if (dirty.has(row) || !matches(row)) continue;
          // Later rows are beyond the limit too.
          if (!visitor.row(row) && sorted !== undefined) break;
        }
      }
      for (const row of writtenRows) if (matches(row)) visitor.row(row);
      return true;
    },
  };
}

function visitAll(
  view: TableView,
  { query }: Plan,
  filter: RowFilter,
  order?: RowOrder,
): AccessPath {
  const { chunks, size } = view.table;
  return {
    candidates: size,
    visit: (visitor) => {
      const isTop = order !== undefined && query.limit * SORTED_PAGES < size;
      const visited = isTop ? sortChunks(chunks, order, query.backward) : chunks.keys();
      const bits = createBits(view.table);
      for (const index of visited) {
        view.checkTime?.();
        selectRows(filter, chunks[index]!, bits);
        visitor.chunk(chunks[index]!, ordinalOf(index, 0), bits);
      }
      return true;
    },
  };
}

/** Numbers of the chunks, by the better one of their first and last rows. */
function sortChunks(chunks: readonly Chunk[], order: RowOrder, backward: boolean): Int32Array {
  const ends = Int32Array.from(chunks, ({ count }, index) => {
    const [first, last] = [ordinalOf(index, 0), ordinalOf(index, count - 1)];
    return order.compare(first, last) < 0 === backward ? last : first;
  });
  const sorted = order.sort(ends);
  return (backward ? sorted.reverse() : sorted).map(chunkIndexOf);
}

/** Rows in index order; gives up if so few match that a scan is faster. */
function visitInIndexOrder(
  table: TableVersion,
  { query, access, residual }: Plan,
  order: RowOrder,
  matches: Matches,
): AccessPath {
  const { range, backward } = query;
  const { index } = access as Extract<Plan["access"], { kind: "order-index" }>; // checked by the caller
  const view = plannedIndex<RowIndex>(table, index);
  return {
    candidates: table.size,
    isOrdered: true,
    isBounded: true,
    visit: (visitor) => {
      const budget = Math.max(WALK_BUDGET, table.size * WALK_SHARE);
      const matchesAll = residual.kind === "constant" && residual.value;
      let left = matchesAll ? Number.POSITIVE_INFINITY : budget;
      let isWanted = true;
      new OrderWalk(table, order, view).visit(range, backward, (row) => {
        if (matches(row)) isWanted = visitor.row(row);
        return isWanted && --left > 0;
      });
      return left > 0 || !isWanted;
    },
  };
}

function visitInStorageOrder(
  table: TableVersion,
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
      const bits = createBits(table);
      const { start, end } = spanOfRange(table, plan.query, order);
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

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Locates an end of a range: a record by its id, a gap by binary search. */
function spanOfRange(table: TableVersion, { range, order }: RowQuery, rowOrder: RowOrder): Span {
  const count = rowCount(table.chunks);
  const { after, before } = range;
  // In descending order the range's end comes first.
  const runsDown = order.keys[0]?.descending;
  const [low, high] = runsDown ? [before, after] : [after, before];
  const find = (point: Point, isPast: 0 | 1): number => {
    const row = table.find(point.keys?.at(-1) as string); // undefined matches no id
    if (row >= 0 && rowOrder.compareToPoint(row, point) === 0) return row + isPast;
    const sign = runsDown ? -1 : 1;
    return lowerBound(0, count, (each) => sign * rowOrder.compareToPoint(each, point) >= isPast);
  };
  return { start: low ? find(low, 1) : 0, end: high ? find(high, 0) : count };
}
