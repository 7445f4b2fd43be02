import {
  castDraft,
  current,
  type Draft,
  enableMapSet,
  enablePatches,
  freeze,
  Immer,
  type Patch,
} from "immer";
import type { Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { TableAddress } from "./address.js";
import type { CatalogState, TableKey } from "./state.js";

/** A catalog while a recipe changes it. */
export type CatalogDraft = Draft<CatalogState>;

/** An entry of a map that has another key; its place among the others is the same. */
export interface Rename {
  /** Where the map is in the catalog. */
  readonly path: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** What recipes use besides the draft: the contents of tables are beside the catalog. */
export interface ChangeContext {
  readonly profile: Profile;
  now(): Instant;
  tableAt(key: TableKey): TableVersion;
  /** @param rowsOf the table that has the same version */
  addTable(version: TableVersion, rowsOf?: TableKey): TableKey;
  alterTable(address: TableAddress, key: TableKey, version: TableVersion): void;
  dropTable(key: TableKey): void;
  noteRename(rename: Rename): void;
}

enableMapSet();
enablePatches();

/** Of its own: a program that uses immer too may set it up otherwise. Freezing costs as much as copying. */
const immer = new Immer({ autoFreeze: false });

/** Whether recipes freeze what they return; for tests. */
export function freezeCatalogs(isFrozen: boolean): void {
  immer.setAutoFreeze(isFrozen);
}

/** What a recipe made: the next catalog, its patches, and whatever it returned. */
export interface Produced<T> {
  readonly state: CatalogState;
  readonly patches: readonly Patch[];
  readonly result: T;
}

/** Runs one recipe on a catalog, which stays as it is. */
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
  return { state: after as CatalogState, patches, result }; // of a draft of it
}

/** A value for a draft to hold. It is frozen: immer looks for drafts in what is not. */
export function asDraft<T>(value: T): Draft<T> {
  return castDraft(freeze(value, immer.autoFreeze_));
}

/** A map of a draft with one key renamed, in its place. */
export function renameKey<V>(map: Map<string, V>, from: string, to: string): Map<string, V> {
  const entries: ReadonlyMap<string, V> = current<Map<string, unknown>>(map) as Map<string, V>; // as they are
  return new Map(Array.from(entries, ([key, value]) => [key === from ? to : key, value]));
}
