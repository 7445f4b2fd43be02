import type { Memory } from "../../engine/memory.js";
import { refuse } from "../../errors.js";
import type { ColumnRef, Ref } from "../../query/bound/bound-query.js";
import type { QueryRun } from "../../query/query-run.js";
import { type Column, type LeafColumn, leavesOf } from "../../schema/columns.js";
import type { Instant } from "../../value/datetime.js";
import { bindNarrow, type Narrow, resolveColumn } from "../query-seam.js";
import type { ParsedTarget, TableSearchParts } from "../request/request.js";
import { type Boost, bindBooster } from "./boosters.js";

export interface SearchedTable {
  readonly run: QueryRun;
  readonly name: string;
  readonly now: () => Instant;
  /** Makes this version immutable: later writes copy it. */
  readonly pin: () => void;
  /** Charged with word indexes. */
  readonly memory: Memory | undefined;
}

export interface BoundSearch {
  readonly table: SearchedTable;
  readonly targets: readonly BoundTarget[];
  readonly narrow: Narrow | undefined;
  readonly boosts: readonly Boost[];
}

/** Binds the columns; the returned function binds the filters after all tables' columns (E-6). */
export function bindTable(table: SearchedTable, parts: TableSearchParts): () => BoundSearch {
  let targets: readonly BoundTarget[] | undefined;
  let boosters: readonly { readonly bindFilter: () => Boost }[] = [];
  const keys = Object.keys(parts); // in the order of the request (E-6)
  for (const key of keys) {
    if (key === "target") targets = bindTargets(table.run, parts.target);
    if (key === "boosters")
      boosters = (parts.boosters ?? []).map((booster) =>
        bindBooster(table.run, booster, table.now),
      );
  }
  targets ??= bindTargets(table.run, undefined);
  const bound = targets;
  return () => {
    let narrow: Narrow | undefined;
    let boosts: readonly Boost[] = [];
    for (const key of keys) {
      if (key === "filter" && parts.filter !== undefined)
        narrow = bindNarrow(table.run, parts.filter);
      if (key === "boosters") boosts = boosters.map(({ bindFilter }) => bindFilter());
    }
    return { table, targets: bound, narrow, boosts };
  };
}

export interface BoundTarget {
  readonly slot: number;
  readonly path: string;
  readonly weight: number;
}

/** Returns the columns to search, each once with its greatest weight, in schema order. */
function bindTargets(
  run: QueryRun,
  targets: readonly ParsedTarget[] | undefined,
): readonly BoundTarget[] {
  const weights = new Map<number, number>();
  const searchable = run.table.schema.leaves.filter(isSearchable);
  const weigh = (slot: number, weight: number): void => {
    weights.set(slot, Math.max(weight, weights.get(slot) ?? 0));
  };
  for (const { column, weight } of targets ?? []) {
    if (column.value === "*") {
      for (const { slot } of searchable) weigh(slot, weight);
      continue;
    }
    const ref = resolveColumn(run, column);
    const slots = searchableSlots(ref);
    if (slots.length === 0) {
      const isMember = ref.type !== "object" && ref.keys !== undefined;
      const found = !isMember ? ref.type : ref.type === "json" ? "a path" : "a file member";
      refuse("invalid_request", `column [${ref.path}]: expected a text column, found ${found}`, {
        path: column.at,
        rule: "Q-1",
      });
    }
    for (const slot of slots) weigh(slot, weight);
  }
  return searchable
    .filter(({ slot }) => targets === undefined || weights.has(slot))
    .map(({ slot, path }) => ({ slot, path, weight: weights.get(slot) ?? 1 }));
}

function searchableSlots(ref: Ref): readonly number[] {
  if (ref.hops.length > 0) return [];
  if (ref.type === "object")
    return ref.columns.flatMap((column: Column) =>
      leavesOf(column)
        .filter(isSearchable)
        .map(({ slot }) => slot),
    );
  // Members of files and of json are not columns.
  return isSearchable(ref) && ref.keys === undefined ? [ref.slot] : [];
}

const SEARCHABLE: ReadonlySet<string> = new Set(["string", "text", "email", "multiple", "json"]);

function isSearchable({ type }: Pick<LeafColumn, "type"> | Pick<ColumnRef, "type">): boolean {
  return SEARCHABLE.has(type);
}
