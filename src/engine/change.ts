import type { BranchAddress, DatabaseAddress, TableAddress } from "../catalog/address.js";
import type { UserRecord } from "../catalog/users.js";
import type { AnyRecord, ColumnDefinition } from "../types.js";

export type WorkspaceAddress = Pick<DatabaseAddress, "workspace">;

/** A rename; the address contains the new name. */
interface Rename {
  readonly from: string;
}

/**
 * An event of a write, or of the difference between two snapshots, without secrets. The contents of a
 * created entity follow as separate changes; a deletion includes all contents.
 */
export type Change =
  | ({ readonly kind: "workspace_created" | "workspace_deleted" } & WorkspaceAddress)
  | ({ readonly kind: "workspace_changed" } & WorkspaceAddress)
  | ({ readonly kind: "database_created" | "database_deleted" } & DatabaseAddress)
  | ({ readonly kind: "database_changed" } & DatabaseAddress)
  | ({ readonly kind: "database_renamed" } & DatabaseAddress & Rename)
  /** With `from`, the branch starts with the contents of `from`; no changes list them. */
  | ({ readonly kind: "branch_created"; readonly from?: string } & BranchAddress)
  | ({ readonly kind: "branch_deleted" } & BranchAddress)
  | ({ readonly kind: "branch_changed" } & BranchAddress)
  | ({ readonly kind: "branch_renamed" } & BranchAddress & Rename)
  | ({
      readonly kind: "table_created";
      readonly columns: readonly ColumnDefinition[];
    } & TableAddress)
  | ({ readonly kind: "table_deleted" } & TableAddress)
  | ({ readonly kind: "table_renamed" } & TableAddress & Rename)
  /** A schema change; its effects on records are not reported. */
  | ({
      readonly kind: "table_altered";
      readonly before: readonly ColumnDefinition[];
      readonly after: readonly ColumnDefinition[];
    } & TableAddress)
  | RecordChange
  /** Also reported if the user's keys changed. */
  | { readonly kind: "user_created" | "user_changed" | "user_deleted"; readonly user: UserRecord };

/** A change of one record. */
export type RecordChange =
  | ({ readonly kind: "record_inserted"; readonly record: AnyRecord } & TableAddress)
  | ({
      readonly kind: "record_updated";
      /** The complete record before the change. */
      readonly before: AnyRecord;
      readonly after: AnyRecord;
    } & TableAddress)
  | ({ readonly kind: "record_deleted"; readonly record: AnyRecord } & TableAddress);

/** A subscribed listener. */
export interface Subscription extends Disposable {
  /** Ends the subscription. */
  unsubscribe(): void;
}
