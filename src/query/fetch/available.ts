import type { LeafColumn } from "../../schema/columns.js";
import { ordinalOf } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/vectors.js";
import { linksTo, type RowQuery } from "../bound/bound-query.js";
import { createBits, eachSetBit, wordsFor } from "../filter/kernels.js";
import { compileFilter, selectRows } from "../filter/row-filter.js";
import { requestIndex, takesTooLong, viewIndex } from "../plan/indexes.js";
import {
  type Available,
  allMatching,
  conjunctsOf,
  idDirection,
  type LinkCondition,
  type LinkedCondition,
  linkConditionOf,
  type Plan,
  planRows,
} from "../plan/plan.js";
import { linkIndexRecipe, orderIndexRecipe } from "../plan/row-index.js";
import { type TableView, viewAt } from "../query-run.js";
import {
  FILTERED_PAGE,
  LINKED_PAGE,
  MAX_LINK_TARGETS,
  MIN_SORTED_SHARE,
  SORTED_PAGE,
} from "../thresholds.js";
import { gatherRows } from "./fetch.js";

/** Plans a run, and records missing indexes. */
export function planRun(view: TableView, query: RowQuery): Plan {
  const plan = planRows(query, availableIn(view));
  if (view.indexes !== "never") recordDemand(view, plan);
  return plan;
}

/** Returns the rows whose link is one of some ids, in storage order. */
export function findLinkingRows(
  view: TableView,
  link: LeafColumn,
  ids: readonly string[],
): Int32Array {
  return gatherRows(view, planRun(view, allMatching(linksTo(link, ids)))).sort();
}

/** Records the indexes that a query lacks. */
function recordDemand(view: TableView, { query, access }: Plan): void {
  if (access.kind === "ids" || access.kind === "unique-index") return;
  const { table, indexes } = view;
  const used = "index" in access ? access.index : undefined;
  const { order, predicate, limit } = query;
  for (const part of conjunctsOf(predicate)) {
    const condition = linkConditionOf(part);
    if (condition === undefined) continue;
    const { slot } = condition;
    requestIndex(view, linkIndexRecipe(slot), 1, used);
    if (access.kind !== "link-index" || access.slot !== slot) continue;
    if (table.idsAscend && idDirection(order) !== undefined) return;
    const isWorth = indexes === "always" || access.rows >= limit * MIN_SORTED_SHARE;
    const recipe = isWorth ? orderIndexRecipe(order, slot) : undefined;
    if (recipe !== undefined) requestIndex(view, recipe, LINKED_PAGE, used);
    return;
  }
  if (access.kind === "storage-order" || limit === Infinity) return;
  const recipe = orderIndexRecipe(order);
  if (recipe !== undefined) requestIndex(view, recipe, weightOf(query), used);
}

function weightOf({ range, predicate }: RowQuery): number {
  if (range.after !== undefined || range.before !== undefined) return 1;
  return predicate.kind === "constant" ? SORTED_PAGE : FILTERED_PAGE;
}

/** With option `always`, every index counts as present; those of links are built to count rows. */
export function availableIn(view: TableView): Available {
  const { table, indexes } = view;
  const has = (key: string): boolean =>
    indexes !== "never" &&
    (viewIndex(table, { key }) !== undefined ||
      (indexes === "always" && !takesTooLong(table, key)));
  return {
    size: table.size,
    idsAscend: table.idsAscend,
    isUnique: (slot) => table.uniques.has(slot),
    has,
    linked(condition) {
      const recipe = linkIndexRecipe(condition.slot);
      if (indexes === "always") requestIndex(view, recipe);
      const found = indexes === "never" ? undefined : viewIndex(table, recipe);
      if (found === undefined) return undefined;
      const { index } = found;
      const codes = codesOf(condition, view);
      return (
        codes && { codes, rows: codes.reduce((sum, code) => sum + index.runOf(code).length, 0) }
      );
    },
  };
}

/** Returns the codes of a condition's ids; undefined if there are too many. */
function codesOf(condition: LinkCondition, view: TableView): number[] | undefined {
  const dictionary = view.table.dictionaries.get(condition.slot);
  const { ids: given } = condition;
  const ids = dictionary && ("hop" in given ? idsWhere(view, given) : given);
  if (ids === undefined) return undefined;
  const codes = ids.map((id) => dictionary!.find(id)); // a non-empty link column has one
  return [...new Set(codes.filter((code) => code !== NULL_CODE))];
}

/** Returns the ids of matching records; undefined if there are too many. */
function idsWhere(from: TableView, { hop, condition }: LinkedCondition): string[] | undefined {
  const view = viewAt(from, hop.target);
  const { table } = view;
  const filter = compileFilter(condition, view);
  const ids: string[] = [];
  const bits = createBits(table);
  for (const [index, chunk] of table.chunks.entries()) {
    selectRows(filter, chunk, bits);
    eachSetBit(bits, wordsFor(chunk.count), (row) => {
      ids.push(table.idAt(ordinalOf(index, row)));
    });
    if (ids.length > MAX_LINK_TARGETS) break;
  }
  return ids.length > MAX_LINK_TARGETS ? undefined : ids;
}
