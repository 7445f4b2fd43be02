import { ordinalOf } from "../storage/chunk.js";
import type { TableVersion } from "../storage/table.js";
import type { PlanDescription, PlanEstimate } from "../types.js";
import { describeOrder, describePredicate } from "./bound/describe.js";
import { openAccess } from "./fetch/access.js";
import { countRows } from "./fetch/fetch.js";
import { compileFilter } from "./filter/row-filter.js";
import type { Access, Plan } from "./plan/plan.js";
import type { Source } from "./source.js";
import { ESTIMATE_ROWS } from "./thresholds.js";

/** A plan as `explain` tells it. */
export function describePlan(source: Source, plan: Plan): PlanDescription {
  return {
    access: describeAccess(plan.access),
    residual: describePredicate(plan.residual),
    order: describeOrder(plan.order),
    limit: plan.limit,
    estimate: estimatePlan(source, plan),
  };
}

function describeAccess(access: Access): PlanDescription["access"] {
  switch (access.kind) {
    case "ids":
      return { kind: "ids", ids: access.ids.length };
    case "unique-index":
      return { kind: "unique-index", column: access.column, ids: access.keys.length };
    case "storage-order":
      return { kind: "storage-order", backward: access.backward };
    case "link-index": {
      const { kind, column, codes, sorted } = access;
      return { kind, column, ids: codes.length, sorted: sorted !== undefined };
    }
    case "order-index":
    case "scan":
      return { kind: access.kind };
  }
}

/** Its multiples are spread evenly over the parts of a whole. */
const GOLDEN_RATIO = 0.618033988749895;

/**
 * How many rows a plan looks at and gives. The share of rows that pass its own test is that of a
 * sample, so that both are exact for a table of no more rows than a sample has. The bounds of a
 * range of pages are left aside.
 */
function estimatePlan(source: Source, plan: Plan): PlanEstimate {
  const { access, residual, limit } = plan;
  const { table } = source;
  if (access.kind === "ids" || access.kind === "unique-index") {
    const { candidates } = openAccess(source, plan);
    return { examined: candidates, rows: Math.min(limit, countRows(source, plan)) };
  }
  const sample = sampleRows(table);
  const { matches } = compileFilter(residual, source);
  const share = sample.length === 0 ? 0 : sample.filter(matches).length / sample.length;
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
