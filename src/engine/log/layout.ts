import type { BranchMetadata, CatalogState, TableKey, UserState } from "../../catalog/state.js";
import type { TableVersion } from "../../storage/table.js";
import type { Json } from "../../types.js";
import type {
  DatabaseLine,
  MigrationLine,
  RecordLine,
  RequestEntry,
  TableLine,
  WorkspaceLine,
} from "../export/layout.js";
import type { LineWriter } from "../export/line-writer.js";

/*
 * A log is a text of lines like those of an export, each a JSON array that ends with its checksum.
 * It tells what has changed since an export: records that were written, by the table they are in,
 * and changes of anything else. A line `commit` ends what was written together.
 */

/** What a log begins with, and the version of its layout; version 1, of other checksums, is read too. */
export const LOG_FORMAT = "twinbase-log";
export const LOG_VERSION = 2;

/** What the line begins with that ends a group of changes. */
export const COMMIT = "commit";

/** A catalog with the contents of its tables. */
export interface LogState {
  readonly state: CatalogState;
  readonly tableOf: (key: TableKey) => TableVersion | undefined;
}

/** Names from the workspace down to a table. */
export type TablePlace = readonly [
  workspace: string,
  database: string,
  branch: string,
  table: string,
];

export type BranchPlace = readonly [workspace: string, database: string, branch: string];

/** A line, without its checksum. */
export type LogLine =
  | readonly [typeof LOG_FORMAT, typeof LOG_VERSION, commits: number]
  /** The records that follow were written in that table. */
  | readonly ["rows", ...TablePlace]
  | RecordLine
  /** What an update changed in a record: slots of columns, each with its value. */
  | readonly ["u", id: string, version: number, updatedAt: string, ...slotsAndValues: Json[]]
  /** A record that is there no more. */
  | readonly ["d", id: string]
  | readonly ["change"]
  | CatalogLine
  | readonly ["changed"]
  | readonly [typeof COMMIT, number: number, CountersLine];

/**
 * A line between `change` and `changed`. Sources are places as they were before the change; tables
 * and migrations that are new are numbered within it.
 */
export type CatalogLine =
  | readonly ["counts", CountsLine]
  | readonly ["user", id: string, UserState]
  | readonly [
      "key",
      key: string,
      userId: string,
      name: string,
      createdAt: string,
      openOnly: boolean,
    ]
  | readonly ["workspace", id: string, WorkspaceLine]
  | readonly ["database", workspace: string, name: string, DatabaseLine]
  | readonly ["request", workspace: string, database: string, index: number, RequestEntry]
  /** How many of the requests of a database remain. */
  | readonly ["requests", workspace: string, database: string, count: number]
  | readonly ["migration", number: number, MigrationLine]
  /** The records that follow are what differs from the source; without one, they are all. */
  | readonly ["table", number: number, TableLine | TableChangeLine, source: TablePlace | null]
  | readonly ["branch", ...BranchPlace, BranchChangeLine]
  | readonly ["deleted", ...path: string[]]
  /** The names below a path in their order. */
  | readonly ["order", path: readonly string[], names: readonly string[]];

/** A table of the schema of its source has no columns here. */
export type TableChangeLine = Omit<TableLine, "size"> | null;

export interface BranchChangeLine {
  readonly createdAt: string;
  readonly metadata: BranchMetadata;
  /** Numbers of new migrations, and runs of those of branches. */
  readonly history: readonly (number | readonly [...BranchPlace, from: number, count: number])[];
  /** A number of a new table, or where the table was before. */
  readonly tables: readonly (readonly [name: string, source: number | TablePlace])[];
}

/** A line, or what writes one of a record. */
export type LogWrite = LogLine | ((line: LineWriter) => void);

/** What a catalog counts. */
export interface CountsLine {
  readonly usersMade: number;
  readonly secretsMade: number;
  readonly deletedKeys: readonly string[];
}

/** What an engine counts and is set to. */
export interface CountersLine {
  readonly nextId: number;
  readonly tablesMade: number;
  readonly seed: number;
  /** Where it is another than before; null where the seed was given. */
  readonly secret?: string | null | undefined;
  readonly clock: object;
}
