import type { ColumnRef } from "../query/bound/column-ref.js";
import type { Leaf, Predicate } from "../query/bound/condition.js";
import type { Order } from "../query/bound/order.js";
import { ID_SLOT } from "../schema/columns.js";

/** An index that a query could go by. */
export type IndexShape =
  /** Values in an order, the id last. */
  | { readonly kind: "order"; readonly keys: readonly IndexKey[] }
  /** The items of lists. */
  | { readonly kind: "items"; readonly slot: number }
  /** What texts contain. */
  | { readonly kind: "parts"; readonly slot: number };

export interface IndexKey {
  readonly slot: number;
  readonly descending: boolean;
}

/** An index that would serve a table, by its identity. */
export interface Demand {
  readonly identity: string;
  readonly shape: IndexShape;
}

/** More columns than that are of little use in an index, and make each write dearer. */
const MAX_KEYS = 4;

/**
 * The indexes that a query of a table could go by: what it compares for equality, then how its rows
 * are ordered; what links lead to; else what lists and texts contain. None for what the id finds.
 */
export function demandsOf(identity: string, predicate: Predicate, order: Order): Demand[] {
  const demands: Demand[] = [];
  const equal: IndexKey[] = [];
  const ranges: IndexKey[] = [];
  const others: Demand[] = [];
  for (const leaf of conjuncts(predicate)) {
    const { column, test } = leaf;
    const [hop] = column.hops;
    const isEqual = test.kind === "equals" || test.kind === "among";
    if (hop !== undefined) {
      if (!isEqual || column.hops.length > 1 || !isOrdered(column)) continue;
      const keys = [ascending(hop.slot)];
      demands.push({ identity, shape: { kind: "order", keys } });
      const target = [ascending(column.slot)];
      if (column.slot === ID_SLOT) continue;
      demands.push({ identity: hop.target.identity, shape: { kind: "order", keys: target } });
    } else if (column.slot === ID_SLOT) {
      if (isEqual) return [];
    } else if (isOrdered(column) && isEqual) {
      equal.push(ascending(column.slot));
    } else if (isOrdered(column) && (test.kind === "range" || isPrefix(leaf))) {
      ranges.push(ascending(column.slot));
    } else if (test.kind === "text" && test.operator === "contains") {
      others.push({ identity, shape: { kind: "parts", slot: column.slot } });
    } else if (itemEqualTo(leaf) !== undefined) {
      others.push({ identity, shape: { kind: "items", slot: column.slot } });
    }
  }
  const known = new Set(equal.map(({ slot }) => slot));
  const sorted = orderKeys(order).filter(({ slot }) => !known.has(slot));
  const rest = sorted.length > 0 ? sorted : ranges.slice(0, 1);
  const keys = [...equal.sort((a, b) => a.slot - b.slot), ...rest].slice(0, MAX_KEYS);
  if (keys.length > 0) demands.push({ identity, shape: { kind: "order", keys } });
  return equal.length > 0 ? demands : [...demands, ...others];
}

/** What a leaf asks one item of a list to be, where it asks that and no more. */
export function itemEqualTo({ column, test }: Pick<Leaf, "column" | "test">): string | undefined {
  if (column.type !== "multiple" || test.kind !== "items" || test.quantifier !== "some") return;
  const { item } = test;
  if (item.kind !== "leaf" || item.negated || item.nullMatches) return;
  const { test: ofItem } = item;
  if (ofItem.kind !== "equals" || typeof ofItem.value !== "string") return;
  return ofItem.value;
}

/** The tests that hold of every row that matches, with a value there. */
function* conjuncts(predicate: Predicate): Generator<Leaf> {
  if (predicate.kind === "leaf" && !predicate.negated && !predicate.nullMatches) yield predicate;
  if (predicate.kind === "all") for (const part of predicate.parts) yield* conjuncts(part);
}

/** What an order begins with of the table's own columns. */
function orderKeys({ keys }: Order): IndexKey[] {
  const other = keys.findIndex(
    ({ column }) => column.hops.length > 0 || column.slot === ID_SLOT || !isOrdered(column),
  );
  return keys
    .slice(0, other === -1 ? keys.length : other)
    .map(({ column, descending }) => ({ slot: column.slot, descending }));
}

function isOrdered({ type, keys }: ColumnRef): boolean {
  return type !== "json" && type !== "multiple" && type !== "vector" && keys === undefined;
}

function isPrefix({ test }: Leaf): boolean {
  return test.kind === "text" && test.operator === "startsWith";
}

function ascending(slot: number): IndexKey {
  return { slot, descending: false };
}
