import { ID_SLOT } from "../../schema/columns.js";
import { uniqueKey } from "../../storage/unique.js";
import {
  BY_ID,
  combine,
  type Hop,
  type Leaf,
  type NullTest,
  type Order,
  type Predicate,
  type RowQuery,
  WHOLE_RANGE,
} from "../bound/bound-query.js";
import { isOwnId } from "../bound/order.js";
import { MAX_LINKED_SHARE } from "../thresholds.js";
import { linkKey, orderKey } from "./indexes.js";

export type Access =
  | NamedAccess
  | LinkAccess
  /** Scan in storage order, equal to the requested order; stops when the page is full. */
  | { readonly kind: "storage-order"; readonly backward: boolean }
  /** Walk in index order; stops when the page is full. */
  | { readonly kind: "order-index"; readonly index: string }
  /** Top-k over all rows. */
  | { readonly kind: "scan" };

export type NamedAccess =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | {
      readonly kind: "unique-index";
      readonly column: string;
      readonly slot: number;
      /** As `uniqueKey`s. */
      readonly keys: readonly string[];
    };

export interface LinkAccess {
  readonly kind: "link-index";
  readonly column: string;
  readonly slot: number;
  /** Codes of the ids in the link column. */
  readonly codes: readonly number[];
  /** Rows with one of the codes. */
  readonly rows: number;
  readonly index: string;
  /** The direction, if runs are in the requested order. */
  readonly sorted: "forward" | "backward" | undefined;
}

/** A query plan, as plain data. */
export interface Plan {
  readonly query: RowQuery;
  readonly access: Access;
  /** The residual filter, tested for each row found. */
  readonly residual: Predicate;
}

export function planRows(query: RowQuery, available: Available): Plan {
  return { query, ...chooseAccess(query, available) };
}

/** Plans a query without indexes, in any order. */
function scanFor(query: RowQuery): Plan {
  return { query, access: { kind: "scan" }, residual: query.predicate };
}

/** Returns the query for all matches, in any order. */
export function allMatching(predicate: Predicate): RowQuery {
  return { predicate, order: BY_ID, range: WHOLE_RANGE, backward: false, limit: Infinity };
}

type Choice = Omit<Plan, "query">;

function chooseAccess(query: RowQuery, available: Available): Choice {
  const { predicate, order, backward, limit } = query;
  const matching = chooseNamed(predicate, available) ?? chooseLink(query, available);
  if (matching !== undefined) return matching;
  if (limit === Infinity) return scanFor(query);
  const descending = idDirection(order);
  if (available.idsAscend && descending !== undefined) {
    const access = { kind: "storage-order", backward: descending !== backward } as const;
    return { access, residual: predicate };
  }
  const index = orderKey(order);
  if (index !== undefined && available.has(index)) {
    return { access: { kind: "order-index", index }, residual: predicate };
  }
  return scanFor(query);
}

export function conjunctsOf(predicate: Predicate): readonly Predicate[] {
  return predicate.kind === "all" ? predicate.parts : [predicate];
}

function without(predicate: Predicate, part: Predicate): Predicate {
  return combine(
    "all",
    conjunctsOf(predicate).filter((other) => other !== part),
  );
}

/** Ids take precedence over unique values. */
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
  if (slot === ID_SLOT) return { kind: "ids", ids: [...new Set(values as readonly string[])] }; // ids are strings
  if (!available.isUnique(slot)) return undefined;
  return {
    kind: "unique-index",
    column: path,
    slot,
    keys: [...new Set(values.map((value) => uniqueKey(value!)))],
  }; // a leaf's value is not null
}

/** Returns a link index if few rows match. */
function chooseLink(query: RowQuery, available: Available): Choice | undefined {
  for (const part of conjunctsOf(query.predicate)) {
    const condition = linkConditionOf(part);
    const linked = condition && available.linked(condition);
    if (linked === undefined || linked.rows > available.size * MAX_LINKED_SHARE) continue;
    const { column, slot } = condition!; // defined if there are codes
    const index = chooseRuns(query, slot, available);
    return {
      access: { kind: "link-index", column, slot, ...linked, ...index },
      residual: without(query.predicate, part),
    };
  }
  return undefined;
}

/** Prefers an index whose runs are in the requested order. */
function chooseRuns(
  { order, backward }: RowQuery,
  slot: number,
  available: Available,
): Pick<LinkAccess, "index" | "sorted"> {
  const descending = idDirection(order);
  if (available.idsAscend && descending !== undefined) {
    return { index: linkKey(slot), sorted: descending === backward ? "forward" : "backward" };
  }
  const index = orderKey(order, slot);
  return index !== undefined && available.has(index)
    ? { index, sorted: backward ? "backward" : "forward" }
    : { index: linkKey(slot), sorted: undefined };
}

/** Direction of an order by id; undefined for other orders. */
export function idDirection({ keys, seed }: Order): boolean | undefined {
  const first = keys[0];
  // Keys after an id are never compared.
  if (first === undefined) return seed === undefined ? false : undefined;
  return isOwnId(first) ? first.descending : undefined;
}

/** Access structures of a table. Reading it records no demand. */
export interface Available {
  readonly size: number;
  readonly idsAscend: boolean;
  /** Whether a slot has a unique index. */
  readonly isUnique: (slot: number) => boolean;
  /** Whether the index of a key can be used. */
  readonly has: (index: string) => boolean;
  /** Codes and row count of a link condition; undefined without a link index. */
  readonly linked: (condition: LinkCondition) => LinkedRowCount | undefined;
}

export interface LinkedRowCount {
  readonly codes: readonly number[];
  readonly rows: number;
}

/** A condition that matches only some linked ids. */
export interface LinkCondition {
  readonly predicate: Predicate;
  readonly column: string;
  readonly slot: number;
  /** The ids, or a condition on the linked records. */
  readonly ids: readonly string[] | LinkedCondition;
}

export interface LinkedCondition {
  readonly hop: Hop;
  readonly condition: Leaf | NullTest;
}

/** Returns undefined for other conditions, and if null matches. */
export function linkConditionOf(predicate: Predicate): LinkCondition | undefined {
  if (predicate.kind !== "leaf" && predicate.kind !== "null") return undefined;
  const [hop, ...hops] = predicate.column.hops;
  if (hop !== undefined) {
    if (predicate.kind === "null" ? predicate.isNull : predicate.nullMatches) return undefined;
    const condition = { ...predicate, column: { ...predicate.column, hops } };
    return { predicate, column: hop.name, slot: hop.slot, ids: { hop, condition } };
  }
  if (predicate.kind === "null") return undefined;
  const { column, test, negated, nullMatches } = predicate;
  const isLink = column.type === "link" || (column.type === "id" && column.slot !== ID_SLOT);
  if (!isLink || negated || nullMatches) return undefined;
  const ids =
    test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : undefined;
  if (ids === undefined) return undefined;
  // A link column holds strings.
  return { predicate, column: column.path, slot: column.slot, ids: ids as readonly string[] };
}
