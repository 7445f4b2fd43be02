import { assert } from "../errors.js";
import type { Limits, Profile } from "../profile.js";
import type { StoredValue } from "../schema/columns.js";
import type { ShowFiles } from "../schema/files.js";
import type { TableVersion } from "../storage/table.js";
import { NULL_CODE } from "../storage/vectors.js";
import type { Json } from "../types.js";
import type { ColumnRef, Hop } from "./bound/query.js";
import { MAX_REMEMBERED_LINKS } from "./thresholds.js";

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
}

/** The part of a run that reads rows, including linked ones. */
export type Source = Pick<QueryRun, "table" | "findTable" | "checkTime">;

/** Returns the same run at a link's target table; binding made sure that it exists. */
export function linkedSource<S extends Source>(source: S, { target }: Pick<Hop, "target">): S {
  const table = source.findTable(target.name);
  assert(table !== undefined, `table ${target.name} exists`);
  return { ...source, table };
}

/** Returns the table at the end of a path of links. */
export function tableAfter(source: Source, hops: readonly Hop[]): TableVersion {
  return hops.reduce<Source>(linkedSource, source).table;
}

/** Returns a source of one table, without links. */
export function ownSource(table: TableVersion, checkTime?: Source["checkTime"]): Source {
  return { table, findTable: () => undefined, checkTime };
}

const UNKNOWN = -2;

/** Maps a row to the linked row; −1 if the link is null or dangling (T-9). */
export type Follow = (ordinal: number) => number;

/** Follows a path of links; undefined for an empty path. */
export function createFollow(source: Source, hops: readonly Hop[]): Follow | undefined {
  let follow: Follow | undefined;
  let from = source;
  for (const hop of hops) {
    const to = linkedSource(from, hop);
    const step = createStep(from.table, hop.slot, to.table);
    const before = follow;
    follow =
      before === undefined
        ? step
        : (ordinal) => {
            const reached = before(ordinal);
            return reached < 0 ? -1 : step(reached);
          };
    from = to;
  }
  return follow;
}

function createStep(source: TableVersion, slot: number, target: TableVersion): Follow {
  const dictionary = source.dictionaries.get(slot);
  const size = dictionary?.size ?? 0;
  const targets = size <= MAX_REMEMBERED_LINKS ? new Int32Array(size).fill(UNKNOWN) : undefined;
  return (ordinal) => {
    const code = source.codeAt(ordinal, slot);
    if (code === NULL_CODE) return -1;
    let reached = targets?.[code] ?? UNKNOWN;
    if (reached === UNKNOWN) {
      reached = target.find(dictionary!.values[code]!); // every code is in the dictionary
      if (targets !== undefined) targets[code] = reached;
    }
    return reached;
  };
}

/** Reads any column of a row, also behind links and inside of values. */
export function createRead(
  source: Source,
  { hops, slot, keys }: ColumnRef,
): (ordinal: number) => StoredValue {
  const table = tableAfter(source, hops);
  const follow = createFollow(source, hops);
  return (ordinal) => {
    const row = follow === undefined ? ordinal : follow(ordinal);
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
