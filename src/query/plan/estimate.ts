import { ordinalOf } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { PlanEstimate } from "../../types.js";
import { compileFilter } from "../filter/row-filter.js";
import type { Source } from "../source.js";
import { ESTIMATE_ROWS } from "../thresholds.js";
import { namedRows } from "./named-rows.js";
import type { Plan } from "./plan.js";

/** Its multiples are spread evenly over the parts of a whole. */
const GOLDEN_RATIO = 0.618033988749895;

/**
 * How many rows a plan looks at and gives. The share of rows that pass its own test is that of a
 * sample, so that both are exact for a table of no more rows than a sample has. The bounds of a
 * range of pages are left aside.
 */
export function estimatePlan(source: Source, { access, residual, limit }: Plan): PlanEstimate {
  const { table } = source;
  const passing = compileFilter(residual, source);
  const count = (rows: readonly number[]): number => rows.filter(passing.matches).length;
  if (access.kind === "ids" || access.kind === "unique-index") {
    const rows = namedRows(table, access);
    return { examined: rows.length, rows: Math.min(limit, count(rows)) };
  }
  const sample = sampleRows(table);
  const share = sample.length === 0 ? 0 : count(sample) / sample.length;
  const candidates = access.kind === "link-index" ? access.rows : table.size;
  const rows = Math.min(limit, Math.round(candidates * share));
  const isOrdered = access.kind === "order-index" || access.kind === "storage-order";
  // In the order wanted, rows are looked at until the page is full.
  const examined = isOrdered && rows === limit ? Math.ceil(limit / share) : candidates;
  return { examined: Math.min(candidates, examined), rows };
}

/** A row of each of as many equal parts of the table; all rows where they are few. */
function sampleRows({ chunks }: TableVersion): number[] {
  const total = chunks.reduce((sum, { count }) => sum + count, 0);
  const part = Math.max(1, total / ESTIMATE_ROWS);
  const sample: number[] = [];
  let [first, taken] = [0, 0];
  for (const [index, chunk] of chunks.entries()) {
    for (;;) {
      // Not at equal distances: values that repeat at that distance would bias the sample.
      const row = Math.floor((taken + ((taken * GOLDEN_RATIO) % 1)) * part) - first;
      if (row >= chunk.count) break;
      if (!chunk.isDeleted(row)) sample.push(ordinalOf(index, row));
      taken++;
    }
    first += chunk.count;
  }
  return sample;
}
