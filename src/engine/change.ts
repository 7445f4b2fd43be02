import type { BranchAddress, DatabaseAddress, TableAddress } from "../catalog/address.js";
import type { UserRecord } from "../catalog/users.js";
import type { AnyRecord, ColumnDefinition } from "../types.js";

/** The workspace that a change was made in, or of. */
export type WorkspaceAddress = Pick<DatabaseAddress, "workspace">;

/** Whatever has been given another name; the address has the new one. */
interface Renamed {
  /** The name before. */
  readonly from: string;
}

/**
 * One difference between two states of an engine. What is made comes with all that it holds, in
 * changes of their own; what is deleted takes all that it held with it, in no other change.
 */
export type Change =
  | ({ readonly kind: "workspace_created" | "workspace_deleted" } & WorkspaceAddress)
  /** Its name, slug, members, invites or settings. */
  | ({ readonly kind: "workspace_changed" } & WorkspaceAddress)
  | ({ readonly kind: "database_created" | "database_deleted" } & DatabaseAddress)
  /** Its colour, settings or git mapping. */
  | ({ readonly kind: "database_changed" } & DatabaseAddress)
  | ({ readonly kind: "database_renamed" } & DatabaseAddress & Renamed)
  /** With `from`, it holds what that branch does, and no further change says so. */
  | ({ readonly kind: "branch_created"; readonly from?: string } & BranchAddress)
  | ({ readonly kind: "branch_deleted" } & BranchAddress)
  /** Its metadata. */
  | ({ readonly kind: "branch_changed" } & BranchAddress)
  | ({ readonly kind: "branch_renamed" } & BranchAddress & Renamed)
  | ({
      readonly kind: "table_created";
      /** The columns it was made with. */
      readonly columns: readonly ColumnDefinition[];
    } & TableAddress)
  | ({ readonly kind: "table_deleted" } & TableAddress)
  | ({ readonly kind: "table_renamed" } & TableAddress & Renamed)
  /** Its columns; what records lose or gain by that is no change of theirs. */
  | ({
      readonly kind: "table_altered";
      /** The columns before. */
      readonly before: readonly ColumnDefinition[];
      /** The columns after. */
      readonly after: readonly ColumnDefinition[];
    } & TableAddress)
  | RecordChange
  /** Also where its keys have changed. */
  | { readonly kind: "user_created" | "user_changed" | "user_deleted"; readonly user: UserRecord };

/** The difference in one record. */
export type RecordChange =
  | ({ readonly kind: "record_inserted"; readonly record: AnyRecord } & TableAddress)
  | ({
      readonly kind: "record_updated";
      /** The record before, whole. */
      readonly before: AnyRecord;
      /** The record after, whole. */
      readonly after: AnyRecord;
    } & TableAddress)
  | ({ readonly kind: "record_deleted"; readonly record: AnyRecord } & TableAddress);

/** A listener that was subscribed. */
export interface Subscription extends Disposable {
  /** Ends the subscription: the listener is not called again. */
  unsubscribe(): void;
}
