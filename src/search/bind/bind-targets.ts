import { refuse } from "../../errors.js";
import type { QueryRun } from "../../query/query-run.js";
import { type Column, type LeafColumn, leavesOf } from "../../schema/columns.js";
import { type ColumnRef, findColumn, type Ref } from "../query-seam.js";
import type { ParsedTarget } from "../request/request.js";

export interface BoundTarget {
  readonly slot: number;
  readonly path: string;
  readonly weight: number;
}

/** Returns the columns to search, each once with its greatest weight, in schema order. */
export function bindTargets(
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
    const ref = findColumn(run, column);
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
