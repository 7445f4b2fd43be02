import { NULL_CODE } from "../../storage/vectors.js";
import type { RowQuery } from "../bound/query.js";
import type { QueryRun } from "../query-run.js";
import { FILTERED_PAGE, LINKED_PAGE, MIN_SORTED_SHARE, SORTED_PAGE } from "../thresholds.js";
import { requestIndex, type TableRun, viewIndex } from "./indexes.js";
import {
  availableIn,
  conjunctsOf,
  idDirection,
  linkConditionOf,
  type Plan,
  planRows,
} from "./plan.js";
import { linkIndexRecipe, orderIndexRecipe, rowsLinkedTo, scanCodes } from "./row-index.js";

/** Plans a run, and records missing indexes. */
export function planRun(run: QueryRun, query: RowQuery): Plan {
  const plan = planRows(query, availableIn(run));
  if (run.indexes !== "never") recordDemand(run, plan);
  return plan;
}

/** Records the indexes that a query lacks. */
function recordDemand(run: QueryRun, { query, access }: Plan): void {
  if (access.kind === "ids" || access.kind === "unique-index") return;
  const { table, indexes } = run;
  const used = "index" in access ? access.index : undefined;
  const { order, predicate, limit } = query;
  for (const part of conjunctsOf(predicate)) {
    const condition = linkConditionOf(part);
    if (condition === undefined) continue;
    const { slot } = condition;
    requestIndex(run, linkIndexRecipe(slot), 1, used);
    if (access.kind !== "link-index" || access.slot !== slot) continue;
    if (table.idsAscend && idDirection(order) !== undefined) return;
    const isWorth = indexes === "always" || access.rows >= limit * MIN_SORTED_SHARE;
    const recipe = isWorth ? orderIndexRecipe(order, slot) : undefined;
    if (recipe !== undefined) requestIndex(run, recipe, LINKED_PAGE, used);
    return;
  }
  if (access.kind === "storage-order" || limit === Infinity) return;
  const recipe = orderIndexRecipe(order);
  if (recipe !== undefined) requestIndex(run, recipe, weightOf(query), used);
}

function weightOf({ range, predicate }: RowQuery): number {
  if (range.after !== undefined || range.before !== undefined) return 1;
  return predicate.kind === "constant" ? SORTED_PAGE : FILTERED_PAGE;
}

/** Returns the rows that link to any of some ids. Repeated calls build the link's index. */
export function findLinkingRows(
  run: TableRun,
  slot: number,
  ids: Iterable<string>,
): readonly number[] {
  const { table, indexes } = run;
  const dictionary = table.dictionaries.get(slot);
  const codes = new Set(Array.from(ids, (id) => dictionary?.find(id) ?? NULL_CODE));
  codes.delete(NULL_CODE);
  if (codes.size === 0) return [];
  const recipe = linkIndexRecipe(slot);
  requestIndex(run, recipe);
  const view = indexes === "never" ? undefined : viewIndex(table, recipe);
  if (view === undefined) return scanCodes(run, slot, codes);
  const { runs, dirty, written } = rowsLinkedTo(table, slot, view, codes);
  return runs.flatMap((run) => Array.from(run).filter((row) => !dirty.has(row))).concat(written);
}
