import type { TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import { Mark } from "../storage/vectors.js";

/**
 * Tables by key, outside of the catalog. Versions with the mark {@link owner} are written in place
 * (`ownership.ts`), so sharing versions takes a new mark first.
 */
export class TableStore {
  #versions: Map<TableKey, TableVersion>;
  /** Whether the map is shared, and so copied before a change. */
  #isShared = true;
  keysMade: number;
  /** Permits single writes in place. */
  owner: Mark = new Mark();
  /** The undo log of a batch: former versions, undefined for new tables. */
  #changes: Map<TableKey, TableVersion | undefined> = new Map();
  /** The contents before a batch that replaced everything. */
  #replaced: Map<TableKey, TableVersion> | undefined;

  constructor(versions: ReadonlyMap<TableKey, TableVersion>, keysMade: number) {
    this.#versions = versions as Map<TableKey, TableVersion>; // copied before it changes
    this.keysMade = keysMade;
  }

  /** Valid until the next write. */
  get versions(): ReadonlyMap<TableKey, TableVersion> {
    return this.#versions;
  }

  get(key: TableKey): TableVersion {
    return this.#versions.get(key)!; // the catalog refers to existing tables only
  }

  /** Returns the contents; from here on they never change. */
  share(): ReadonlyMap<TableKey, TableVersion> {
    this.owner = new Mark();
    this.#isShared = true;
    return this.#versions;
  }

  /** Sets a table's next version. */
  set(key: TableKey, version: TableVersion): void {
    const { owner } = version;
    if (owner !== undefined && owner !== this.owner) owner.heir ??= this.owner;
    this.#own().set(key, version);
  }

  /** Like {@link set}, with an entry in the undo log. */
  change(key: TableKey, version: TableVersion): void {
    this.#remember(key);
    this.set(key, version);
  }

  createKey(): TableKey {
    return ++this.keysMade;
  }

  /** @param isShared whether another table has the same version */
  add(key: TableKey, version: TableVersion, isShared: boolean): void {
    if (isShared) this.owner = new Mark();
    this.#remember(key);
    this.#own().set(key, version);
  }

  drop(key: TableKey): void {
    this.#remember(key);
    this.#own().delete(key);
  }

  #remember(key: TableKey): void {
    if (!this.#changes.has(key)) this.#changes.set(key, this.#versions.get(key));
  }

  /** Replaces the contents with shared ones; keys are never reused. */
  replace(versions: ReadonlyMap<TableKey, TableVersion>, keysMade: number): void {
    this.#undo();
    this.#replaced ??= this.#versions;
    this.#versions = versions as Map<TableKey, TableVersion>; // copied before it changes
    this.#isShared = true;
    this.keysMade = Math.max(this.keysMade, keysMade);
  }

  /** Ends the undo log. */
  commit(): void {
    if (this.#changes.size > 0) this.#changes = new Map();
    this.#replaced = undefined;
  }

  /** Undoes changes since the last {@link commit}. */
  rollback(keysMade: number): void {
    this.#undo();
    if (this.#replaced !== undefined) {
      this.#versions = this.#replaced;
      this.#isShared = true;
    }
    this.#replaced = undefined;
    this.keysMade = keysMade;
  }

  #undo(): void {
    for (const [key, before] of this.#changes) {
      if (before === undefined) this.#own().delete(key);
      else this.#own().set(key, before);
    }
    this.#changes = new Map();
  }

  #own(): Map<TableKey, TableVersion> {
    if (this.#isShared) {
      this.#versions = new Map(this.#versions);
      this.#isShared = false;
    }
    return this.#versions;
  }
}
