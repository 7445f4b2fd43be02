import { refuse } from "../../errors.js";
import { type Column, type LeafColumn, leavesOf } from "../../schema/columns.js";
import { type ColumnRef, findColumn, type Ref, type Searched } from "../query-seam.js";
import type { ParsedTarget } from "../request/request.js";

/** A column to search. */
export interface BoundTarget {
  readonly slot: number;
  /** Names from the table's top down. */
  readonly path: string;
  readonly weight: number;
}

/**
 * The columns to search (rule Q-1): all that can be, or those that are named, each once with its
 * greatest weight, in the order of the schema.
 *
 * @throws TwinbaseError `unknown_column` (P-9), `invalid_request` for a column without words
 */
export function bindTargets(
  source: Searched,
  targets: readonly ParsedTarget[] | undefined,
): readonly BoundTarget[] {
  const weights = new Map<number, number>();
  for (const { column, weight } of targets ?? []) {
    const ref = findColumn(source, column);
    const slots = searchableSlots(ref);
    if (slots.length === 0) {
      const found = ref.type !== "object" && ref.keys !== undefined ? "a part of one" : ref.type;
      refuse("invalid_request", `column [${ref.path}]: expected one with text, found ${found}`, {
        path: column.at,
        rule: "Q-1",
      });
    }
    for (const slot of slots) weights.set(slot, Math.max(weight, weights.get(slot) ?? 0));
  }
  return source.version.schema.leaves
    .filter((leaf) => isSearchable(leaf) && (targets === undefined || weights.has(leaf.slot)))
    .map(({ slot, path }) => ({ slot, path, weight: weights.get(slot) ?? 1 }));
}

/** The slots of the columns with text that a path leads to without following a link. */
function searchableSlots(ref: Ref): readonly number[] {
  if (ref.hops.length > 0) return [];
  if (ref.type === "object")
    return ref.columns.flatMap((column: Column) =>
      leavesOf(column)
        .filter(isSearchable)
        .map(({ slot }) => slot),
    );
  // The members of files are no columns of their own.
  return isSearchable(ref) && ref.keys === undefined ? [ref.slot] : [];
}

function isSearchable({ type }: Pick<LeafColumn, "type"> | Pick<ColumnRef, "type">): boolean {
  return type === "string" || type === "text" || type === "email" || type === "multiple";
}
