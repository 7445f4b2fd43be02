import type { TableKey } from "../catalog/state.js";
import { Mark } from "../storage/mark.js";
import type { TableVersion } from "../storage/table.js";

/** What became of a table in one call or atomic batch. */
export interface TableChange {
  /** Undefined where the table is new. */
  readonly before: TableVersion | undefined;
  /** The table with whose records a new one began. */
  readonly rowsOf: TableKey | undefined;
  /** Whether more than single records changed: the two versions are to be compared. */
  readonly isAltered: boolean;
}

/**
 * The contents of the tables of an engine, by the keys that its catalog has of them. Versions are
 * values, but what has the mark {@link owner} is written in place (`ownership.ts`): whatever hands
 * out versions, to a snapshot, a fork or another branch, takes another mark first.
 */
export class TableStore {
  #versions: Map<TableKey, TableVersion>;
  /** Whether the map was handed out: it is copied before it changes. */
  #isShared = true;
  #keysMade: number;
  #owner: Mark = new Mark();
  /** What an atomic batch has changed so far: its undo log. */
  #changes: Map<TableKey, TableChange> = new Map();
  /** What a batch began with, once it has replaced all. */
  #replaced: Map<TableKey, TableVersion> | undefined;

  constructor(versions: ReadonlyMap<TableKey, TableVersion>, keysMade: number) {
    this.#versions = versions as Map<TableKey, TableVersion>; // copied before it changes
    this.#keysMade = keysMade;
  }

  /** The present contents, for use at once. */
  get versions(): ReadonlyMap<TableKey, TableVersion> {
    return this.#versions;
  }

  get keysMade(): number {
    return this.#keysMade;
  }

  /** The mark under which single writes may change a table in place. */
  get owner(): Mark {
    return this.#owner;
  }

  /** What a batch has replaced, contents and all. */
  get replaced(): ReadonlyMap<TableKey, TableVersion> | undefined {
    return this.#replaced;
  }

  get changes(): ReadonlyMap<TableKey, TableChange> {
    return this.#changes;
  }

  /** The version of a table that there is. */
  get(key: TableKey): TableVersion {
    return this.#versions.get(key)!; // the catalog has keys of these alone
  }

  /** Hands out the present contents: from here on they never change. */
  share(): ReadonlyMap<TableKey, TableVersion> {
    this.#owner = new Mark();
    this.#isShared = true;
    return this.#versions;
  }

  /** Takes the next version of a table from a writer, for good. */
  set(key: TableKey, version: TableVersion): void {
    const { owner } = version;
    if (owner !== undefined && owner !== this.#owner) owner.heir ??= this.#owner;
    this.#own().set(key, version);
  }

  /**
   * Takes the next version of a table; the one before stays as it is.
   *
   * @param isAltered whether the two differ in more than records that are noted
   */
  change(key: TableKey, version: TableVersion, isAltered: boolean): void {
    const known = this.#changes.get(key);
    if (known === undefined) {
      this.#changes.set(key, { before: this.#versions.get(key), rowsOf: undefined, isAltered });
    } else if (isAltered && !known.isAltered) this.#changes.set(key, { ...known, isAltered });
    this.set(key, version);
  }

  /** A key that no table has had. */
  createKey(): TableKey {
    return ++this.#keysMade;
  }

  /** @param rowsOf the table that has the same version */
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

  /** Takes other contents, that were handed out; keys are never given again. */
  replace(versions: ReadonlyMap<TableKey, TableVersion>, keysMade: number): void {
    this.#undo();
    this.#replaced ??= this.#versions;
    this.#versions = versions as Map<TableKey, TableVersion>; // copied before it changes
    this.#isShared = true;
    this.#keysMade = Math.max(this.#keysMade, keysMade);
  }

  /** What was changed so far is not undone any more. */
  commit(): void {
    if (this.#changes.size > 0) this.#changes = new Map();
    this.#replaced = undefined;
  }

  /** Undoes what was changed since the last {@link commit}. */
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
