import type { Draft } from "immer";
import type { BranchAddress, DatabaseAddress } from "./address.js";
import type { BranchState, CatalogState, DatabaseState } from "./state.js";

/** The database at an address that is known to exist, to be changed. */
export function draftDatabase(
  draft: Draft<CatalogState>,
  address: DatabaseAddress,
): Draft<DatabaseState> {
  return draft.workspaces.get(address.workspace)!.databases.get(address.database)!;
}

/** The branch at an address that is known to exist, to be changed. */
export function draftBranch(
  draft: Draft<CatalogState>,
  address: BranchAddress,
): Draft<BranchState> {
  return draftDatabase(draft, address).branches.get(address.branch)!;
}
