import type { BranchAddress, TableAddress } from "../catalog/address.js";
import { createCatalog } from "../catalog/empty.js";
import { findBranch, findTable } from "../catalog/find.js";
import { type BranchState, type CatalogState, TableCell } from "../catalog/state.js";
import { setTableCells } from "../catalog/tables.js";
import { refuse } from "../errors.js";
import type { Limits, Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { ColumnDefinition } from "../types.js";
import type { Instant } from "../value/datetime.js";
import { checksum } from "../value/hash.js";
import type { Clock } from "./clock.js";
import { JointWrite } from "./joint-write.js";
import type { RowObserver } from "./row-observer.js";
import type { EngineContents, EngineSetup, IndexOption } from "./setup.js";
import { type Baseline, DEFAULT_PUBLIC_URL, type FileKeeping } from "./setup.js";
import { Streams } from "./streams.js";
import { TimeLimit } from "./time-limit.js";
import { WriteFeed, type Written } from "./write-feed.js";

/** What an engine and all of its handles share: the present state, counters, clock and listeners. */
export class EngineContext {
  readonly profile: Profile;
  readonly limits: Limits;
  /** An import brings its own. */
  streams: Streams;
  readonly indexes: IndexOption;
  readonly clock: Clock;
  /** Absent where no files are kept, as long as nothing enables it. */
  files: FileKeeping | undefined;
  /** What addresses of files begin with (rule H-4). */
  publicUrl: string;
  /** Numbers the next generated record id (rule R-3); who uses it increments it. */
  nextId: number;
  /** Absent where nobody asks which records calls look for. */
  observer: RowObserver | undefined = undefined;
  /** Random orders drawn so far; seeds the next one. No part of the state (rule S-4). */
  randomOrders: number;
  readonly #setup: EngineSetup;
  #state: CatalogState;
  #tablesMade: number;
  #generation: symbol;
  #baseline: Baseline;
  /** Tells of each write. */
  readonly feed: WriteFeed = new WriteFeed();
  /** Whether a call is running that reads what it was given, or writes. */
  #isBusy = false;
  #joint: JointWrite | undefined;
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
    this.#tablesMade = contents.tablesMade;
    this.#generation = Symbol("generation");
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

  /** The present time. */
  now(): Instant {
    return this.clock.instant();
  }

  /**
   * The branch at an address, for use at once: the next write may change its tables in place.
   *
   * @throws TwinbaseError `…_not_found` (rule M-4)
   */
  readBranch(address: BranchAddress): BranchState {
    return findBranch(this.#state, address);
  }

  /** The branch at an address as it is now: it never changes. */
  shareBranch(address: BranchAddress): BranchState {
    this.#retireCells();
    return this.readBranch(address);
  }

  /** The present value of the table at an address, as {@link readBranch} gives it. */
  readTable(address: TableAddress): TableVersion {
    return findTable(this.#state, address).value;
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
    const before = this.#state;
    const made = this.#tablesMade;
    if (this.#joint === undefined) this.feed.begin(before);
    this.#isBusy = true;
    try {
      const result = this.time.run(this.limits.queryMs, act);
      if (this.#joint === undefined) this.feed.tell(this.#state);
      return result;
    } catch (error) {
      this.#state = before;
      this.#tablesMade = made;
      throw error;
    } finally {
      this.#isBusy = false;
    }
  }

  /**
   * Runs calls that write, and whatever is made of their results, as one: where anything throws,
   * nothing of it has happened, and listeners are told of all of it together. Inside another
   * such call, they end with that one.
   */
  writeJointly<T>(act: () => T): T {
    if (this.#joint !== undefined || this.#isBusy) return act();
    const [state, nextId, made] = [this.#state, this.nextId, this.#tablesMade];
    this.feed.begin(state);
    this.#joint = new JointWrite();
    try {
      const result = this.time.run(this.limits.queryMs, act);
      this.#isBusy = true;
      this.feed.tell(this.#state);
      return result;
    } catch (error) {
      this.#joint.undo();
      this.#state = state;
      this.nextId = nextId;
      this.#tablesMade = made;
      throw error;
    } finally {
      this.#isBusy = false;
      this.#joint = undefined;
    }
  }

  /** Whether the next write may be undone once it is done: it may change nothing in place. */
  get isJoint(): boolean {
    return this.#joint !== undefined;
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
   * Gives an existing table its next value; part of a {@link write}.
   *
   * @param written what a call that writes records has noted; without it those who listen are told
   * of all in which the two values differ
   */
  writeTable(address: TableAddress, value: TableVersion, written?: Written): void {
    const isTold = written !== undefined || !this.feed.isHeard;
    const cell = findTable(this.#state, address);
    if (isTold && cell.generation === this.#generation) {
      this.#joint?.keep(cell);
      cell.value = value;
    } else {
      const cells = new Map([[address.table, this.createCell(value)]]);
      const next = setTableCells(this.#state, address, cells);
      if (isTold) this.feed.follow(this.#state, next);
      this.#state = next;
    }
    if (written !== undefined) this.feed.note(address, value, written);
  }

  /**
   * A write that replaces the state by what `change` makes of it.
   *
   * @param copiesCells whether that has the same cells in two places
   */
  changeState(change: (state: CatalogState) => CatalogState, copiesCells = false): void {
    this.write(() => {
      this.#state = change(this.#state);
      if (copiesCells) this.#retireCells();
    });
  }

  /** Replaces the state; part of a {@link write}. */
  setState(state: CatalogState): void {
    this.#state = state;
  }

  /**
   * The mark under which single writes may change a table's chunks in place: only the table's cell
   * refers to what has it.
   */
  get owner(): symbol {
    return this.#generation;
  }

  /** A cell that this engine may write in place until its state is next shared. */
  createCell(value: TableVersion): TableCell {
    return new TableCell(value, this.#generation);
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

  /** Ends writing in place to the cells of the present state, before a part of it is handed out. */
  #retireCells(): void {
    this.#generation = Symbol("generation");
  }

  /** Hands out what the engine holds now; it never changes. */
  share(): EngineContents {
    this.#retireCells();
    return { state: this.#state, nextId: this.nextId, tablesMade: this.#tablesMade };
  }

  /** Takes back contents that {@link share} has given, of this or another engine; part of a write. */
  restore(contents: EngineContents): void {
    this.#state = contents.state;
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
      this.#state = createCatalog(this.profile.base);
      this.setBaseline();
    });
  }

  /** Another engine with the same contents and setup. */
  fork(): EngineContext {
    const setup = { ...this.#setup, ...this.streams, files: this.files };
    return new EngineContext(setup, this.share(), this.randomOrders, this.clock.fork());
  }
}
