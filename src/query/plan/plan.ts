import { ID_SLOT } from "../../schema/columns.js";
import { uniqueKey } from "../../storage/unique.js";
import { combine, type Predicate } from "../bound/condition.js";
import { BY_ID, isOwnId, type Order } from "../bound/order.js";
import { WHOLE } from "../bound/point.js";
import type { RowQuery } from "../bound/query.js";
import { MAX_LINKED_SHARE } from "../thresholds.js";
import type { Available } from "./available.js";
import { linkKey, orderKey, sortedLinkKey } from "./index-keys.js";
import { linkConditionOf } from "./link-condition.js";

/** How a query finds its rows. */
export type Access =
  | NamedAccess
  /** Takes the rows that link to certain records from an index. */
  | LinkAccess
  /** Goes through the rows as they are stored, which is their order, until the page is full. */
  | { readonly kind: "storage-order"; readonly backward: boolean }
  /** Goes through the rows in the order that an index keeps, until the page is full. */
  | { readonly kind: "order-index"; readonly index: string }
  /** Goes through all rows and keeps the first ones of the order. */
  | { readonly kind: "scan" };

export type NamedAccess =
  /** Looks records up by the ids that the filter names. */
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  /** Looks records up by the values of a `unique` column that the filter names. */
  | {
      readonly kind: "unique-index";
      readonly column: string;
      readonly slot: number;
      /** The values, each as its `uniqueKey`. */
      readonly keys: readonly string[];
    };

export interface LinkAccess {
  readonly kind: "link-index";
  /** The link, as the filter names it. */
  readonly column: string;
  readonly slot: number;
  /** The codes of the records' ids in the link column. */
  readonly codes: readonly number[];
  /** Rows that have one of them. */
  readonly rows: number;
  /** Key of the index. */
  readonly index: string;
  /** How the rows of one id are read that the index keeps in the order wanted, if it does. */
  readonly sorted: "forward" | "backward" | undefined;
}

/** All that is done to find rows, as plain data. */
export interface Plan {
  readonly access: Access;
  /** What the access path leaves to be tested for each row. */
  readonly residual: Predicate;
  readonly order: Order;
  readonly range: RowQuery["range"];
  /** Whether rows are taken from the end of the order on. */
  readonly backward: boolean;
  /** Rows wanted at most. */
  readonly limit: number;
}

/** Chooses how to find the rows of a query. */
export function planRows(query: RowQuery, available: Available): Plan {
  const { access, residual } = chooseAccess(query, available);
  const { order, range, backward, limit } = query;
  return { access, residual, order, range, backward, limit };
}

/** Chooses how to find all rows that match, in any order. */
export function planMatches(predicate: Predicate, available: Available): Plan {
  const query = { predicate, order: BY_ID, range: WHOLE, backward: false, limit: Infinity };
  return { ...query, ...(chooseMatching(query, available) ?? scanFor(predicate)) };
}

type Choice = Pick<Plan, "access" | "residual">;

function chooseAccess(query: RowQuery, available: Available): Choice {
  const { predicate, order, backward } = query;
  const matching = chooseMatching(query, available);
  if (matching !== undefined) return matching;
  const descending = idDirection(order);
  if (available.idsAscend && descending !== undefined) {
    const access = { kind: "storage-order", backward: descending !== backward } as const;
    return { access, residual: predicate };
  }
  const index = orderKey(order);
  if (index !== undefined && available.has(index)) {
    return { access: { kind: "order-index", index }, residual: predicate };
  }
  return scanFor(predicate);
}

/** The access by what the filter names: ids, unique values, linked records. */
function chooseMatching(query: RowQuery, available: Available): Choice | undefined {
  return chooseNamed(query.predicate, available) ?? chooseLink(query, available);
}

function scanFor(predicate: Predicate): Choice {
  return { access: { kind: "scan" }, residual: predicate };
}

/** The parts of a predicate that all have to hold. */
export function conjunctsOf(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === "all" ? predicate.parts : [predicate];
}

function without(predicate: Predicate, part: Predicate): Predicate {
  return combine(
    "all",
    conjunctsOf(predicate).filter((other) => other !== part),
  );
}

/** The ids that a filter names, else the values of a `unique` column. */
function chooseNamed(predicate: Predicate, available: Available): Choice | undefined {
  let chosen: Choice | undefined;
  for (const part of conjunctsOf(predicate)) {
    const access = namedAccess(part, available);
    if (access === undefined) continue;
    const choice = { access, residual: without(predicate, part) };
    if (access.kind === "ids") return choice;
    chosen ??= choice;
  }
  return chosen;
}

function namedAccess(predicate: Predicate, available: Available): NamedAccess | undefined {
  if (predicate.kind !== "leaf") return undefined;
  const { column, test, negated, nullMatches } = predicate;
  if (column.hops.length > 0 || negated || nullMatches) return undefined;
  const values =
    test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : undefined;
  if (values === undefined) return undefined;
  const { slot, path } = column;
  if (slot === ID_SLOT) return { kind: "ids", ids: [...new Set(values as readonly string[])] }; // it holds strings
  if (!available.isUnique(slot)) return undefined;
  return {
    kind: "unique-index",
    column: path,
    slot,
    keys: [...new Set(values.map((value) => uniqueKey(value!)))],
  }; // null is no leaf
}

/** A link index, if a condition on a link leaves few rows. */
function chooseLink(query: RowQuery, available: Available): Choice | undefined {
  for (const part of conjunctsOf(query.predicate)) {
    const condition = linkConditionOf(part);
    const linked = condition && available.linked(condition);
    if (linked === undefined || linked.rows > available.size * MAX_LINKED_SHARE) continue;
    const { column, slot } = condition!; // without one nothing is linked
    const index = chooseRuns(query, slot, available);
    return {
      access: { kind: "link-index", column, slot, ...linked, ...index },
      residual: without(query.predicate, part),
    };
  }
  return undefined;
}

/** The index whose rows are in the order wanted, if there is one. */
function chooseRuns(
  { order, backward }: RowQuery,
  slot: number,
  available: Available,
): Pick<LinkAccess, "index" | "sorted"> {
  const descending = idDirection(order);
  if (available.idsAscend && descending !== undefined) {
    return { index: linkKey(slot), sorted: descending === backward ? "forward" : "backward" };
  }
  const index = sortedLinkKey(slot, order);
  return index !== undefined && available.has(index)
    ? { index, sorted: backward ? "backward" : "forward" }
    : { index: linkKey(slot), sorted: undefined };
}

/** Whether an order by id alone goes down; undefined for any other order. */
export function idDirection({ keys, seed }: Order): boolean | undefined {
  const first = keys[0];
  // Ids differ, so what follows an order by id never counts.
  if (first === undefined) return seed === undefined ? false : undefined;
  return isOwnId(first) ? first.descending : undefined;
}
