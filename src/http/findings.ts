import { type AnyEngine, catalogOf } from "../engine.js";

export type Findings<T> = (key: string, find: () => T) => T;

const MAX_KEYS = 1000;

/**
 * Keeps what was found in an engine's catalog as long as the catalog stays as it is: requests ask for
 * the same again and again, and what they write to records leaves it alone.
 */
export function createFindings<T>(engine: AnyEngine): Findings<T> {
  const byState = new WeakMap<object, Map<string, T>>();
  return (key, find) => {
    const state = catalogOf(engine);
    if (state === undefined) return find();
    let found = byState.get(state);
    if (found === undefined) {
      found = new Map();
      byState.set(state, found);
    }
    const known = found.get(key);
    if (known !== undefined || found.has(key)) return known as T; // kept under this key
    const now = find();
    if (found.size < MAX_KEYS) found.set(key, now);
    return now;
  };
}
