/** Differences between two maps, in an order in which they can be applied. */
export interface MapDiff<V> {
  readonly deleted: readonly (readonly [name: string, before: V])[];
  readonly renamed: readonly (readonly [from: string, name: string])[];
  readonly created: readonly (readonly [name: string, after: V])[];
  readonly kept: readonly (readonly [name: string, before: V, after: V])[];
}

/** Compares maps by name; `isMoved` detects renames. */
export function diffMaps<V>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
  { isSame, isMoved }: Record<"isSame" | "isMoved", (before: V, after: V) => boolean>,
): MapDiff<V> {
  const gone = new Map(before);
  const created: [string, V][] = [];
  const kept: [string, V, V][] = [];
  for (const [name, value] of after) {
    const known = before.get(name);
    if (known === undefined || !isSame(known, value)) {
      created.push([name, value]);
      continue;
    }
    gone.delete(name);
    kept.push([name, known, value]); // equal catalog entries may have different tables
  }
  const renamed: [string, string][] = [];
  const made = created.filter(([name, value]) => {
    const [from, known] = [...gone].find(([, other]) => isMoved(other, value)) ?? [];
    if (from === undefined || known === undefined) return true;
    gone.delete(from);
    renamed.push([from, name]);
    kept.push([name, known, value]);
    return false;
  });
  return { deleted: [...gone], renamed, created: made, kept };
}
