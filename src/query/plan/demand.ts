import type { TableVersion } from "../../storage/table.js";
import { NULL_CODE } from "../../storage/vectors.js";
import type { RowQuery } from "../bound/query.js";
import { ownSource, type Source } from "../source.js";
import { FILTERED_PAGE, LINKED_PAGE, MIN_SORTED_SHARE, SORTED_PAGE } from "../thresholds.js";
import { type IndexOption, requestIndex, viewIndex } from "./indexes.js";
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
export function planRun(source: Source, query: RowQuery, option: IndexOption): Plan {
  const plan = planRows(query, availableIn(source, option));
  if (option !== "never") recordDemand(source, plan, option);
  return plan;
}

/** Records the indexes that a query lacks. */
function recordDemand(source: Source, { query, access }: Plan, option: IndexOption): void {
  if (access.kind === "ids" || access.kind === "unique-index") return;
  const { table, checkTime } = source;
  const own = ownSource(table, checkTime);
  const used = "index" in access ? access.index : undefined;
  const { order, predicate, limit } = query;
  for (const part of conjunctsOf(predicate)) {
    const condition = linkConditionOf(part);
    if (condition === undefined) continue;
    const { slot } = condition;
    requestIndex(own, linkIndexRecipe(slot), option, 1, used);
    if (access.kind !== "link-index" || access.slot !== slot) continue;
    if (table.idsAscend && idDirection(order) !== undefined) return;
    const isWorth = option === "always" || access.rows >= limit * MIN_SORTED_SHARE;
    const recipe = isWorth ? orderIndexRecipe(order, slot) : undefined;
    if (recipe !== undefined) requestIndex(own, recipe, option, LINKED_PAGE, used);
    return;
  }
  if (access.kind === "storage-order" || limit === Infinity) return;
  const recipe = orderIndexRecipe(order);
  if (recipe !== undefined) requestIndex(own, recipe, option, weightOf(query), used);
}

function weightOf({ range, predicate }: RowQuery): number {
  if (range.after !== undefined || range.before !== undefined) return 1;
  return predicate.kind === "constant" ? SORTED_PAGE : FILTERED_PAGE;
}

/** Returns the rows that link to any of some ids. Repeated calls build the link's index. */
export function findLinkingRows(
  table: TableVersion,
  slot: number,
  ids: Iterable<string>,
  { indexes, checkTime }: Pick<Source, "checkTime"> & { readonly indexes: IndexOption },
): readonly number[] {
  const dictionary = table.dictionaries.get(slot);
  const codes = new Set(Array.from(ids, (id) => dictionary?.find(id) ?? NULL_CODE));
  codes.delete(NULL_CODE);
  if (codes.size === 0) return [];
  const source = ownSource(table, checkTime);
  const recipe = linkIndexRecipe(slot);
  requestIndex(source, recipe, indexes);
  const view = indexes === "never" ? undefined : viewIndex(table, recipe);
  if (view === undefined) return scanCodes(source, slot, codes);
  const { runs, dirty, written } = rowsLinkedTo(table, slot, view, codes);
  return runs.flatMap((run) => Array.from(run).filter((row) => !dirty.has(row))).concat(written);
}
