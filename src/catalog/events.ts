import { castDraft, type Draft, enableMapSet, freeze, Immer } from "immer";
import type { Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import { orderAsBefore, renameKey } from "./rename-key.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  InviteState,
  KeyState,
  MigrationRequestState,
  MigrationState,
  Role,
  TableKey,
  UserState,
  WorkspaceState,
} from "./state.js";

/** The value of each kind of entity. Its contents, such as the tables of a branch, are entities. */
export interface Entities {
  readonly user: UserState;
  readonly key: KeyState;
  readonly deletedKey: true;
  readonly workspace: Pick<WorkspaceState, "name" | "slug" | "settings">;
  readonly member: Role;
  readonly invite: InviteState;
  readonly database: Pick<DatabaseState, "region" | "createdAt" | "color" | "settings">;
  readonly branch: Pick<BranchState, "createdAt" | "metadata" | "startedFrom">;
  readonly gitBranch: string;
  readonly table: TableKey;
}

export type EntityKind = keyof Entities;

/** The names of an entity and those it is in, such as workspace, database and branch. */
export type Names = readonly string[];

type EntitySet<K extends EntityKind> = {
  readonly kind: "created" | "changed";
  readonly entity: K;
  readonly at: Names;
  readonly value: Entities[K];
  /** The branch whose tables and records a new one shares. */
  readonly from?: string | undefined;
};

/** A change that a command decided on. Applying it cannot fail. */
export type CatalogEvent =
  | { [K in EntityKind]: EntitySet<K> }[EntityKind]
  /** Includes all contents. */
  | { readonly kind: "deleted"; readonly entity: EntityKind; readonly at: Names }
  /** The position among its siblings stays. */
  | {
      readonly kind: "renamed";
      readonly entity: EntityKind;
      readonly at: Names;
      readonly to: string;
    }
  /** Replaces a branch's migrations from an index on. */
  | {
      readonly kind: "history";
      readonly at: Names;
      readonly index: number;
      readonly migrations: readonly MigrationState[];
    }
  | {
      readonly kind: "request";
      readonly at: Names;
      readonly index: number;
      readonly request: MigrationRequestState;
    }
  | { readonly kind: "counted"; readonly counter: "usersMade" | "secretsMade" }
  | {
      readonly kind: "table_created";
      readonly at: Names;
      readonly key: TableKey;
      readonly version: TableVersion;
      /** A table with the same version. */
      readonly rowsOf?: TableKey | undefined;
    }
  | TableAltered;

export interface TableAltered {
  readonly kind: "table_altered";
  readonly at: Names;
  readonly key: TableKey;
  readonly before: TableVersion;
  readonly version: TableVersion;
}

export function created<K extends EntityKind>(
  entity: K,
  at: Names,
  value: Entities[K],
): CatalogEvent {
  return { kind: "created", entity, at, value } as CatalogEvent; // the value fits its kind
}

export function changed<K extends EntityKind>(
  entity: K,
  at: Names,
  value: Entities[K],
): CatalogEvent {
  return { kind: "changed", entity, at, value } as CatalogEvent; // the value fits its kind
}

export function deleted(entity: EntityKind, ...at: string[]): CatalogEvent {
  return { kind: "deleted", entity, at };
}

/** Access to settings, clock and tables. */
export interface CommandContext {
  readonly profile: Profile;
  now(): Instant;
  tableAt(key: TableKey): TableVersion;
  createKey(): TableKey;
}

interface Kind {
  /** Map properties from the catalog down: one per name of an address. */
  readonly path: readonly string[];
  /** Kinds of contents. */
  readonly below?: readonly EntityKind[];
  readonly list?: "history" | "migrationRequests";
}

