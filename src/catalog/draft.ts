import {
  castDraft,
  current,
  type Draft,
  enableMapSet,
  enablePatches,
  freeze,
  Immer,
  isDraft,
  type Patch,
} from "immer";
import type { Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { TableAddress } from "./address.js";
import type { CatalogState, TableKey } from "./state.js";

/** The mutable catalog of a recipe. */
export type CatalogDraft = Draft<CatalogState>;

/** A renamed key of a map, which keeps its position. */
export interface Rename {
  /** The map in the catalog. */
  readonly path: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** Access to tables, which are stored outside of the catalog. */
export interface ChangeContext {
  readonly profile: Profile;
  now(): Instant;
  tableAt(key: TableKey): TableVersion;
  /** @param rowsOf a table that shares the same version */
  addTable(version: TableVersion, rowsOf?: TableKey): TableKey;
  alterTable(address: TableAddress, key: TableKey, version: TableVersion): void;
  dropTable(key: TableKey): void;
  noteRename(rename: Rename): void;
}

enableMapSet();
enablePatches();

/** Independent of the application's immer. Without freezing, which is as slow as copying. */
const immer = new Immer({ autoFreeze: false });

/** For tests. */
export function freezeCatalogs(isFrozen: boolean): void {
  immer.setAutoFreeze(isFrozen);
}

export interface Produced<T> {
  readonly state: CatalogState;
  readonly patches: readonly Patch[];
  readonly result: T;
}

export function produceCatalog<T>(
  state: CatalogState,
  recipe: (draft: CatalogDraft) => T,
  withPatches = false,
): Produced<T> {
  const draft = immer.createDraft(state);
  const result = recipe(draft);
  let patches: readonly Patch[] = [];
  const listener = (made: readonly Patch[]) => {
    patches = made;
  };
  const after = immer.finishDraft(draft, withPatches ? listener : undefined);
  return { state: after as CatalogState, patches, result }; // produced from a draft of the state
}

/** Freezes a value, because immer searches unfrozen values for drafts. */
export function asDraft<T>(value: T): Draft<T> {
  return castDraft(freeze(value, immer.autoFreeze_));
}

/** Renames a map key without changing its position. */
export function renameKey<V>(map: Map<string, V>, from: string, to: string): Map<string, V> {
  // The entries are not modified.
  const entries = (isDraft(map) ? current<Map<string, unknown>>(map) : map) as Map<string, V>;
  return new Map(Array.from(entries, ([key, value]) => [key === from ? to : key, value]));
}
