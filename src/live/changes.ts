import type { AnyRecord } from "../types.js";
import { idOf } from "../value/id.js";
import { lowerBound } from "../value/lower-bound.js";

/** A change of a page. Each applies to the array that the previous ones left. */
export interface LiveChange<R = AnyRecord> {
  readonly type: "added" | "modified" | "removed";
  /** The record after the call; a removed one as it was last. */
  readonly record: R;
  /** The index before this change; −1 if added. */
  readonly oldIndex: number;
  /** The index after this change; −1 if removed. */
  readonly newIndex: number;
}

/**
 * Returns the records after changes, as a new array. Needs no engine.
 *
 * @example
 * const after = applyChanges(before, changes);
 */
export function applyChanges<R>(records: readonly R[], changes: readonly LiveChange<R>[]): R[] {
  const applied = [...records];
  for (const { record, oldIndex, newIndex } of changes) {
    if (oldIndex >= 0) applied.splice(oldIndex, 1);
    if (newIndex >= 0) applied.splice(newIndex, 0, record);
  }
  return applied;
}

/** Returns the changes between two pages; unchanged records are the same objects. */
export function diffPages(before: readonly AnyRecord[], after: readonly AnyRecord[]): LiveChange[] {
  const changes: LiveChange[] = [];
  const indexes = new Map(after.map((record, index) => [idOf(record), index]));
  const current: AnyRecord[] = [];
  for (const record of before) {
    if (indexes.has(idOf(record))) current.push(record);
    else changes.push({ type: "removed", record, oldIndex: current.length, newIndex: -1 });
  }
  const unchanged = current.filter((one) => after[indexes.get(idOf(one))!] === one); // the others were removed
  const still = longestRun(unchanged, indexes);
  let last = -1;
  for (const record of after) {
    if (still.has(record)) {
      last = current.indexOf(record, last + 1);
      continue;
    }
    const oldIndex = current.findIndex((one) => idOf(one) === idOf(record));
    if (oldIndex >= 0) current.splice(oldIndex, 1);
    last += oldIndex >= 0 && oldIndex <= last ? 0 : 1;
    current.splice(last, 0, record);
    changes.push({ type: oldIndex < 0 ? "added" : "modified", record, oldIndex, newIndex: last });
  }
  return changes;
}

interface Run {
  readonly last: AnyRecord;
  readonly index: number;
  readonly before: Run | undefined;
}

/** Returns a longest subsequence of ascending indexes: these records need not move. */
function longestRun(records: readonly AnyRecord[], indexes: Map<string, number>): Set<AnyRecord> {
  const runs: Run[] = []; // of each length the one with the smallest last index
  for (const last of records) {
    const index = indexes.get(idOf(last))!; // as above
    const length = lowerBound(0, runs.length, (at) => runs[at]!.index > index);
    runs[length] = { last, index, before: runs[length - 1] };
  }
  const longest = new Set<AnyRecord>();
  for (let run = runs.at(-1); run !== undefined; run = run.before) longest.add(run.last);
  return longest;
}
