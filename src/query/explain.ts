import { ordinalOf } from "../storage/chunk.js";
import type { TableVersion } from "../storage/table.js";
import type { PlanDescription, PlanEstimate } from "../types.js";
import { describeOrder, describePredicate } from "./bound/describe.js";
import { countRows, openAccess } from "./fetch/fetch.js";
import { compileFilter } from "./filter/row-filter.js";
import type { Access, Plan } from "./plan/plan.js";
import type { QueryRun, TableView } from "./query-run.js";
import { ESTIMATE_ROWS } from "./thresholds.js";

export function describePlan(run: QueryRun, plan: Plan): PlanDescription {
  return {
    access: describeAccess(plan.access),
    residual: describePredicate(plan.residual),
    order: describeOrder(plan.query.order, run.profile),
    limit: plan.query.limit,
    estimate: estimatePlan(run, plan),
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

/** The golden ratio: its multiples modulo 1 spread evenly. */
const GOLDEN_RATIO = 0.618033988749895;

/** Estimates the residual's selectivity from a sample of rows; page ranges are ignored. */
function estimatePlan(view: TableView, plan: Plan): PlanEstimate {
  const { query, access, residual } = plan;
  const { limit } = query;
  const { table } = view;
  if (access.kind === "ids" || access.kind === "unique-index") {
    const { candidates } = openAccess(view, plan);
    return { examined: candidates, rows: Math.min(limit, countRows(view, plan)) };
  }
  const sample = sampleRows(table);
  const { matches } = compileFilter(residual, view);
  const share = sample.length === 0 ? 0 : sample.filter(matches).length / sample.length;
  const candidates = access.kind === "link-index" ? access.rows : table.size;
  const rows = Math.min(limit, Math.round(candidates * share));
  const isOrdered = access.kind === "order-index" || access.kind === "storage-order";
  const examined = isOrdered && rows === limit ? Math.ceil(limit / share) : candidates;
  return { examined: Math.min(candidates, examined), rows };
}

/** Samples one row from each of many equal parts; returns all rows of a small table. */
function sampleRows({ chunks }: TableVersion): number[] {
  const total = chunks.reduce((sum, { count }) => sum + count, 0);
  const part = Math.max(1, total / ESTIMATE_ROWS);
  const sample: number[] = [];
  let [first, taken] = [0, 0];
  for (const [index, chunk] of chunks.entries()) {
    for (;;) {
      // Jitter: equal distances would bias the sample for periodic values.
      const row = Math.floor((taken + ((taken * GOLDEN_RATIO) % 1)) * part) - first;
      if (row >= chunk.count) break;
      if (!chunk.isDeleted(row)) sample.push(ordinalOf(index, row));
      taken++;
    }
    first += chunk.count;
  }
  return sample;
}
