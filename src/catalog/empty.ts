import type { ProfileName } from "../profile.js";
import type { CatalogState } from "./state.js";
import { BUILT_IN_USER, BUILT_IN_USER_ID } from "./users.js";

/** Creates a catalog with only the built-in user (rule U-1). */
export function createCatalog(base: ProfileName): CatalogState {
  return {
    base,
    workspaces: new Map(),
    users: new Map([[BUILT_IN_USER_ID, BUILT_IN_USER]]),
    keys: new Map(),
    deletedKeys: new Map(),
    usersMade: 0,
    secretsMade: 0,
  };
}
