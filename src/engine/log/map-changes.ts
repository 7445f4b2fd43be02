/** What brings one map to another: what is deleted, then set, then the order of all keys. */
export interface MapChanges<V> {
  readonly deleted: readonly string[];
  /** New keys in their order, after those with another value than before. */
  readonly set: readonly (readonly [key: string, value: V])[];
  /** All keys, where deleting and setting leaves them in another order. */
  readonly order: readonly string[] | undefined;
}

/** The changes from one map to another. */
export function changesOf<V>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
): MapChanges<V> {
  const entries = [...after];
  const changed = entries.filter(([key, value]) => before.has(key) && before.get(key) !== value);
  const created = entries.filter(([key]) => !before.has(key));
  const kept = [...before.keys()].filter((key) => after.has(key));
  const left = [...kept, ...created.map(([key]) => key)];
  return {
    deleted: [...before.keys()].filter((key) => !after.has(key)),
    set: [...changed, ...created],
    order: entries.every(([key], index) => key === left[index]) ? undefined : [...after.keys()],
  };
}
