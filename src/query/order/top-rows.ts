import type { Chunk } from "../../storage/chunk.js";
import { type Compare, pushOnHeap, siftDown } from "../../value/heap.js";
import { lowestBit, wordsFor } from "../filter/kernels.js";
import type { RowVisitor } from "../filter/row-filter.js";
import type { RowOrder } from "./row-order.js";

/** A bounded heap of the first rows in an order; the root is the last of them. */
export class TopRows implements RowVisitor {
  readonly #limit: number;
  readonly #order: RowOrder;
  readonly #sign: 1 | -1;
  readonly #isWanted: ((row: number) => boolean) | undefined;
  readonly #rows: number[] = [];
  readonly #compare: Compare<number> = (a, b) => this.#sign * this.#order.compare(a, b);
  /** First key of the root; NaN while no row can be rejected. */
  #worst: number = Number.NaN;

  /**
   * @param backward collects the last rows, the last one first
   * @param isWanted called only for rows whose keys qualify
   */
  constructor(
    limit: number,
    order: RowOrder,
    backward: boolean,
    isWanted?: (row: number) => boolean,
  ) {
    this.#limit = limit;
    this.#order = order;
    this.#sign = backward ? -1 : 1;
    this.#isWanted = isWanted;
  }

  /** Adds a row if it is among the first; otherwise returns false. */
  row(row: number): boolean {
    const rows = this.#rows;
    const isFull = rows.length === this.#limit;
    if (isFull) {
      if (this.#limit === 0) return false;
      // NaN (equal infinities, not numeric) requires comparing all keys.
      if (this.#sign * (this.#order.firstNumber(row) - this.#worst) > 0) return false;
      if (this.#compare(row, rows[0]!) >= 0) return false;
    }
    if (this.#isWanted !== undefined && !this.#isWanted(row)) return true;
    if (isFull) siftDown(rows, 0, row, this.#compare);
    else pushOnHeap(rows, row, this.#compare);
    if (rows.length === this.#limit) this.#remember();
    return true;
  }

  /** Like {@link row}, but compares the first key inline, which rejects most rows. */
  chunk(chunk: Chunk, base: number, bits: Uint32Array): boolean {
    const first = this.#order.firstNumbers(chunk);
    const sign = first?.descending ? -this.#sign : this.#sign;
    const words = wordsFor(chunk.count);
    for (let word = 0; word < words; word++) {
      for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
        const row = (word << 5) + lowestBit(rest);
        if (first !== undefined && sign * first.values[row]! > this.#sign * this.#worst) continue;
        this.row(base + row);
      }
    }
    return true;
  }

  toSorted(): number[] {
    return this.#rows.slice().sort(this.#compare);
  }

  #remember(): void {
    this.#worst = this.#order.firstNumber(this.#rows[0]!);
  }
}
