import { ordinalOf } from "../../storage/chunk.js";
import { createBits, eachSetBit, wordsFor } from "../filter/bitmap.js";
import { type RowFilter, selectRows } from "../filter/row-filter.js";
import type { Source } from "../source.js";

/** All rows that match, in the order of storage. */
export function gatherRows(
  { table, checkTime }: Pick<Source, "table" | "checkTime">,
  filter: RowFilter,
): Int32Array {
  const rows = new Int32Array(table.size);
  let found = 0;
  const bits = createBits();
  for (const [index, chunk] of table.chunks.entries()) {
    checkTime?.();
    selectRows(filter, chunk, bits);
    const base = ordinalOf(index, 0);
    eachSetBit(bits, wordsFor(chunk.count), (row) => {
      rows[found++] = base + row;
    });
  }
  return rows.subarray(0, found);
}