export const KINDS: Readonly<Record<EntityKind, Kind>> = {
  user: { path: ["users"] },
  key: { path: ["keys"] },
  deletedKey: { path: ["deletedKeys"] },
  workspace: { path: ["workspaces"], below: ["member", "invite", "database"] },
  member: { path: ["workspaces", "members"] },
  invite: { path: ["workspaces", "invites"] },
  database: {
    path: ["workspaces", "databases"],
    below: ["branch", "gitBranch"],
    list: "migrationRequests",
  },
  branch: { path: ["workspaces", "databases", "branches"], below: ["table"], list: "history" },
  gitBranch: { path: ["workspaces", "databases", "branchesByGitBranch"] },
  table: { path: ["workspaces", "databases", "branches", "tables"] },
};

enableMapSet();

/** Independent of the application's immer. Without freezing, which is as slow as copying. */
const immer = new Immer({ autoFreeze: false });

const checks = { isDeep: false };

/** For tests. */
export function freezeCatalogs(isFrozen: boolean): void {
  immer.setAutoFreeze(isFrozen);
  checks.isDeep = isFrozen;
}

export function applyEvents(state: CatalogState, events: readonly CatalogEvent[]): CatalogState {
  return produceCatalog(state, ({ apply }) => {
    for (const event of events) apply(event);
  });
}

/** The next catalog, while it is made. */
export interface CatalogDraft {
  readonly catalog: Draft<CatalogState>;
  readonly apply: (event: CatalogEvent) => void;
}

export function produceCatalog(
  state: CatalogState,
  recipe: (draft: CatalogDraft) => void,
): CatalogState {
  return immer.produce(state, (catalog) => {
    const rest: Rest = { unordered: new Map(), created: [] };
    recipe({ catalog, apply: (event) => applyEvent(catalog, event, rest) });
    for (const entity of rest.created) asLeaf(entity);
    for (const at of rest.unordered.values()) {
      const branch = parentOf(catalog, "table", at)!; // renamed tables are in a branch
      const { tables } = branch;
      branch.tables = orderAsBefore(tables!, parentOf(state, "table", at)!.tables!); // as above
    }
  });
}

/** Collected by events, applied after the last one. */
interface Rest {
  /** Branches with renamed tables, to be ordered once. */
  readonly unordered: Map<string, Names>;
  readonly created: object[];
}

/** Changes a catalog that the caller owns. Entities above must exist. */
export function applyEvent(catalog: Draft<CatalogState>, event: CatalogEvent, rest?: Rest): void {
  switch (event.kind) {
    case "created":
    case "changed":
      setEntity(catalog, event, rest);
      return;
    case "table_created":
      entriesOf(catalog, "table", event.at).set(event.at.at(-1)!, event.key);
      return;
    case "table_altered":
      return;
    case "deleted":
      entriesOf(catalog, event.entity, event.at).delete(event.at.at(-1)!);
      return;
    case "renamed": {
      const { entity, at, to } = event;
      const entries = entriesOf(catalog, entity, at);
      const parent = parentOf(catalog, entity, at)!; // has entries
      if (entity === "table" && rest !== undefined) {
        rest.unordered.set(at.slice(0, -1).join("/"), at);
        entries.set(to, entries.get(at.at(-1)!));
        entries.delete(at.at(-1)!);
      } else parent[propertyOf(entity)] = renameKey(entries, at.at(-1)!, to);
      return;
    }
    case "history": {
      const { history } = entityAt(catalog, "branch", event.at) as Draft<BranchState>; // by its kind
      history.length = event.index;
      for (const migration of event.migrations) history.push(asLeaf(migration));
      return;
    }
    case "request": {
      const database = entityAt(catalog, "database", event.at) as Draft<DatabaseState>; // by its kind
      database.migrationRequests[event.index] = asLeaf(event.request);
      return;
    }
    case "counted":
      catalog[event.counter] += 1;
      return;
  }
}

