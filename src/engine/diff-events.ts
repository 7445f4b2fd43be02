import {
  type CatalogEvent,
  changed,
  created,
  deleted,
  type EntityKind,
  entitiesIn,
  KINDS,
  type Names,
  ownOf,
} from "../catalog/events.js";
import type { BranchState, DatabaseState, KeyState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { Json } from "../types.js";
import { equalJson } from "../value/json.js";
import type { States } from "./notice.js";

/** Yields events that lead from one state to another; equal parts of tables cost no time. */
export function* diffEvents(states: States): Generator<CatalogEvent> {
  const { before, after } = states;
  if (before.state === after.state && before.tables === after.tables) return;
  for (const kind of ["user", "key", "workspace"] as const) {
    yield* diffEntities(kind, [], before.state, after.state, states);
  }
}

/** @param before undefined for a new parent */
export function* diffEntities(
  kind: EntityKind,
  above: Names,
  before: object | undefined,
  after: object,
  states: States,
): Generator<CatalogEvent> {
  const were = before === undefined ? new Map<string, unknown>() : entitiesIn(kind, before);
  const are = entitiesIn(kind, after);
  const entries = diffMaps(were, are, matchOf(kind, states));
  for (const [name] of entries.deleted) yield deleted(kind, ...above, name);
  for (const [name, to] of entries.renamed) {
    yield { kind: "renamed", entity: kind, at: [...above, name], to };
  }
  // Branches are created last, as they may refer to others.
  if (kind !== "branch") yield* createEntities(kind, above, entries, states);
  for (const [name, from, to] of entries.kept) {
    yield* diffEntity(kind, [...above, name], [from, to], states);
  }
  if (kind === "branch") yield* createEntities(kind, above, entries, states);
}

function* diffEntity(
  kind: EntityKind,
  at: Names,
  [before, after]: readonly [before: unknown, after: unknown],
  states: States,
): Generator<CatalogEvent> {
  if (kind === "table") {
    const key = after as TableKey; // by the kind
    const from = states.before.tables.get(before as TableKey)!; // by the kind
    const version = states.after.tables.get(key)!; // the catalog refers to existing tables only
    if (from !== version) yield { kind: "table_altered", at, key, before: from, version };
    return;
  }
  const [was, is] = [before, after].map((entity) => ownOf(kind, entity as never) as Json); // by the kind
  if (before !== after && !equalJson(was!, is!)) yield changed(kind, at, is as never); // by the kind
  for (const child of KINDS[kind].below ?? []) {
    yield* diffEntities(child, at, before as object, after as object, states); // they have contents
  }
}

function* createEntities(
  kind: EntityKind,
  above: Names,
  entries: MapDiff<unknown>,
  states: States,
): Generator<CatalogEvent> {
  for (const [name, value] of entries.created) {
    const at = [...above, name];
    if (kind === "table") {
      const key = value as TableKey; // by the kind
      const version = states.after.tables.get(key)!; // the catalog refers to existing tables only
      yield { kind: "table_created", at, key, version };
      continue;
    }
    const source =
      kind === "branch" &&
      entries.kept.find(([, , other]) => share(other as BranchState, value as BranchState, states)); // by the kind
    yield { ...created(kind, at, value as never), ...(source && { from: source[0] }) }; // by the kind
    if (source) continue;
    for (const child of KINDS[kind].below ?? []) {
      yield* diffEntities(child, at, undefined, value as object, states); // they have contents
    }
  }
}

type Match = Record<"isSame" | "isMoved", (before: unknown, after: unknown) => boolean>;

/** Decides which entities are the same: by name, or by what only they contain. */
function matchOf(kind: EntityKind, { before, after }: States): Match {
  const never = (): boolean => false;
  const always = (): boolean => true;
  switch (kind) {
    case "key":
      return {
        isSame: (a, b) => (a as KeyState).userId === (b as KeyState).userId, // by the kind
        isMoved: never,
      };
    case "database": {
      // Table identities are unique across databases.
      const isMoved: Match["isMoved"] = (a, b) => {
        const former = new Set(identitiesOf(a as DatabaseState, before.tables)); // by the kind
        const found = identitiesOf(b as DatabaseState, after.tables); // by the kind
        return a === b || found.some((identity) => former.has(identity));
      };
      return { isSame: always, isMoved };
    }
    case "branch":
      return { isSame: always, isMoved: (a, b) => a === b };
    case "table": {
      const isSame: Match["isSame"] = (a, b) =>
        before.tables.get(a as TableKey)!.identity === after.tables.get(b as TableKey)!.identity; // by the kind
      return { isSame, isMoved: isSame };
    }
    default:
      return { isSame: always, isMoved: never };
  }
}

function identitiesOf(
  { branches }: DatabaseState,
  versions: ReadonlyMap<TableKey, TableVersion>,
): string[] {
  return [...branches.values()].flatMap(({ tables }) =>
    Array.from(tables.values(), (key) => versions.get(key)!.identity),
  );
}

/** Whether both contain the same table versions. */
function share(a: BranchState, b: BranchState, { after: { tables } }: States): boolean {
  if (a.tables.size !== b.tables.size || a.tables.size === 0) return false;
  return [...a.tables].every(([name, key]) => {
    const other = b.tables.get(name);
    return other !== undefined && tables.get(key) === tables.get(other);
  });
}

/** Differences between two maps, in an order in which they can be applied. */
interface MapDiff<V> {
  readonly deleted: readonly (readonly [name: string, before: V])[];
  readonly renamed: readonly (readonly [from: string, name: string])[];
  readonly created: readonly (readonly [name: string, after: V])[];
  readonly kept: readonly (readonly [name: string, before: V, after: V])[];
}

/** Compares maps by name; `isMoved` detects renames. */
function diffMaps<V>(
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
  { isSame, isMoved }: Record<"isSame" | "isMoved", (before: V, after: V) => boolean>,
): MapDiff<V> {
  const gone = new Map(before);
  const created: [string, V][] = [];
  const kept: [string, V, V][] = [];
  for (const [name, value] of after) {
    const former = before.get(name);
    if (former === undefined || !isSame(former, value)) {
      created.push([name, value]);
      continue;
    }
    gone.delete(name);
    kept.push([name, former, value]); // equal catalog entries may have different tables
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
