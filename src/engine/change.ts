import type { UserRecord } from "../catalog/users.js";
import type { AnyRecord, ColumnDefinition } from "../types.js";

/** Where a change was made. */
export interface WorkspacePlace {
  readonly workspace: string;
}

export interface DatabasePlace extends WorkspacePlace {
  readonly database: string;
}

export interface BranchPlace extends DatabasePlace {
  readonly branch: string;
}

export interface TablePlace extends BranchPlace {
  readonly table: string;
}

/** Whatever has been given another name; the place has the new one. */
interface Renamed {
  /** The name before. */
  readonly from: string;
}

/**
 * One difference between two states of an engine. What is made comes with all that it holds, in
 * changes of their own; what is deleted takes all that it held with it, in no other change.
 */
export type Change =
  | ({ readonly kind: "workspace_created" | "workspace_deleted" } & WorkspacePlace)
  /** Its name, members or settings. */
  | ({ readonly kind: "workspace_changed" } & WorkspacePlace)
  | ({ readonly kind: "database_created" | "database_deleted" } & DatabasePlace)
  /** Its colour, settings or git mapping. */
  | ({ readonly kind: "database_changed" } & DatabasePlace)
  | ({ readonly kind: "database_renamed" } & DatabasePlace & Renamed)
  /** With `from`, it holds what that branch does, and no further change says so. */
  | ({ readonly kind: "branch_created"; readonly from?: string } & BranchPlace)
  | ({ readonly kind: "branch_deleted" } & BranchPlace)
  /** Its metadata. */
  | ({ readonly kind: "branch_changed" } & BranchPlace)
  | ({ readonly kind: "branch_renamed" } & BranchPlace & Renamed)
  | ({ readonly kind: "table_created"; readonly columns: readonly ColumnDefinition[] } & TablePlace)
  | ({ readonly kind: "table_deleted" } & TablePlace)
  | ({ readonly kind: "table_renamed" } & TablePlace & Renamed)
  /** Its columns; what records lose or gain by that is no change of theirs. */
  | ({
      readonly kind: "table_altered";
      readonly before: readonly ColumnDefinition[];
      readonly after: readonly ColumnDefinition[];
    } & TablePlace)
  | ({ readonly kind: "record_inserted"; readonly record: AnyRecord } & TablePlace)
  | ({
      readonly kind: "record_updated";
      readonly before: AnyRecord;
      readonly after: AnyRecord;
    } & TablePlace)
  | ({ readonly kind: "record_deleted"; readonly record: AnyRecord } & TablePlace)
  /** Also where its keys have changed. */
  | { readonly kind: "user_created" | "user_changed" | "user_deleted"; readonly user: UserRecord };
