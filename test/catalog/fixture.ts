import type { BranchAddress, DatabaseAddress } from "../../src/catalog/address.js";
import type { addBranch } from "../../src/catalog/branches.js";
import { addDatabase } from "../../src/catalog/databases.js";
import { createCatalog } from "../../src/catalog/empty.js";
import { type CatalogState, TableCell } from "../../src/catalog/state.js";
import { addWorkspace } from "../../src/catalog/workspaces.js";
import { PROFILES, type ProfileName } from "../../src/profile.js";
import type { Instant } from "../../src/value/datetime.js";

export const AT: Instant = { ms: Date.UTC(2022, 0, 31, 10, 20, 30), micros: 0 };
/** What making a branch takes from an engine. */
export const MAKING: Parameters<typeof addBranch>[3] = {
  profile: PROFILES.documented,
  now: () => AT,
  createCell: (value) => new TableCell(value, Symbol("test")),
};
export const SHOP: DatabaseAddress = { workspace: "acme", database: "shop" };
export const MAIN: BranchAddress = { ...SHOP, branch: "main" };

/** A catalog with the workspace `acme`, its database `shop` and the branch `main`. */
export function createShop(base: ProfileName = "documented"): CatalogState {
  const state = addWorkspace(createCatalog(base), "acme", undefined);
  return addDatabase(state, SHOP, undefined, AT);
}
