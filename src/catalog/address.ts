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

// Members are written out: a spread with a member after it takes ten times as long, and every
// request over HTTP makes these.

/** The address of a branch of a database. */
export function branchAt({ workspace, database }: DatabaseAddress, branch: string): BranchAddress {
  return { workspace, database, branch };
}

/** The address of a table on a branch. */
export function tableAt(
  { workspace, database, branch }: BranchAddress,
  table: string,
): TableAddress {
  return { workspace, database, branch, table };
}
