import { ID_SLOT } from "../../schema/columns.js";
import { ordinalOf } from "../../storage/chunk.js";
import { uniqueKey } from "../../storage/unique.js";
import { NULL_CODE } from "../../storage/vectors.js";
import { isOwnId } from "../bound/order.js";
import {
  BY_ID,
  combine,
  type Leaf,
  type NullTest,
  type Order,
  type Predicate,
  type RowQuery,
  WHOLE,
} from "../bound/query.js";
import { createBits, eachSetBit, wordsFor } from "../filter/kernels.js";
import { compileFilter, selectRows } from "../filter/row-filter.js";
import { linkedSource, type QueryRun, type Source } from "../query-run.js";
import {
  FILTERED_PAGE,
  LINKED_PAGE,
  MAX_LINK_TARGETS,
  MAX_LINKED_SHARE,
  MIN_SORTED_SHARE,
  SORTED_PAGE,
} from "../thresholds.js";
import { linkKey, orderKey, requestIndex, takesTooLong, viewIndex } from "./indexes.js";
import { linkIndexRecipe, orderIndexRecipe, type RowIndex, scanCodes } from "./row-index.js";

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

export function planRows(query: RowQuery, available: Available): Plan {
  const { access, residual } = chooseAccess(query, available);
  return { query, access, residual };
}

/** Returns the query for all matches, in any order. */
export function allMatching(predicate: Predicate): RowQuery {
  return { predicate, order: BY_ID, range: WHOLE, backward: false, limit: Infinity };
}

type Choice = Omit<Plan, "query">;

function chooseAccess(query: RowQuery, available: Available): Choice {
  const { predicate, order, backward, limit } = query;
  const matching = chooseNamed(predicate, available) ?? chooseLink(query, available);
  if (matching !== undefined) return matching;
  if (limit === Infinity) return scanFor(predicate);
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

function scanFor(predicate: Predicate): Choice {
  return { access: { kind: "scan" }, residual: predicate };
}

function conjunctsOf(predicate: Predicate): readonly Predicate[] {
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
function idDirection({ keys, seed }: Order): boolean | undefined {
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

/** With option `always`, every index counts as present. */
export function availableIn(run: Source & Pick<QueryRun, "indexes">): Available {
  const { table, indexes } = run;
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
      const key = linkKey(condition.slot);
      const codes = has(key) ? codesOf(condition, run) : undefined;
      if (codes === undefined) return undefined;
      const view = viewIndex<RowIndex>(table, { key });
      const rows =
        view === undefined
          ? scanCodes({ table }, condition.slot, codes).length
          : codes.reduce((sum, code) => sum + view.index.runOf(code).length, 0);
      return { codes, rows };
    },
  };
}

/** A condition that matches only some linked ids. */
export interface LinkCondition {
  readonly column: string;
  readonly slot: number;
  /** Undefined if there are too many ids. */
  readonly idsIn: (source: Source) => readonly string[] | undefined;
}

/** Returns undefined for other conditions, and if null matches. */
function linkConditionOf(predicate: Predicate): LinkCondition | undefined {
  if (predicate.kind !== "leaf" && predicate.kind !== "null") return undefined;
  const [hop, ...hops] = predicate.column.hops;
  if (hop !== undefined) {
    if (predicate.kind === "null" ? predicate.isNull : predicate.nullMatches) return undefined;
    const inner = { ...predicate, column: { ...predicate.column, hops } };
    const idsIn = (source: Source): string[] | undefined =>
      idsWhere(linkedSource(source, hop), inner);
    return { column: hop.name, slot: hop.slot, idsIn };
  }
  if (predicate.kind === "null") return undefined;
  const { column, test, negated, nullMatches } = predicate;
  const isLink = column.type === "link" || (column.type === "id" && column.slot !== ID_SLOT);
  if (!isLink || negated || nullMatches) return undefined;
  const ids =
    test.kind === "equals" ? [test.value] : test.kind === "among" ? test.values : undefined;
  if (ids === undefined) return undefined;
  // A link column holds strings.
  return { column: column.path, slot: column.slot, idsIn: () => ids as readonly string[] };
}

/** Returns the codes of a condition's ids; undefined if there are too many. */
function codesOf(condition: LinkCondition, source: Source): number[] | undefined {
  const dictionary = source.table.dictionaries.get(condition.slot);
  const ids = dictionary && condition.idsIn(source);
  if (ids === undefined) return undefined;
  const codes = ids.map((id) => dictionary!.find(id)); // a non-empty link column has one
  return [...new Set(codes.filter((code) => code !== NULL_CODE))];
}

/** Returns the ids of matching records; undefined if there are too many. */
function idsWhere(source: Source, leaf: Leaf | NullTest): string[] | undefined {
  const { table } = source;
  const filter = compileFilter(leaf, source);
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
