import type { TableKey } from "../catalog/state.js";
import { Mark } from "../storage/mark.js";
import type { TableVersion } from "../storage/table.js";

/** A table's change in one call or atomic batch. */
export interface TableChange {
  /** Undefined for a new table. */
  readonly before: TableVersion | undefined;
  /** The table whose records a new one shares. */
  readonly rowsOf: TableKey | undefined;
  /** Whether more than single records changed. */
  readonly isAltered: boolean;
}

/**
 * Tables by key, outside of the catalog. Versions with the mark {@link owner} are written in place
 * (`ownership.ts`), so sharing versions takes a new mark first.
 */
export class TableStore {
  #versions: Map<TableKey, TableVersion>;
  /** Whether the map is shared, and so copied before a change. */
  #isShared = true;
  #keysMade: number;
  #owner: Mark = new Mark();
  /** The undo log of a batch. */
  #changes: Map<TableKey, TableChange> = new Map();
  /** The contents before a batch that replaced everything. */
  #replaced: Map<TableKey, TableVersion> | undefined;

  constructor(versions: ReadonlyMap<TableKey, TableVersion>, keysMade: number) {
    this.#versions = versions as Map<TableKey, TableVersion>; // copied before it changes
    this.#keysMade = keysMade;
  }

  /** Valid until the next write. */
  get versions(): ReadonlyMap<TableKey, TableVersion> {
    return this.#versions;
  }

  get keysMade(): number {
    return this.#keysMade;
  }

  /** Permits single writes in place. */
  get owner(): Mark {
    return this.#owner;
  }

  get replaced(): ReadonlyMap<TableKey, TableVersion> | undefined {
    return this.#replaced;
  }

  get changes(): ReadonlyMap<TableKey, TableChange> {
    return this.#changes;
  }

  get(key: TableKey): TableVersion {
    return this.#versions.get(key)!; // the catalog refers to existing tables only
  }

  /** Returns the contents; from here on they never change. */
  share(): ReadonlyMap<TableKey, TableVersion> {
    this.#owner = new Mark();
    this.#isShared = true;
    return this.#versions;
  }

  /** Sets a table's next version. */
  set(key: TableKey, version: TableVersion): void {
    const { owner } = version;
    if (owner !== undefined && owner !== this.#owner) owner.heir ??= this.#owner;
    this.#own().set(key, version);
  }

  /** Like {@link set}, with an entry in the undo log. */
  change(key: TableKey, version: TableVersion, isAltered: boolean): void {
    const known = this.#changes.get(key);
    if (known === undefined) {
      this.#changes.set(key, { before: this.#versions.get(key), rowsOf: undefined, isAltered });
    } else if (isAltered && !known.isAltered) this.#changes.set(key, { ...known, isAltered });
    this.set(key, version);
  }

  createKey(): TableKey {
    return ++this.#keysMade;
  }

  /** @param rowsOf the table with the same version */
  add(key: TableKey, version: TableVersion, rowsOf: TableKey | undefined): void {
    if (rowsOf !== undefined) this.#owner = new Mark();
    this.#changes.set(key, { before: undefined, rowsOf, isAltered: true });
    this.#own().set(key, version);
  }

  drop(key: TableKey): void {
    const known = this.#changes.get(key);
    const before = known === undefined ? this.#versions.get(key) : known.before;
    if (before === undefined) this.#changes.delete(key);
    else this.#changes.set(key, { before, rowsOf: undefined, isAltered: true });
    this.#own().delete(key);
  }

  /** Replaces the contents with shared ones; keys are never reused. */
  replace(versions: ReadonlyMap<TableKey, TableVersion>, keysMade: number): void {
    this.#undo();
    this.#replaced ??= this.#versions;
    this.#versions = versions as Map<TableKey, TableVersion>; // copied before it changes
    this.#isShared = true;
    this.#keysMade = Math.max(this.#keysMade, keysMade);
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
    this.#keysMade = keysMade;
  }

  #undo(): void {
    for (const [key, { before }] of this.#changes) {
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
