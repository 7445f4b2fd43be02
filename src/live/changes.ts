import type { AnyRecord } from "../types.js";

/** A change of a page. In order, each can be applied to the array that the previous ones left. */
export interface LiveChange<R = AnyRecord> {
  readonly type: "added" | "modified" | "removed";
  /** The new record; a removed one as it was last. */
  readonly record: R;
  /** The index before this change; −1 if added. */
  readonly oldIndex: number;
  /** The index after this change; −1 if removed. */
  readonly newIndex: number;
}

interface WithId {
  readonly id: string;
}

/**
 * Returns the records after changes, as a new array. Runs anywhere: it needs no engine.
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
export function diffPages<R extends WithId>(
  before: readonly R[],
  after: readonly R[],
): LiveChange<R>[] {
  const changes: LiveChange<R>[] = [];
  const indexes = new Map(after.map(({ id }, index) => [id, index]));
  const known = new Map(before.map((record) => [record.id, record]));
  const current: string[] = [];
  for (const record of before) {
    if (indexes.has(record.id)) current.push(record.id);
    else changes.push({ type: "removed", record, oldIndex: current.length, newIndex: -1 });
  }
  const fixed = findFixed(
    current,
    (id) => indexes.get(id)!, // the others are removed
    (id) => known.get(id) === after[indexes.get(id)!],
  );
  let last = -1;
  for (const record of after) {
    const { id } = record;
    const old = known.get(id);
    if (fixed.has(id)) {
      last = current.indexOf(id, last + 1);
      continue;
    }
    const oldIndex = old === undefined ? -1 : current.indexOf(id);
    if (oldIndex >= 0) current.splice(oldIndex, 1);
    const newIndex = oldIndex >= 0 && oldIndex <= last ? last : last + 1;
    current.splice(newIndex, 0, id);
    changes.push({ type: old === undefined ? "added" : "modified", record, oldIndex, newIndex });
    last = newIndex;
  }
  return changes;
}

/** Returns the unchanged records that keep their order: a longest ascending run of new indexes. */
function findFixed(
  ids: readonly string[],
  indexOf: (id: string) => number,
  isSame: (id: string) => boolean,
): Set<string> {
  const same = ids.filter(isSame);
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [at, id] of same.entries()) {
    const index = indexOf(id);
    let length = tails.length;
    while (length > 0 && indexOf(same[tails[length - 1]!]!) > index) length--; // within `tails`
    previous[at] = length === 0 ? -1 : tails[length - 1]!;
    tails[length] = at;
  }
  const fixed = new Set<string>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) fixed.add(same[at]!);
  return fixed;
}
