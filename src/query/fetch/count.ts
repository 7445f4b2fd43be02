import { countBits, createBits, wordsFor } from "../filter/bitmap.js";
import { compileFilter, selectRows } from "../filter/row-filter.js";
import { namedRows } from "../plan/named-rows.js";
import type { Plan } from "../plan/plan.js";
import { checkRows, type Source } from "../source.js";
import { linkedRows } from "./by-link.js";

/** How many records match; the order, range and limit of the plan are left aside. */
export function countRows(source: Source, { access, residual }: Plan): number {
  const { table } = source;
  const filter = compileFilter(residual, source);
  let total = 0;
  if (access.kind === "ids" || access.kind === "unique-index") {
    return namedRows(table, access).filter(filter.matches).length;
  }
  if (access.kind === "link-index") {
    const { runs, dirty, written } = linkedRows(table, access);
    const check = checkRows(source);
    const matches = (row: number): boolean => {
      check();
      return filter.matches(row);
    };
    for (const run of runs) {
      for (const row of run) if (!dirty.has(row) && matches(row)) total++;
    }
    for (const row of written) if (matches(row)) total++;
    return total;
  }
  const bits = createBits();
  for (const chunk of table.chunks) {
    selectRows(filter, chunk, bits);
    total += countBits(bits, wordsFor(chunk.count));
  }
  return total;
}
