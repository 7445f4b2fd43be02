import { castDraft, type Draft, freeze } from "immer";
import type { SharedMap } from "../value/shared-map.js";
import type { BranchAddress, DatabaseAddress } from "./address.js";
import { findBranch, findDatabase } from "./find.js";
import { type BranchState, type CatalogState, type DatabaseState, produceState } from "./state.js";

/** The database at an address that is known to exist, to be changed. */
export function draftDatabase(
  draft: Draft<CatalogState>,
  address: DatabaseAddress,
): Draft<DatabaseState> {
  return draft.workspaces.get(address.workspace)!.databases.get(address.database)!;
}

/** The state with another value of the branch at an address; throws `…_not_found` (rule M-4). */
export function changeBranch(
  state: CatalogState,
  address: BranchAddress,
  change: (branch: BranchState) => BranchState,
): CatalogState {
  const changed = freeze(change(findBranch(state, address)), true);
  return setBranches(state, address, (branches) => branches.with(address.branch, changed));
}

/** The state with other branches of a database that is known to exist. */
export function setBranches(
  state: CatalogState,
  address: DatabaseAddress,
  change: (branches: SharedMap<BranchState>) => SharedMap<BranchState>,
): CatalogState {
  const branches = change(findDatabase(state, address).branches);
  return produceState(state, (draft) => {
    draftDatabase(draft, address).branches = castDraft(branches);
  });
}
