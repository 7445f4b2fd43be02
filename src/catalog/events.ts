import type { Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
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
  readonly branch: Pick<BranchState, "createdAt" | "metadata">;
  readonly gitBranch: string;
  readonly table: TableKey;
}

export type EntityKind = keyof Entities;

/** The names of an entity and those it is in, such as workspace, database and branch. */
export type Names = readonly string[];

export type EntitySet<K extends EntityKind> = {
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

type Node = Record<string, Map<string, unknown>>;

/** Returns the parent of an entity; undefined if it does not exist. */
export function parentOf(catalog: object, kind: EntityKind, at: Names): Node | undefined {
  let node: Node | undefined = catalog as Node; // only map properties are read
  for (const [index, property] of KINDS[kind].path.slice(0, -1).entries()) {
    node = node?.[property]?.get(at[index]!) as Node | undefined; // one name per property
  }
  return node;
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
  const own = Object.entries(entity).filter(([property]) => !contents.has(property));
  return Object.fromEntries(own) as Entities[K]; // without its contents
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
