import type { ProfileName } from "../profile.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import type { JsonObject } from "../shape/fields.js";
import type { Instant } from "../value/datetime.js";

/**
 * The state of an engine except the contents of tables: an immutable tree, changed by recipes. Maps
 * are keyed by name, so `__proto__` and `0` are ordinary names (rule N-5).
 */
export interface CatalogState {
  /** Decides the status of an unknown workspace (rule D-5). */
  readonly base: ProfileName;
  readonly workspaces: ReadonlyMap<string, WorkspaceState>;
  readonly users: ReadonlyMap<string, UserState>;
  /** In creation order (rule A-1). */
  readonly keys: ReadonlyMap<string, KeyState>;
  /** The last thousand deleted keys, rejected in open mode, too (rule A-1). */
  readonly deletedKeys: ReadonlyMap<string, true>;
  /** The number of the next user. */
  readonly usersMade: number;
  /** The number of the next secret. */
  readonly secretsMade: number;
}

/** Key of a table's contents, stored outside of the catalog; unique in an engine. */
export type TableKey = number;

export interface KeyState {
  readonly userId: string;
  readonly name: string;
  readonly createdAt: Instant;
  /** Whether it was created in open mode: closed mode rejects it (rule A-5). */
  readonly openOnly?: boolean | undefined;
}

/** Owners change members, invites and the workspace (rule A-3). */
export type Role = "owner" | "maintainer";

export interface InviteState {
  readonly key: string;
  readonly email: string;
  readonly role: Role;
  readonly expires: Instant;
}

export interface WorkspaceState {
  /** Not unique. */
  readonly name: string;
  /** Can change, unlike the id derived from it. */
  readonly slug: string;
  readonly databases: ReadonlyMap<string, DatabaseState>;
  readonly members: ReadonlyMap<string, Role>;
  readonly invites: ReadonlyMap<string, InviteState>;
  readonly settings: JsonObject;
}

export interface DatabaseState {
  readonly region: string;
  readonly createdAt: Instant;
  readonly color?: string | undefined;
  /** Oldest first; never empty (rule B-1). */
  readonly branches: ReadonlyMap<string, BranchState>;
  /** Branch names by git branch, in the order first added (rule B-2). */
  readonly branchesByGitBranch: ReadonlyMap<string, string>;
  readonly migrationRequests: readonly MigrationRequestState[];
  readonly settings: JsonObject;
}

export interface BranchState {
  readonly createdAt: Instant;
  readonly metadata: BranchMetadata;
  /** The branch that it was made from, and the number of migrations that it had then (B-1). */
  readonly startedFrom?: { readonly branch: string; readonly migrations: number } | undefined;
  /** Schema changes, oldest first, inherited ones included (K-1). */
  readonly history: readonly MigrationState[];
  readonly tables: ReadonlyMap<string, TableKey>;
}

/** A schema change, named by its position unless it has a name. */
export interface MigrationState {
  readonly createdAt: Instant;
  readonly operations: readonly SchemaEdit[];
  readonly given?: { readonly id: string; readonly checksum: string };
  readonly title?: string;
  readonly message?: string;
  /** Migrations of another branch with these operations (rule K-3). */
  readonly merged?: readonly string[];
}

/** A request to merge a branch (rule K-3), numbered by position. */
export interface MigrationRequestState {
  readonly source: string;
  readonly target: string;
  readonly title: string;
  readonly body: string;
  readonly status: "open" | "closed" | "merged";
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
  readonly closedAt?: Instant;
  readonly mergedAt?: Instant;
  /** The migration created by merging; absent if nothing changed. */
  readonly migration?: string;
}

export interface UserState {
  readonly email: string;
  readonly fullname: string;
  readonly image: string;
}

/** Optional notes of clients, without effect. */
export interface BranchMetadata {
  /** The repository of the git branch. */
  readonly repository?: string;
  /** The git branch. */
  readonly branch?: string;
  /** Such as `testing` or `production`. */
  readonly stage?: string;
  readonly labels?: readonly string[];
}
