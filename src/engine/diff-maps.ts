import type { Notice } from "./notice.js";

/** Differences between two maps, in an order in which they can be applied. */
export interface MapDiff<V> {
  readonly deleted: readonly (readonly [name: string, before: V])[];
  readonly renamed: readonly (readonly [from: string, name: string])[];
  readonly created: readonly (readonly [name: string, after: V])[];
  readonly kept: readonly (readonly [name: string, before: V, after: V])[];
}

export interface Scope {
  readonly below: Map<string | number, Scope>;
  /** Old names by new names. */
  readonly renames: Map<string, string>;
}

export function scopeOf({ changes }: Notice): Scope {
  const root = createScope();
  for (const { patches, renames } of changes) {
    for (const { path, from, to } of renames) {
      const scope = reach(root, path);
      scope.below.set(to, scope.below.get(from) ?? createScope());
      scope.below.set(from, createScope());
      scope.renames.set(to, scope.renames.get(from) ?? from);
      scope.renames.delete(from);
    }
    for (const { path } of patches) reach(root, path);
  }
  return root;
}

/** Returns the scope below a path; undefined if everything may differ. */
export function within(scope: Scope | undefined, ...path: string[]): Scope | undefined {
  if (scope === undefined) return undefined;
  return path.reduce((at, name) => at.below.get(name) ?? createScope(), scope);
}

function createScope(): Scope {
  return { below: new Map(), renames: new Map() };
}

function reach(root: Scope, path: readonly (string | number)[]): Scope {
  let scope = root;
  for (const name of path) {
    let next = scope.below.get(name);
    if (next === undefined) {
      next = createScope();
      scope.below.set(name, next);
    }
    scope = next;
  }
  return scope;
}

/** Compares maps by name; without a scope, `isMoved` detects renames. */
export function diffMaps<V>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
  { isSame, isMoved }: Record<"isSame" | "isMoved", (before: V, after: V) => boolean>,
  scope?: Scope,
): MapDiff<V> {
  const gone = new Map(entriesIn(before, scope));
  const created: [string, V][] = [];
  const kept: [string, V, V][] = [];
  for (const [name, value] of entriesIn(after, scope)) {
    const known = before.get(name);
    if (known === undefined || scope?.renames.has(name) === true || !isSame(known, value)) {
      created.push([name, value]);
      continue;
    }
    gone.delete(name);
    kept.push([name, known, value]); // equal catalog entries may have different tables
  }
  const renamed: [string, string][] = [];
  const made = created.filter(([name, value]) => {
    const from =
      scope === undefined
        ? [...gone].find(([, known]) => isMoved(known, value))?.[0]
        : scope.renames.get(name);
    const known = from === undefined ? undefined : gone.get(from);
    if (from === undefined || known === undefined) return true;
    gone.delete(from);
    renamed.push([from, name]);
    kept.push([name, known, value]);
    return false;
  });
  return { deleted: [...gone], renamed, created: made, kept };
}

function entriesIn<V>(
  map: ReadonlyMap<string, V>,
  scope: Scope | undefined,
): Iterable<[string, V]> {
  if (scope === undefined) return map;
  return scope.below.size === 0 ? [] : [...map].filter(([name]) => scope.below.has(name));
}
