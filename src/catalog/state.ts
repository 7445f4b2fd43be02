import type { ProfileName } from "../profile.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import type { Instant } from "../value/datetime.js";
import type { JsonObject } from "../value/fields.js";

/**
 * Everything an engine holds but the contents of tables, as one immutable tree that recipes change.
 * Names are keys of maps: they keep their order, and `__proto__` or `0` are names like any other
 * (rule N-5).
 */
export interface CatalogState {
  /** The names the engine uses; decides the status of an unknown workspace (rule D-5). */
  readonly base: ProfileName;
  readonly workspaces: ReadonlyMap<string, WorkspaceState>;
  readonly users: ReadonlyMap<string, UserState>;
  /** API keys in the order they were made (rule A-1). */
  readonly keys: ReadonlyMap<string, KeyState>;
  /** Keys that were deleted: in open mode too they are refused from then on (rule A-1). */
  readonly deletedKeys: ReadonlySet<string>;
  /** Users made so far; numbers the next one. */
  readonly usersMade: number;
  /** Keys and ids drawn by chance so far; makes the next one differ. */
  readonly secretsMade: number;
}

/**
 * Finds the contents of a table, which are beside the catalog: a write to records leaves the catalog
 * alone. No two tables of an engine have the same key, on whatever branches they are.
 */
export type TableKey = number;

/** What is known of an API key. */
export interface KeyState {
  readonly userId: string;
  /** Unique among the keys of a user. */
  readonly name: string;
  readonly createdAt: Instant;
  /** Whether a caller of open mode made it: closed mode refuses it (rule A-5). */
  readonly openOnly?: boolean | undefined;
}

/** What a member may do: owners change members, invites and the workspace itself (rule A-3). */
export type Role = "owner" | "maintainer";

/** An open invitation to a workspace (rule A-3). */
export interface InviteState {
  /** What accepts it. */
  readonly key: string;
  readonly email: string;
  readonly role: Role;
  readonly expires: Instant;
}

export interface WorkspaceState {
  /** What people call it; the id is its key. */
  readonly name: string;
  /** What its id was made of; people can change it. */
  readonly slug: string;
  readonly databases: ReadonlyMap<string, DatabaseState>;
  /** Roles by the ids of users. */
  readonly members: ReadonlyMap<string, Role>;
  /** By their ids. */
  readonly invites: ReadonlyMap<string, InviteState>;
  readonly settings: JsonObject;
}

export interface DatabaseState {
  readonly region: string;
  readonly createdAt: Instant;
  readonly color: string | undefined;
  /** Oldest first; never empty (rule B-1). */
  readonly branches: ReadonlyMap<string, BranchState>;
  /** Branch names by git branch, in the order first added (rule B-2). */
  readonly branchesByGitBranch: ReadonlyMap<string, string>;
  /** The first of them is number 1. */
  readonly migrationRequests: readonly MigrationRequestState[];
  readonly settings: JsonObject;
}

export interface BranchState {
  readonly createdAt: Instant;
  readonly metadata: BranchMetadata;
  /** Every change of its schema, oldest first, from those of the branch it was made from (K-1). */
  readonly history: readonly MigrationState[];
  readonly tables: ReadonlyMap<string, TableKey>;
}

/** A change of a branch's schema. Without a name of its own, it is named by its place. */
export interface MigrationState {
  readonly createdAt: Instant;
  readonly operations: readonly SchemaEdit[];
  /** As it was pushed. */
  readonly given?: { readonly id: string; readonly checksum: string };
  readonly title?: string;
  readonly message?: string;
  /** Ids of the migrations of another branch whose operations these are (rule K-3). */
  readonly merged?: readonly string[];
}

/** A request to bring the changes of one branch into another (rule K-3); its number is its place. */
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
  /** The id of the migration that its merging made; absent where there was nothing to bring. */
  readonly migration?: string;
}

/** What a user is known by (rule U-2); the id is the key. */
export interface UserState {
  readonly email: string;
  readonly fullname: string;
  readonly image: string;
}

/** Where a branch comes from, as clients note it; all of it is optional and has no effect. */
export interface BranchMetadata {
  /** The repository of the git branch. */
  readonly repository?: string;
  /** The git branch it belongs to. */
  readonly branch?: string;
  /** Such as `testing` or `production`; it decides nothing here. */
  readonly stage?: string;
  /** Words of the caller's own. */
  readonly labels?: readonly string[];
}
