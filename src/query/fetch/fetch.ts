import { countBits, eachSetBit, lowestBit, wordsFor } from "../filter/bitmap.js";
import type { RowVisitor } from "../filter/row-filter.js";
import { RowOrder } from "../order/row-order.js";
import { TopRows } from "../order/top-rows.js";
import type { Plan } from "../plan/plan.js";
import type { Source } from "../source.js";
import { type AccessPath, openAccess } from "./access.js";

/** Returns the first rows of a plan, in the direction of paging. */
export function fetchRows(
  source: Source,
  plan: Plan,
  order: RowOrder = new RowOrder(source, plan.query.order),
): number[] {
  const path = openAccess(source, plan, order);
  const { range, limit, backward } = plan.query;
  const isBounded = path.isBounded || (range.after === undefined && range.before === undefined);
  const isWanted = isBounded ? undefined : (row: number) => order.isInRange(row, range);
  if (path.isOrdered) {
    const page = createPage(limit, path.isReversed, isWanted);
    if (path.visit(page)) return page.rows;
    return fetchRows(source, { ...plan, access: { kind: "scan" } }, order);
  }
  if (limit >= source.table.size) {
    const rows = order.sort(gather(path).filter((row) => isWanted?.(row) ?? true));
    return Array.from(backward ? rows.reverse() : rows);
  }
  const top = new TopRows(limit, order, backward, isWanted);
  path.visit(top);
  return top.toSorted();
}

export function countRows(source: Source, plan: Plan): number {
  let count = 0;
  openAccess(source, plan).visit({
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

export function gatherRows(source: Source, plan: Plan): Int32Array {
  return gather(openAccess(source, plan));
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
