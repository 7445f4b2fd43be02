import type { SharedMap } from "./shared-map.js";

/** What brings one map to another: what is deleted, then set, then the order of all keys. */
export interface MapChanges<V> {
  readonly deleted: readonly string[];
  /** New keys in their order, after those with another value than before. */
  readonly set: readonly (readonly [key: string, value: V])[];
  /** All keys, where deleting and setting leaves them in another order. */
  readonly order: readonly string[] | undefined;
}

/** The changes from one map to another. It costs what they differ in, where one was made of the other. */
export function changesOf<V>(before: SharedMap<V>, after: SharedMap<V>): MapChanges<V> {
  const deleted: string[] = [];
  const changed: [string, V][] = [];
  const added: [string, V, number][] = [];
  let isOrdered = before.buckets.length === after.buckets.length;
  for (const [index, bucket] of after.buckets.entries()) {
    if (bucket === before.buckets[index]) continue;
    for (const [key, { value, place }] of bucket) {
      const known = before.entry(key);
      if (known === undefined) added.push([key, value, place]);
      else if (known.value !== value) changed.push([key, value]);
      if (known === undefined ? place < before.next : place !== known.place) isOrdered = false;
    }
  }
  for (const [index, bucket] of before.buckets.entries()) {
    if (bucket === after.buckets[index]) continue;
    for (const key of bucket.keys()) if (!after.has(key)) deleted.push(key);
  }
  const created = added.sort((a, b) => a[2] - b[2]).map(([key, value]) => [key, value] as const);
  const set = [...changed, ...created];
  const isSame = isOrdered || equalOrders(before, after, created);
  return { deleted, set, order: isSame ? undefined : [...after.keys()] };
}

/** Whether what is kept is in the order it was in, and what is new comes after it. */
function equalOrders<V>(
  before: SharedMap<V>,
  after: SharedMap<V>,
  created: readonly (readonly [string, V])[],
): boolean {
  const kept = [...before.keys()].filter((key) => after.has(key));
  const expected = [...kept, ...created.map(([key]) => key)];
  let place = 0;
  for (const key of after.keys()) if (expected[place++] !== key) return false;
  return true;
}
