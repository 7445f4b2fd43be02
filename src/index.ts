export type { BranchOptions, BranchSummary } from "./catalog/branches.js";
export type { DatabaseChanges, DatabaseMetadata, DatabaseOptions } from "./catalog/databases.js";
export type {
  GitBranchMapping,
  GitBranchMappings,
  ResolvedBranch,
  ResolveReason,
  ResolveRequest,
} from "./catalog/git-branches.js";
export type { BranchMetadata } from "./catalog/state.js";
export type { TableSummary } from "./catalog/tables.js";
export type { UserDetails, UserOptions, UserRecord } from "./catalog/users.js";
export type { WorkspaceMetadata, WorkspaceOptions } from "./catalog/workspaces.js";
export type { AnyBranch, Branch } from "./engine/branch.js";
export type { Clock } from "./engine/clock.js";
export type { AnyDatabase, Database } from "./engine/database.js";
export type { GitBranches } from "./engine/git-branches.js";
export type { EngineOptions } from "./engine/options.js";
export type { Snapshot } from "./engine/snapshot.js";
export type { OperationResult } from "./engine/transaction.js";
export type { AnyWorkspace, Workspace } from "./engine/workspace.js";
export { type AnyEngine, createEngine, type Engine } from "./engine.js";
export { type BatchFault, type ErrorCode, type ErrorDetails, TwinbaseError } from "./errors.js";
export {
  type Limits,
  PROFILES,
  type Profile,
  type ProfileName,
  type ProfileOption,
} from "./profile.js";
export type { IndexOption } from "./query/query-run.js";
export type { JsonObject } from "./shape/fields.js";
export type { TypedBranch, TypedTables } from "./typed/branch.js";
export type { FileValue } from "./typed/file.js";
export type { FilterOf } from "./typed/filter.js";
export type { OperationOf } from "./typed/operation.js";
export type {
  DropOptions,
  PutOptions,
  ReturnOptions,
  WhereOptions,
  WriteOptions,
} from "./typed/options.js";
export type { RecordOf, Selected } from "./typed/record.js";
export type { ColumnsOf } from "./typed/selection.js";
export type {
  AnyShape,
  DocumentedProfile,
  ProfileShape,
  ProfileShapeOf,
  SingleShape,
  TableColumns,
  TableShape,
  XataNextProfile,
  XataProfile,
} from "./typed/shape.js";
export type { SortOf } from "./typed/sort.js";
export type {
  AnyTable,
  ShapeOf,
  TypedTable,
} from "./typed/table.js";
export type { Cursor, PageOf, QueryOf, ScanOf, TypedResult } from "./typed/typed-query.js";
export type { RecordReference } from "./typed/values.js";
export type { InsertOf, NumberChange, UpdateOf } from "./typed/write.js";
export type * from "./types.js";