function setEntity(
  catalog: Draft<CatalogState>,
  { entity, at, value }: EntitySet<EntityKind>,
  rest: Rest | undefined,
): void {
  const { below = [], list } = KINDS[entity];
  const entries = entriesOf(catalog, entity, at);
  const entry = entries.get(at.at(-1)!);
  if (below.length === 0) entries.set(at.at(-1)!, asLeaf(value));
  else if (entry !== undefined)
    Object.assign(entry as object, value); // it has contents
  else {
    const contents: Record<string, object> = {};
    for (const kind of below) contents[propertyOf(kind)] = new Map();
    if (list !== undefined) contents[list] = [];
    rest?.created.push(contents);
    entries.set(at.at(-1)!, Object.assign(contents, value));
  }
}

/** Freezes a value, because immer searches unfrozen values for drafts. */
function asLeaf<T>(value: T): Draft<T> {
  return castDraft(freeze(value, checks.isDeep));
}

type Node = Record<string, Map<string, unknown>>;

/** Returns the parent of an entity; undefined if it does not exist. */
export function parentOf(catalog: object, kind: EntityKind, at: Names): Node | undefined {
  let node: Node | undefined = catalog as Node; // only map properties are read
  const { path } = KINDS[kind];
  for (let level = 0; level < path.length - 1; level++) {
    node = node?.[path[level]!]?.get(at[level]!) as Node | undefined; // one name per property
  }
  return node;
}

function entriesOf(catalog: object, kind: EntityKind, at: Names): Map<string, unknown> {
  return parentOf(catalog, kind, at)![propertyOf(kind)]!; // entities are created after those they are in
}

export function entityAt(catalog: object, kind: EntityKind, at: Names): unknown {
  return parentOf(catalog, kind, at)?.[propertyOf(kind)]?.get(at.at(-1)!);
}

/** Returns the property of the parent that contains entities of a kind. */
function propertyOf(kind: EntityKind): string {
  return KINDS[kind].path.at(-1)!;
}

/** Returns the entities of a kind inside of another entity or the catalog. */
export function entitiesIn(kind: EntityKind, parent: object): ReadonlyMap<string, unknown> {
  return (parent as Node)[propertyOf(kind)]!; // by the kind
}

/** Returns an entity without its contents. */
export function ownOf<K extends EntityKind>(kind: K, entity: Entities[K]): Entities[K] {
  const { below = [], list } = KINDS[kind];
  if (below.length === 0) return entity;
  const contents = new Set<string | undefined>([...below.map(propertyOf), list]);
  const properties = Object.entries(entity).filter(([property]) => !contents.has(property));
  return Object.fromEntries(properties) as Entities[K]; // without its contents
}

const ROOTS = ["user", "key", "deletedKey", "workspace"] as const;

/** Yields the events that lead from an empty catalog to this one. */
export function* contentEvents(catalog: CatalogState): Generator<CatalogEvent> {
  for (const kind of ROOTS) yield* eventsBelow(kind, [], catalog);
}

function* eventsBelow(kind: EntityKind, above: Names, parent: object): Generator<CatalogEvent> {
  for (const [name, value] of entitiesIn(kind, parent)) {
    const at = [...above, name];
    yield created(kind, at, value as never); // by the kind
    const { below = [], list } = KINDS[kind];
    for (const child of below) yield* eventsBelow(child, at, value as object); // it has contents
    if (list === "history") {
      const { history: migrations } = value as BranchState; // by the kind
      if (migrations.length > 0) yield { kind: "history", at, index: 0, migrations };
    } else if (list === "migrationRequests") {
      const { migrationRequests } = value as DatabaseState; // by the kind
      for (const [index, request] of migrationRequests.entries()) {
        yield { kind: "request", at, index, request };
      }
    }
  }
}

/** Yields the keys of the tables of an entity. */
export function* tableKeysIn(kind: EntityKind, entity: unknown): Generator<TableKey> {
  if (kind === "table") yield entity as TableKey; // by the kind
  for (const child of KINDS[kind].below ?? []) {
    const entities = entitiesIn(child, entity as object); // by the kind
    for (const value of entities.values()) yield* tableKeysIn(child, value);
  }
}
