import { CHUNK_ROWS } from "../../storage/chunk.js";

/** A reusable sparse accumulator: one number per row of a chunk. */
export class RowSums {
  readonly sums: Float64Array = new Float64Array(CHUNK_ROWS);
  readonly rows: Uint16Array = new Uint16Array(CHUNK_ROWS);
  count = 0;

  add(row: number, value: number): void {
    if (this.sums[row] === 0) this.rows[this.count++] = row;
    this.sums[row]! += value;
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.sums[this.rows[at]!] = 0;
    this.count = 0;
  }
}
