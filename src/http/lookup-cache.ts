import { type AnyEngine, catalogOf } from "../engine.js";

export type LookupCache<T> = (key: string, find: () => T) => T;

const MAX_KEYS = 1000;

/**
 * Caches lookups in an engine's catalog until the catalog changes, which record writes don't do.
 */
export function createLookupCache<T>(engine: AnyEngine): LookupCache<T> {
  const byState = new WeakMap<object, Map<string, T>>();
  return (key, find) => {
    const state = catalogOf(engine);
    let found = byState.get(state);
    if (found === undefined) {
      found = new Map();
      byState.set(state, found);
    }
    const cached = found.get(key);
    if (cached !== undefined || found.has(key)) return cached as T; // the key determines the type
    const now = find();
    if (found.size < MAX_KEYS) found.set(key, now);
    return now;
  };
}
