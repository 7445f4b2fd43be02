import type { RowQuery } from "../bound/query.js";
import { ownSource, type Source } from "../source.js";
import { FILTERED_PAGE, LINKED_PAGE, MIN_SORTED_SHARE, SORTED_PAGE } from "../thresholds.js";
import { type IndexOption, offerIndex } from "./indexes.js";
import { linkConditionOf } from "./link-condition.js";
import { linkIndexRecipe, sortedLinkIndexRecipe } from "./link-index.js";
import { orderIndexRecipe } from "./order-index.js";
import { conjunctsOf, idDirection, type Plan } from "./plan.js";

/**
 * Notes which indexes a query would have used, for the queries to come: they are built, or brought
 * up to date, once enough queries have asked for them. Called by what runs a query, never by what
 * explains one.
 */
export function offerIndexes(
  source: Source,
  query: RowQuery,
  { access }: Plan,
  option: IndexOption,
): void {
  if (option === "never" || access.kind === "ids" || access.kind === "unique-index") return;
  const { table, checkTime } = source;
  const own = ownSource(table, checkTime);
  const used = "index" in access ? access.index : undefined;
  for (const part of conjunctsOf(query.predicate)) {
    const condition = linkConditionOf(part);
    if (condition === undefined) continue;
    const { slot } = condition;
    offerIndex(own, linkIndexRecipe(slot), option, 1, used);
    if (access.kind !== "link-index" || access.slot !== slot) continue;
    if (table.idsAscend && idDirection(query.order) !== undefined) return;
    const isWorth = option === "always" || access.rows >= query.limit * MIN_SORTED_SHARE;
    const recipe = isWorth ? sortedLinkIndexRecipe(slot, query.order) : undefined;
    if (recipe !== undefined) offerIndex(own, recipe, option, LINKED_PAGE, used);
    return;
  }
  if (access.kind === "storage-order") return;
  const recipe = orderIndexRecipe(query.order);
  if (recipe !== undefined) offerIndex(own, recipe, option, weightOf(query), used);
}

function weightOf({ range, predicate }: RowQuery): number {
  if (range.after !== undefined || range.before !== undefined) return 1;
  return predicate.kind === "constant" ? SORTED_PAGE : FILTERED_PAGE;
}
