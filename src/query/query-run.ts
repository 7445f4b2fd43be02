import type { Limits, Profile } from "../profile.js";
import type { StoredValue } from "../schema/columns.js";
import type { ShowFiles } from "../schema/stored-files.js";
import type { TableVersion } from "../storage/table.js";
import { NULL_CODE } from "../storage/vectors.js";
import type { Json } from "../types.js";
import { type MemoryBudget, reserve } from "../value/memory.js";
import type { ColumnRef, Hop, TableName } from "./bound/bound-query.js";
import { MAX_DERIVED_BYTES } from "./thresholds.js";

/** Indexes are built on demand, at once, or never. */
export type IndexOption = "auto" | "always" | "never";

/** The table, settings and limits of one call; created once, by `openRun`. */
export interface QueryRun {
  readonly table: TableVersion;
  readonly findTable: (name: string) => TableVersion | undefined;
  readonly profile: Profile;
  readonly limits: Limits;
  readonly indexes: IndexOption;
  /** The seed of the next random order (rule S-4). */
  readonly drawSeed: () => number;
  /** Called between chunks; throws `query_timeout` after the time limit (rule L-10). */
  readonly checkTime?: (() => void) | undefined;
  readonly showFiles?: ShowFiles | undefined;
  readonly derived: Derived;
}

/** Tables that a call derives to be faster, within a limit of memory. */
export interface Derived extends MemoryBudget {
  /** Paths of links from a table, by their slots. */
  paths: Map<TableVersion, Map<string, OpenPath>> | undefined;
}

/** The part of a run that reads rows of its table, or of another. */
export type TableView = Pick<QueryRun, "table" | "findTable" | "indexes" | "checkTime" | "derived">;

export function createDerived(): Derived {
  return { left: MAX_DERIVED_BYTES, paths: undefined };
}

/** Returns a view of one table, without links. */
export function createTableView(
  table: TableVersion,
  indexes: IndexOption = "never",
  checkTime?: () => void,
): TableView {
  return { table, findTable: () => undefined, indexes, checkTime, derived: createDerived() };
}

/** Returns the view of another table; binding made sure that it exists. */
export function viewAt(view: TableView, { name }: Pick<TableName, "name">): TableView {
  return { ...view, table: view.findTable(name)! };
}

/** A path of links to other rows; −1 if a link is null or dangling (T-9). */
export interface OpenPath {
  readonly end: TableView;
  rowOf(ordinal: number): number;
  /** @param code of the first link */
  rowOfCode(code: number): number;
}

/** Opens a path of links, once for all conditions and columns of a call; undefined for an empty one. */
export function openPath(view: TableView, hops: readonly Hop[]): OpenPath | undefined {
  const [hop] = hops;
  if (hop === undefined) return undefined;
  const { table, derived } = view;
  derived.paths ??= new Map();
  const paths = derived.paths.get(table) ?? new Map<string, OpenPath>();
  derived.paths.set(table, paths);
  const key = hops.map(({ slot }) => slot).join(".");
  const path = paths.get(key) ?? createPath(view, hop, hops.slice(1));
  paths.set(key, path);
  return path;
}

function createPath(view: TableView, { slot, target }: Hop, rest: readonly Hop[]): OpenPath {
  const { table } = view;
  const linked = viewAt(view, target);
  const further = openPath(linked, rest);
  const dictionary = table.dictionaries.get(slot);
  const size = dictionary?.size ?? 0;
  view.checkTime?.();
  // A row plus 2; 0 is unknown.
  const rows = reserve(view.derived, 4 * size) ? new Int32Array(size) : undefined;
  const rowOfCode = (code: number): number => {
    if (code === NULL_CODE) return -1;
    const cached = rows?.[code] ?? 0;
    if (cached !== 0) return cached - 2;
    const next = linked.table.find(dictionary!.values[code]!); // every code is in the dictionary
    const row = further === undefined || next < 0 ? next : further.rowOf(next);
    if (rows !== undefined) rows[code] = row + 2;
    return row;
  };
  const rowOf = (ordinal: number): number => rowOfCode(table.codeAt(ordinal, slot));
  return { end: further?.end ?? linked, rowOf, rowOfCode };
}

/** Reads any column of a row, also behind links and inside of values. */
export function createRead(
  view: TableView,
  { hops, slot, keys }: ColumnRef,
): (ordinal: number) => StoredValue {
  const path = openPath(view, hops);
  const { table } = path?.end ?? view;
  return (ordinal) => {
    const row = path === undefined ? ordinal : path.rowOf(ordinal);
    const value = row < 0 ? null : table.get(row, slot);
    return keys === undefined ? value : followKeys(value, keys);
  };
}

/** Returns the value at a path in json, null if there is none (rule F-17). */
export function followKeys(value: StoredValue, keys: readonly string[]): Json {
  let at = value as Json | undefined; // json columns hold JSON
  for (const key of keys) {
    if (typeof at !== "object" || at === null) return null;
    if (Array.isArray(at))
      at = ARRAY_POSITION.test(key) ? (at[Number(key)] as Json | undefined) : undefined;
    else at = Object.hasOwn(at, key) ? (at as { readonly [name: string]: Json })[key] : undefined;
  }
  return at ?? null;
}

const ARRAY_POSITION = /^(?:0|[1-9][0-9]*)$/;
