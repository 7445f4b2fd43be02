import { ID_SLOT } from "../../schema/columns.js";
import type { TableIndex } from "../../storage/history.js";
import type { TableVersion } from "../../storage/table.js";
import type { Order } from "../bound/order.js";
import { combine, type Leaf, type Predicate } from "../bound/predicate.js";
import {
  type IndexOption,
  type IndexRecipe,
  type IndexView,
  offerIndex,
  viewIndex,
} from "./indexes.js";
import { linkCondition } from "./link-condition.js";
import {
  countLinkedTo,
  type LinkIndex,
  linkIndexRecipe,
  sortedLinkIndexRecipe,
} from "./link-index.js";
import { type OrderIndex, orderIndexKey, orderIndexRecipe } from "./order-index.js";

/** How a query finds its rows. */
export type Access =
  /** Looks records up by the ids that the filter names. */
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** Takes the rows that link to the records the filter asks for from an index. */
  | {
      readonly kind: "link-index";
      readonly column: string;
      readonly slot: number;
      readonly codes: ReadonlySet<number>;
      readonly view: IndexView<LinkIndex>;
      /** Whether the rows of each id stand in the order wanted, or against it. */
      readonly sorted: "forward" | "backward" | undefined;
    }
  /** Goes through the rows as they stand, which is their order, and ends when the page is full. */
  | { readonly kind: "storage-order"; readonly backward: boolean }
  /** Goes through the rows in the order an index keeps, and ends when the page is full. */
  | { readonly kind: "order-index"; readonly view: IndexView<OrderIndex> }
  /** Goes through all rows and keeps the first ones of the order. */
  | { readonly kind: "scan" };

/** What is done for one page. */
export interface Plan {
  readonly access: Access;
  /** What the access path leaves to be tested for each row. */
  readonly residual: Predicate;
  readonly order: Order;
  /** Rows wanted: the offset, the page and one to know whether there is more. */
  readonly limit: number;
}

/** What a plan is made for. */
export interface PlanRequest {
  readonly predicate: Predicate;
  readonly order: Order;
  readonly limit: number;
  readonly backward: boolean;
  /** Whether the page follows another, so that more are likely to come. */
  readonly isWalk: boolean;
  readonly indexes: IndexOption;
}

/** Chooses how to find the rows of a page. */
export function createPlan(table: TableVersion, request: PlanRequest): Plan {
  const { order, limit } = request;
  const { access, residual } = chooseAccess(table, request);
  return { access, residual, order, limit };
}

function chooseAccess(
  table: TableVersion,
  request: PlanRequest,
): Pick<Plan, "access" | "residual"> {
  const { predicate, order, backward } = request;
  const parts = predicate.kind === "all" ? predicate.parts : [predicate];
  for (const part of parts) {
    const ids = part.kind === "leaf" ? namedIds(part) : undefined;
    if (ids === undefined) continue;
    return { access: { kind: "ids", ids }, residual: without(parts, part) };
  }
  const byLink = chooseLink(table, parts, request);
  if (byLink !== undefined) return byLink;
  const descending = idDirection(order);
  if (table.idsAscend && descending !== undefined) {
    const access: Access = { kind: "storage-order", backward: descending !== backward };
    return { access, residual: predicate };
  }
  const view = findOrderIndex(table, request);
  const access: Access = view === undefined ? { kind: "scan" } : { kind: "order-index", view };
  return { access, residual: predicate };
}

function without(parts: readonly Predicate[], part: Predicate): Predicate {
  return combine(
    "all",
    parts.filter((other) => other !== part),
  );
}

/** Share of a table's rows up to which taking them from a link index beats going through all. */
const MAX_LINKED_SHARE = 1 / 8;

