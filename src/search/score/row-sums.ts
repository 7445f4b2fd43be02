import { CHUNK_ROWS } from "../../storage/chunk.js";

/** A number for some rows of a chunk, to be used again and again. */
export class RowSums {
  /** By row; 0 for those that have none. */
  readonly sums: Float64Array = new Float64Array(CHUNK_ROWS);
  /** The rows that have a number, in the order they got one. */
  readonly rows: Uint16Array = new Uint16Array(CHUNK_ROWS);
  count = 0;

  /** Adds a positive number to that of a row. */
  add(row: number, value: number): void {
    if (this.sums[row] === 0) this.rows[this.count++] = row;
    this.sums[row]! += value;
  }

  /** Raises the number of a row to a positive one, if it is less. */
  raise(row: number, value: number): void {
    if (this.sums[row] === 0) this.rows[this.count++] = row;
    if (this.sums[row]! < value) this.sums[row] = value;
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.sums[this.rows[at]!] = 0;
    this.count = 0;
  }
}
