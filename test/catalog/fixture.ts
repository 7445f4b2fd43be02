import { expect } from "vitest";
import type { BranchAddress, DatabaseAddress } from "../../src/catalog/address.js";
import { addDatabase } from "../../src/catalog/databases.js";
import { type CatalogDraft, type ChangeContext, produceCatalog } from "../../src/catalog/draft.js";
import { createCatalog } from "../../src/catalog/empty.js";
import type { CatalogState, TableKey } from "../../src/catalog/state.js";
import { addWorkspace } from "../../src/catalog/workspaces.js";
import { PROFILES, type ProfileName } from "../../src/profile.js";
import type { TableVersion } from "../../src/storage/table.js";
import type { Instant } from "../../src/value/datetime.js";

export const AT: Instant = { ms: Date.UTC(2022, 0, 31, 10, 20, 30), micros: 0 };
export const SHOP: DatabaseAddress = { workspace: "acme", database: "shop" };
export const MAIN: BranchAddress = { ...SHOP, branch: "main" };

export function createMaking(): ChangeContext & { readonly tables: Map<TableKey, TableVersion> } {
  const tables = new Map<TableKey, TableVersion>();
  return {
    tables,
    profile: PROFILES.documented,
    now: () => AT,
    tableAt: (key) => tables.get(key)!,
    addTable: (version) => {
      tables.set(tables.size + 1, version);
      return tables.size;
    },
    alterTable: (_, key, version) => void tables.set(key, version),
    dropTable: (key) => void tables.delete(key),
    noteRename: () => {},
  };
}

/** A recipe as a function from one state to the next, which is frozen. */
export function applied<Args extends unknown[]>(
  recipe: (draft: CatalogDraft, ...args: Args) => unknown,
): (state: CatalogState, ...args: Args) => CatalogState {
  return (state, ...args) => {
    const next = produceCatalog(state, (draft) => recipe(draft, ...args)).state;
    expectFrozen(next);
    return next;
  };
}

function expectFrozen(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  expect(Object.isFrozen(value)).toBe(true);
  const members = value instanceof Map || value instanceof Set ? [...value] : Object.values(value);
  for (const member of members.flat()) expectFrozen(member);
  if (value instanceof Map) expect(() => value.set("x", 1)).toThrow("frozen");
}

/** A catalog with the workspace `acme`, its database `shop` and the branch `main`. */
export function createShop(base: ProfileName = "documented"): CatalogState {
  const state = applied(addWorkspace)(createCatalog(base), "acme", undefined);
  return applied(addDatabase)(state, SHOP, undefined, AT);
}