/** A link index, if a condition on a link leaves few rows. */
function chooseLink(
  table: TableVersion,
  parts: readonly Predicate[],
  request: PlanRequest,
): Pick<Plan, "access" | "residual"> | undefined {
  if (request.indexes === "never") return undefined;
  for (const part of parts) {
    const linked = part.kind === "leaf" ? linkCondition(part) : undefined;
    if (linked === undefined) continue;
    const { slot, column } = linked;
    const view = findNow(table, linkIndexRecipe(slot), request.indexes);
    if (view === undefined) continue;
    const codes = linked.codes(table);
    if (codes === undefined) continue;
    const count = countLinkedTo(view.index, codes);
    if (count > table.size * MAX_LINKED_SHARE) continue;
    const sorted = chooseSorted(table, slot, view, count, request);
    return {
      access: { kind: "link-index", column, slot, codes, ...sorted },
      residual: without(parts, part),
    };
  }
  return undefined;
}

/** Offers an index first, so that the query at hand already has it. */
function findNow<T extends TableIndex>(
  table: TableVersion,
  recipe: IndexRecipe<T>,
  option: IndexOption,
  weight = 1,
): IndexView<T> | undefined {
  offerIndex(table, recipe, option, weight);
  return option === "never" ? undefined : viewIndex(table, recipe);
}

/** Pages of so many times their records are taken from runs that stand in order. */
const MIN_SORTED_SHARE = 4;
/** Sorting all runs takes as long as picking the first rows of so many times one. */
const LINKED_PAGE = 1 / 128;

/** The runs of a link index in the order wanted, where they stand so or enough pages asked for it. */
function chooseSorted(
  table: TableVersion,
  slot: number,
  view: IndexView<LinkIndex>,
  count: number,
  { order, backward, indexes, limit }: PlanRequest,
): { readonly view: IndexView<LinkIndex>; readonly sorted: "forward" | "backward" | undefined } {
  const descending = idDirection(order);
  if (table.idsAscend && descending !== undefined) {
    return { view, sorted: descending === backward ? "forward" : "backward" };
  }
  const recipe = sortedLinkIndexRecipe(slot, order);
  const isWorth = indexes === "always" || count >= limit * MIN_SORTED_SHARE;
  const sorted =
    recipe !== undefined && isWorth ? findNow(table, recipe, indexes, LINKED_PAGE) : undefined;
  if (sorted === undefined) return { view, sorted: undefined };
  return { view: sorted, sorted: backward ? "backward" : "forward" };
}

/**
 * What a page that begins an order counts towards its index, where a page of a walk counts one: by
 * the time an index is built, doing without has cost about as much as building it.
 */
const SORTED_PAGE = 1 / 32;
const FILTERED_PAGE = 1 / 512;

/** The index of the order, once walks or sorted pages have asked for it often enough. */
function findOrderIndex(
  table: TableVersion,
  request: PlanRequest,
): IndexView<OrderIndex> | undefined {
  const key = orderIndexKey(request.order);
  if (key === undefined) return undefined;
  const isFiltered = request.predicate.kind !== "constant";
  const wanted = request.isWalk ? 1 : isFiltered ? FILTERED_PAGE : SORTED_PAGE;
  return findNow(table, orderIndexRecipe(key, request.order), request.indexes, wanted);
}

/** The ids that a leaf asks for; that of a linked record has the slot of the link. */
function namedIds({ column, test, negated, nullMatches }: Leaf): readonly string[] | undefined {
  if (column.slot !== ID_SLOT || negated || nullMatches) return undefined;
  if (test.kind === "equals") return [test.value as string]; // the column holds strings
  return test.kind === "among" ? [...new Set(test.values as readonly string[])] : undefined;
}

/** Whether an order by id alone goes down; undefined for any other order. */
function idDirection({ keys, seed }: Order): boolean | undefined {
  const first = keys[0];
  // Ids differ, so what follows an order by id never counts.
  if (first === undefined) return seed === undefined ? false : undefined;
  return first.column.slot === ID_SLOT ? first.descending : undefined;
}
