/** Names a database of an engine. */
export interface DatabaseAddress {
  readonly workspace: string;
  readonly database: string;
}

/** Names a branch of an engine. */
export interface BranchAddress extends DatabaseAddress {
  readonly branch: string;
}

/** Names a table of an engine. */
export interface TableAddress extends BranchAddress {
  readonly table: string;
}
