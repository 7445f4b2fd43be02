import type { TableVersion } from "../../storage/table.js";
import { lowerBound } from "../../value/lower-bound.js";
import type { Range } from "../bound/bound-query.js";
import type { RowOrder } from "../order/row-order.js";
import type { IndexView } from "../plan/indexes.js";
import { liveRows, mergeRows, type RowIndex } from "../plan/row-index.js";

export class OrderWalk {
  readonly #rows: Int32Array;
  readonly #order: RowOrder;
  readonly #dirty: ReadonlySet<number>;
  readonly #dirtyRows: Int32Array;

  constructor(table: TableVersion, order: RowOrder, view: IndexView<RowIndex>) {
    this.#rows = view.index.rows;
    this.#order = order;
    this.#dirty = view.written.rows;
    this.#dirtyRows = sortWritten(table, order, view);
  }

  /** Visits a range in order, or in reverse, until the visitor returns false. */
  visit({ after, before }: Range, backward: boolean, visitor: (row: number) => boolean): void {
    const order = this.#order;
    const isBefore = (row: number): boolean =>
      after !== undefined && order.compareToPoint(row, after) <= 0;
    const isWithin = (row: number): boolean =>
      before === undefined || order.compareToPoint(row, before) < 0;
    const extra = this.#dirtyRows;
    const extraStart = lowerBound(0, extra.length, (i) => !isBefore(extra[i]!));
    const extraEnd = lowerBound(0, extra.length, (i) => !isWithin(extra[i]!));
    const start = after === undefined ? 0 : this.#count(isBefore);
    const end = before === undefined ? this.#rows.length : this.#count(isWithin);
    const step = backward ? -1 : 1;
    let at = backward ? end - 1 : start;
    let next = backward ? extraEnd - 1 : extraStart;
    for (;;) {
      while (at >= start && at < end && this.#dirty.has(this.#rows[at]!)) at += step;
      const row = at >= start && at < end ? this.#rows[at]! : -1;
      const other = next >= extraStart && next < extraEnd ? extra[next]! : -1;
      if (row < 0 && other < 0) return;
      const takesOther = row < 0 || (other >= 0 && step * order.compare(other, row) < 0);
      if (takesOther) next += step;
      else at += step;
      if (!visitor(takesOther ? other : row)) return;
    }
  }

  /** Upper bound of a monotone condition. */
  #count(holds: (row: number) => boolean): number {
    const rows = this.#rows;
    return lowerBound(0, rows.length, (at) => {
      // A dirty row has new keys: the next clean row decides.
      let next = at;
      while (next < rows.length && this.#dirty.has(rows[next]!)) next++;
      return next === rows.length || !holds(rows[next]!);
    });
  }
}

/** Live rows written after the index was built, in order. */
function sortWritten(
  table: TableVersion,
  order: RowOrder,
  { written }: IndexView<RowIndex>,
): Int32Array {
  const { history, position } = table;
  const last = written.sorted;
  if (last?.position === position) return last.rows;
  const since =
    last === undefined ? written.rows : new Set(history.writtenBetween(last.position, position));
  const fresh = order.sort(liveRows(table, since));
  const rows =
    last === undefined ? fresh : mergeRows(last.rows, since, fresh, (a, b) => order.compare(a, b));
  written.sorted = { position, rows };
  return rows;
}
