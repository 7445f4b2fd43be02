import type {
  BranchMetadata,
  MigrationRequestState,
  MigrationState,
  Role,
  UserState,
} from "../../catalog/state.js";
import type { Limits, Profile } from "../../profile.js";
import type { ColumnDefinition, Json } from "../../types.js";
import type { JsonObject } from "../../value/fields.js";
import type { ClockSetting } from "../clock.js";
import type { IndexOption } from "../setup.js";

/*
 * An export is a text of lines, each a JSON array that ends with its checksum: a header, then the
 * users, the workspaces with their databases and branches, the contents of files, the tables with
 * their records, an end. A file in a record names its content by the hash (in versions 1 and 2 it was
 * what had been given for the column). Up to version 3 the checksums were others. Tables that branches
 * share are written once, and numbered; records go by id. The same contents thus always make the same
 * text.
 */

/** What the header begins with, and the version of the layout; versions from 1 on are read too. */
export const FORMAT = "twinbase-export";
export const VERSION = 4;

/** How the engine was made, and what it counts. */
export interface Header {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly indexes: IndexOption;
  readonly seed: number;
  /** Absent where the seed was given, and in exports made before there were secrets. */
  readonly secret?: string | undefined;
  readonly clock: ClockSetting;
  readonly nextId: number;
  readonly tablesMade: number;
  readonly usersMade: number;
  readonly secretsMade: number;
  readonly deletedKeys: readonly string[];
}

/** A line, without its checksum. */
export type Line =
  | readonly [typeof FORMAT, typeof VERSION, Header]
  | readonly ["user", id: string, UserState, keys: readonly KeyEntry[]]
  | readonly ["workspace", id: string, WorkspaceLine]
  | readonly ["database", name: string, DatabaseLine]
  | readonly ["request", RequestEntry]
  | readonly ["migration", number: number, MigrationLine]
  | readonly ["branch", name: string, BranchLine]
  | readonly ["file", hash: string, base64: string]
  | readonly ["table", number: number, TableLine]
  | RecordLine
  | readonly ["end", lines: number];

/** `updatedAt` is null where it is the time of creation; values in the order of the schema. */
export type RecordLine = readonly [
  "r",
  id: string,
  version: number,
  createdAt: string,
  updatedAt: string | null,
  ...values: Json[],
];

/**
 * A key, as a user's line has it; in version 1 it was the key alone. One of the built-in user says whether
 * closed mode refuses it.
 */
export type KeyEntry = readonly [key: string, name: string, createdAt: string, openOnly?: boolean];

/** An invite, as a workspace's line has it. */
export type InviteEntry = readonly [id: string, key: string, email: string, Role, expires: string];

/** In version 1 `members` were the ids of users alone, all of them owners. */
export interface WorkspaceLine {
  readonly name: string;
  readonly slug: string;
  readonly members: readonly (readonly [userId: string, Role])[];
  readonly invites: readonly InviteEntry[];
  readonly settings: JsonObject;
}

export interface DatabaseLine {
  readonly region: string;
  readonly createdAt: string;
  readonly color: string | null;
  readonly gitBranches: readonly (readonly [gitBranch: string, branch: string])[];
  readonly settings: JsonObject;
}

/** A change of a schema, written once for all branches whose history it is part of. */
export interface MigrationLine extends Omit<MigrationState, "createdAt"> {
  readonly createdAt: string;
}

/** A migration request of the database before it, its times as text. */
export type RequestEntry = {
  readonly [key in keyof MigrationRequestState]: string;
};

export interface BranchLine {
  readonly createdAt: string;
  readonly metadata: BranchMetadata;
  /** Its history, as numbers of `migration` lines; in version 1 there was none. */
  readonly history: readonly number[];
  /** The tables by name, as numbers of `table` lines. */
  readonly tables: readonly (readonly [name: string, number: number])[];
}

export interface TableLine {
  readonly identity: string;
  readonly columns: readonly ColumnDefinition[];
  /** Of the columns that hold values, in the order of the schema: cursors know columns by them. */
  readonly slots: readonly number[];
  readonly slotCount: number;
  readonly size: number;
}
