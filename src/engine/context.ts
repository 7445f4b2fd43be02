import type { BranchAddress, TableAddress } from "../catalog/address.js";
import {
  type CatalogDraft,
  type ChangeContext,
  produceCatalog,
  type Rename,
} from "../catalog/draft.js";
import { findBranch, findTable } from "../catalog/find.js";
import type { BranchState, CatalogState, TableKey } from "../catalog/state.js";
import { refuse } from "../errors.js";
import type { Limits, Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { WriteContext } from "../storage/writer.js";
import type { ColumnDefinition } from "../types.js";
import type { Instant } from "../value/datetime.js";
import { checksum } from "../value/hash.js";
import type { Clock } from "./clock.js";
import type { RowObserver } from "./row-observer.js";
import type { EngineContents, EngineSetup, IndexOption } from "./setup.js";
import { type Baseline, createContents, DEFAULT_PUBLIC_URL, type FileStorage } from "./setup.js";
import { Streams } from "./streams.js";
import { TableStore } from "./table-store.js";
import { TimeLimit } from "./time-limit.js";
import { WriteFeed, type WrittenRecords } from "./write-feed.js";

/** What an engine and all of its handles share: the present state, counters, clock and listeners. */
export class EngineContext implements ChangeContext {
  readonly profile: Profile;
  readonly limits: Limits;
  /** An import brings its own. */
  streams: Streams;
  readonly indexes: IndexOption;
  readonly clock: Clock;
  /** Absent until files are enabled. */
  files: FileStorage | undefined;
  /** What addresses of files begin with (rule H-4). */
  publicUrl: string;
  /** Numbers the next generated record id (rule R-3); who uses it increments it. */
  nextId: number;
  /** Notified of the records that calls look for. */
  observer: RowObserver | undefined = undefined;
  /** Random orders drawn so far; seeds the next one. No part of the state (rule S-4). */
  randomOrders: number;
  readonly #setup: EngineSetup;
  #state: CatalogState;
  readonly #tables: TableStore;
  #tablesMade: number;
  #baseline: Baseline;
  readonly feed: WriteFeed = new WriteFeed();
  /** Whether a call is running that reads what it was given, or writes. */
  #isBusy = false;
  #isAtomic = false;
  /** Of the running recipe; the edits of tables run once it has returned. */
  #renames: Rename[] = [];
  #altered: TableAddress[] = [];
  #edits: (() => void)[] = [];
  readonly time: TimeLimit = new TimeLimit();

  constructor(
    setup: EngineSetup,
    contents: EngineContents,
    randomOrders = 0,
    clock: Clock = setup.clock.fork(),
  ) {
    this.profile = setup.profile;
    this.limits = setup.limits;
    this.streams = new Streams(setup.seed, setup.secret);
    this.indexes = setup.indexes;
    this.files = setup.files;
    this.publicUrl = setup.publicUrl ?? DEFAULT_PUBLIC_URL;
    this.nextId = contents.nextId;
    this.randomOrders = randomOrders;
    this.#setup = setup;
    this.#state = contents.state;
    this.#tables = new TableStore(contents.tables, contents.tableKeys);
    this.#tablesMade = contents.tablesMade;
    this.clock = clock;
    this.#baseline = { contents, clock: clock.setting, randomOrders };
  }

  get seed(): number {
    return this.streams.seed;
  }

  get state(): CatalogState {
    return this.#state;
  }

  get tablesMade(): number {
    return this.#tablesMade;
  }

  /** The tables by their keys, for use at once. */
  get tables(): ReadonlyMap<TableKey, TableVersion> {
    return this.#tables.versions;
  }

  /** The present time. */
  now(): Instant {
    return this.clock.instant();
  }

  /**
   * The branch at an address.
   *
   * @throws TwinbaseError `…_not_found` (rule M-4)
   */
  readBranch(address: BranchAddress): BranchState {
    return findBranch(this.#state, address);
  }

  /**
   * The present version of the table at an address, for use at once: the next write may change it in
   * place.
   */
  readTable(address: TableAddress): TableVersion {
    return this.#tables.get(findTable(this.#state, address));
  }

  /**
   * Runs a call that writes, and notifies listeners of it. A getter of an argument, the clock or a listener
   * can read the engine during it but not write to it: one of the two writes would be lost.
   *
   * @throws TwinbaseError `invalid_request` for a write inside another call
   */
  write<T>(act: () => T): T {
    if (this.#isBusy) {
      refuse(
        "invalid_request",
        "a getter, iterable, clock or listener that a call uses cannot write to the engine",
        { rule: "E-5" },
      );
    }
    this.#isBusy = true;
    try {
      return this.#isAtomic ? this.#runInBatch(act) : this.#attempt(act);
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * Runs calls that write, and whatever is made of their results, as one atomic batch: where anything
   * throws, all is undone; listeners are notified once. A batch inside another is part of that one.
   */
  atomic<T>(act: () => T): T {
    if (this.#isAtomic || this.#isBusy) return act();
    this.#isAtomic = true;
    try {
      return this.#attempt(act);
    } finally {
      this.#isBusy = false;
      this.#isAtomic = false;
    }
  }

  /** Runs a call and notifies of its writes; undoes them if it throws. */
  #attempt<T>(act: () => T): T {
    const [state, nextId, tablesMade] = [this.#state, this.nextId, this.#tablesMade];
    const { keysMade } = this.#tables;
    this.feed.begin(state);
    this.#tables.commit();
    try {
      const result = this.time.run(this.limits.queryMs, act);
      this.#isBusy = true;
      this.feed.notify(this.#state, this.#tables);
      this.#tables.commit();
      return result;
    } catch (error) {
      this.#state = state;
      this.nextId = nextId;
      this.#tablesMade = tablesMade;
      this.#tables.rollback(keysMade);
      throw error;
    }
  }

  #runInBatch<T>(act: () => T): T {
    const made = this.#tablesMade;
    try {
      return act();
    } catch (error) {
      this.#tablesMade = made;
      throw error;
    }
  }

  /** Runs a call that reads records: what it was given cannot write to them while it is read. */
  read<T>(act: () => T): T {
    const wasBusy = this.#isBusy;
    this.#isBusy = true;
    try {
      return this.time.run(this.limits.queryMs, act);
    } finally {
      this.#isBusy = wasBusy;
    }
  }

  /** Runs a call that reads any records that match. */
  query<T>(act: () => T): T {
    this.observer?.onQuery?.();
    return this.read(act);
  }

  /**
   * Gives an existing table its next version; part of a {@link write}.
   *
   * @param written the records that differ; without it listeners compare the two versions
   */
  writeTable(address: TableAddress, version: TableVersion, written?: WrittenRecords): void {
    const key = findTable(this.#state, address);
    const isAltered = written === undefined && this.feed.isObserved;
    if (this.#isAtomic || isAltered) this.#tables.change(key, version, isAltered);
    else this.#tables.set(key, version);
    if (isAltered) {
      this.feed.change({ patches: [], renames: [], state: this.#state }, [address]);
    }
    if (written !== undefined) this.feed.note(key, address, version, written);
  }

  /** Runs a recipe on the catalog: all it does, to the contents of tables too, or nothing. */
  changeCatalog<T>(recipe: (draft: CatalogDraft) => T): T {
    return this.write(() => {
      this.#renames = [];
      this.#altered = [];
      this.#edits = [];
      const { isObserved } = this.feed;
      const { state, patches, result } = produceCatalog(this.#state, recipe, isObserved);
      for (const edit of this.#edits) edit();
      if (isObserved) this.feed.change({ patches, renames: this.#renames, state }, this.#altered);
      this.#state = state;
      return result;
    });
  }

  tableAt(key: TableKey): TableVersion {
    return this.#tables.get(key);
  }

  addTable(version: TableVersion, rowsOf?: TableKey): TableKey {
    const key = this.#tables.createKey();
    this.#edits.push(() => this.#tables.add(key, version, rowsOf));
    return key;
  }

  alterTable(address: TableAddress, key: TableKey, version: TableVersion): void {
    this.#altered.push(address);
    this.#edits.push(() => this.#tables.change(key, version, true));
  }

  dropTable(key: TableKey): void {
    this.#edits.push(() => this.#tables.drop(key));
  }

  noteRename(rename: Rename): void {
    this.#renames.push(rename);
  }

  /**
   * For a single write of a record, which changes nothing before all is checked: the mark of what it
   * may change in place. It is refused where a snapshot or a scan, taken by a getter of the record,
   * holds the table by then.
   */
  ownTable(address: TableAddress): Pick<WriteContext, "owner" | "requireCurrent"> {
    if (this.#isAtomic) return {};
    const { owner } = this.#tables;
    const requireCurrent = (): void => {
      if (this.#tables.owner === owner) return;
      const message = `table [${address.table}] was shared while the record was read`;
      refuse("invalid_request", message, { rule: "R-5" });
    };
    return { owner, requireCurrent };
  }

  /**
   * Returns a new table's identity (rule G-13). The count of tables made never goes back, so a table
   * that is dropped or undone and made again gets another. Forks share the count: they differ by the checksum.
   */
  createTableIdentity(address: TableAddress, definitions: readonly ColumnDefinition[]): string {
    this.#tablesMade += 1;
    const table = checksum(JSON.stringify([address, definitions]));
    return `tbl_${this.streams.tableTag}_${this.#tablesMade.toString(36)}_${table}`;
  }

  /** Hands out what the engine holds now; it never changes. */
  share(): EngineContents {
    const { keysMade: tableKeys } = this.#tables;
    const tables = this.#tables.share();
    return {
      state: this.#state,
      tables,
      tableKeys,
      nextId: this.nextId,
      tablesMade: this.#tablesMade,
    };
  }

  /** Takes back contents that {@link share} has given, of this or another engine; part of a write. */
  restore(contents: EngineContents): void {
    this.feed.replace();
    this.#state = contents.state;
    this.#tables.replace(contents.tables, contents.tableKeys);
    this.nextId = contents.nextId;
    this.#tablesMade = Math.max(this.#tablesMade, contents.tablesMade);
  }

  /** From here on {@link reset} comes back to what the engine holds now. */
  setBaseline(): void {
    const { clock, randomOrders } = this;
    this.#baseline = { contents: this.share(), clock: clock.setting, randomOrders };
  }

  /** Goes back to the baseline; at first that is what the engine began with. */
  reset(): void {
    const { contents, clock, randomOrders } = this.#baseline;
    this.write(() => {
      this.restore(contents);
      this.clock.turnTo(clock);
      this.randomOrders = randomOrders;
    });
  }

  /** Drops everything: contents, baseline and listeners. */
  dispose(): void {
    this.write(() => {
      this.feed.close();
      this.restore(createContents(this));
      this.setBaseline();
    });
  }

  /** Another engine with the same contents and setup. */
  fork(): EngineContext {
    const setup = { ...this.#setup, ...this.streams, files: this.files };
    return new EngineContext(setup, this.share(), this.randomOrders, this.clock.fork());
  }
}
