import type { ColumnRef, Leaf, Order, Predicate } from "../query/bound/bound-query.js";
import { ID_SLOT } from "../schema/columns.js";
import type { Json } from "../types.js";
import { isUnique, type Schemata } from "./statement.js";

export type IndexShape =
  /** Sort keys, then the id. */
  | { readonly kind: "order"; readonly keys: readonly IndexKey[] }
  | { readonly kind: "items"; readonly slot: number }
  /** Trigrams of texts; `folded`: in lower case. */
  | { readonly kind: "parts" | "folded"; readonly slot: number }
  | { readonly kind: "members"; readonly slot: number };

export interface IndexKey {
  readonly slot: number;
  readonly descending: boolean;
}

export interface Demand {
  readonly identity: string;
  readonly shape: IndexShape;
}

/** Maximum columns of an index: more rarely help, and slow down writes. */
const MAX_KEYS = 4;

interface DemandedQuery {
  readonly identity: string;
  readonly predicate: Predicate;
  readonly order: Order;
}

/** Useful indexes for a query: equality, then sort keys; links; otherwise lists and texts. */
export function demandsOf(
  { identity, predicate, order }: DemandedQuery,
  schemata: Pick<Schemata, "schemaOf">,
): Demand[] {
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
      equal.push(ascending(hop.slot));
      if (!isUnique(schemata, hop.target.identity, column.slot))
        demands.push(...targetDemand(column));
    } else if (column.slot === ID_SLOT || (isEqual && isUnique(schemata, identity, column.slot))) {
      if (isEqual && isOrdered(column)) return [];
    } else if (isOrdered(column) && isEqual) {
      equal.push(ascending(column.slot));
    } else if (
      isOrdered(column) &&
      (test.kind === "range" || (test.kind === "text" && test.operator === "startsWith"))
    ) {
      ranges.push(ascending(column.slot));
    } else {
      const kind = kindWithin(leaf);
      if (kind !== undefined) others.push({ identity, shape: { kind, slot: column.slot } });
    }
  }
  demands.push(...sortedTarget(order));
  const equalSlots = new Set(equal.map(({ slot }) => slot));
  const sorted = orderKeys(order).filter(({ slot }) => !equalSlots.has(slot));
  const rest = sorted.length > 0 ? sorted : ranges.slice(0, 1);
  const keys = [...unique(equal), ...rest].slice(0, MAX_KEYS);
  if (keys.length > 0) demands.push({ identity, shape: { kind: "order", keys } });
  return equal.length > 0 ? demands : [...demands, ...others];
}

function kindWithin(leaf: Leaf): "items" | "parts" | "folded" | "members" | undefined {
  if (itemEqualTo(leaf) !== undefined) return "items";
  if (memberEqualTo(leaf) !== undefined) return "members";
  const { column, test } = leaf;
  if (test.kind !== "text" || !isOrdered(column)) return undefined;
  const { operator, operand } = test;
  const isPattern = operator === "pattern" || operator === "iPattern";
  // `?` breaks trigrams, which need three characters.
  if (isPattern && operand.includes("?")) return undefined;
  const parts = isPattern ? operand.split(/[*\\]/) : [operand];
  if (parts.every((part) => part.length < 3)) return undefined;
  return operator === "iContains" || operator === "iPattern" ? "folded" : "parts";
}

/** The JSON value that contains a member with the leaf's literal. */
export function memberEqualTo({ column, test, negated, nullMatches }: Leaf): Json | undefined {
  if (column.type !== "json" || test.kind !== "equals" || negated || nullMatches) return undefined;
  const keys = column.keys ?? [];
  // In an array, such a key is a position.
  if (keys.some((key) => /^\s*[+-]?\d/.test(key))) return undefined;
  return keys.reduceRight<Json>((value, key) => ({ [key]: value }), test.value as Json);
}

export function itemEqualTo({ column, test }: Pick<Leaf, "column" | "test">): string | undefined {
  if (column.type !== "multiple" || test.kind !== "items" || test.quantifier !== "some") return;
  const { item } = test;
  if (item.kind !== "leaf" || item.negated || item.nullMatches) return;
  const { test: ofItem } = item;
  if (ofItem.kind !== "equals" || typeof ofItem.value !== "string") return;
  return ofItem.value;
}

/** Leaves that hold for every matching row, with a non-null value. */
export function* conjuncts(predicate: Predicate): Generator<Leaf> {
  if (predicate.kind === "leaf" && !predicate.negated && !predicate.nullMatches) yield predicate;
  if (predicate.kind === "all") for (const part of predicate.parts) yield* conjuncts(part);
}

function targetDemand({ hops: [hop, ...others], slot }: ColumnRef): Demand[] {
  if (hop === undefined || others.length > 0 || slot === ID_SLOT) return [];
  const { identity } = hop.target;
  return [{ identity, shape: { kind: "order", keys: [ascending(slot)] } }];
}

/** The index for a query that reads linked records in order and finds their sources by the link. */
function sortedTarget({ keys: [first] }: Order): Demand[] {
  return first !== undefined && isOrdered(first.column) ? targetDemand(first.column) : [];
}

/** The leading sort keys of the table's own columns; the link if the first key is behind one. */
function orderKeys({ keys }: Order): IndexKey[] {
  const [hop, ...others] = keys[0]?.column.hops ?? [];
  if (hop !== undefined && others.length === 0) return [ascending(hop.slot)];
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

/** Removes duplicates and sorts, so equal sets give the same index. */
function unique(keys: readonly IndexKey[]): IndexKey[] {
  const slots = new Set(keys.map(({ slot }) => slot));
  return [...slots].sort((a, b) => a - b).map(ascending);
}

function ascending(slot: number): IndexKey {
  return { slot, descending: false };
}
