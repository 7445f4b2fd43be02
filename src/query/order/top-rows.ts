import type { Chunk } from "../../storage/chunk.js";
import { lowestBit, wordsFor } from "../filter/bitmap.js";
import type { RowVisitor } from "../filter/row-filter.js";
import type { RowOrder } from "./row-order.js";

/**
 * The first rows of an order among those offered, in a bounded heap: the one that would come last
 * is the root, and a row that comes after it is refused by one comparison, of numbers
 * where the first key is one.
 */
export class TopRows implements RowVisitor {
  readonly #limit: number;
  readonly #order: RowOrder;
  readonly #sign: 1 | -1;
  readonly #isWanted: ((row: number) => boolean) | undefined;
  readonly #rows: number[] = [];
  /** The first key of the row at the root; NaN as long as no row can be refused by it. */
  #worst: number = Number.NaN;

  /**
   * @param backward whether the last rows of the order are wanted, the last one first
   * @param isWanted called for rows that their keys do not refuse
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

  /** Keeps a row if it is among the first so far; false if it comes after them. */
  row(row: number): boolean {
    const rows = this.#rows;
    const isFull = rows.length === this.#limit;
    if (isFull) {
      if (this.#limit === 0) return false;
      // Not so for NaN, which is null or no number: then the whole keys are compared.
      if (this.#sign * (this.#order.firstNumber(row) - this.#worst) > 0) return false;
      if (this.#compare(row, rows[0]!) >= 0) return false;
    }
    if (this.#isWanted !== undefined && !this.#isWanted(row)) return true;
    if (isFull) {
      rows[0] = row;
      this.#siftDown();
    } else {
      rows.push(row);
      this.#siftUp(rows.length - 1);
    }
    if (rows.length === this.#limit) this.#remember();
    return true;
  }

  /** As {@link row}. The first key is compared right here: most rows come after the root by it. */
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

  /** The rows in their order. */
  toSorted(): number[] {
    return this.#rows.slice().sort((a, b) => this.#compare(a, b));
  }

  #compare(a: number, b: number): number {
    return this.#sign * this.#order.compare(a, b);
  }

  #remember(): void {
    this.#worst = this.#order.firstNumber(this.#rows[0]!);
  }

  #siftUp(start: number): void {
    const rows = this.#rows;
    const row = rows[start]!;
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#compare(rows[parent]!, row) >= 0) break;
      rows[at] = rows[parent]!;
      at = parent;
    }
    rows[at] = row;
  }

  #siftDown(): void {
    const rows = this.#rows;
    const row = rows[0]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= rows.length) break;
      if (child + 1 < rows.length && this.#compare(rows[child + 1]!, rows[child]!) > 0) child++;
      if (this.#compare(rows[child]!, row) <= 0) break;
      rows[at] = rows[child]!;
      at = child;
    }
    rows[at] = row;
  }
}
