/** What became of the entries of a map: in this order, each can be done after those before it. */
export interface MapDiff<V> {
  readonly deleted: readonly (readonly [name: string, before: V])[];
  readonly renamed: readonly (readonly [from: string, name: string])[];
  readonly created: readonly (readonly [name: string, after: V])[];
  /** What is there still, but with another value, or under another name. */
  readonly kept: readonly (readonly [name: string, before: V, after: V])[];
}

const NOTHING: MapDiff<never> = { deleted: [], renamed: [], created: [], kept: [] };

/**
 * Compares two maps by names.
 *
 * @param isSame whether what has the same name is the same thing
 * @param isMoved whether what has another name is
 */
export function diffMaps<V>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
  isSame: (before: V, after: V) => boolean,
  isMoved: (before: V, after: V) => boolean,
): MapDiff<V> {
  if (before === after) return NOTHING;
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
    if (known !== value) kept.push([name, known, value]);
  }
  const renamed: [string, string][] = [];
  const made = created.filter(([name, value]) => {
    const found = [...gone].find(([, known]) => isMoved(known, value));
    if (found === undefined) return true;
    gone.delete(found[0]);
    renamed.push([found[0], name]);
    kept.push([name, found[1], value]);
    return false;
  });
  return { deleted: [...gone], renamed, created: made, kept };
}
