import type { BranchAddress, TableAddress } from "../catalog/address.js";
import {
  applyEvents,
  type CatalogDraft,
  type CatalogEvent,
  type CommandContext,
  entityAt,
  produceCatalog,
  tableKeysIn,
} from "../catalog/events.js";
import { findBranch, findTable } from "../catalog/find.js";
import type { BranchState, CatalogState, TableKey } from "../catalog/state.js";
import { refuse } from "../errors.js";
import type { Limits, Profile } from "../profile.js";
import type { IndexOption } from "../query/query-run.js";
import type { LinkColumn } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";
import type { WrittenRecords } from "../storage/transient.js";
import type { WriteContext } from "../storage/writer.js";
import type { ColumnDefinition } from "../types.js";
import type { Instant } from "../value/datetime.js";
import { checksum } from "../value/hash.js";
import type { Clock } from "./clock.js";
import { LinkChecks } from "./link-checks.js";
import type { Memory } from "./memory.js";
import type { QueryObserver, RemoteRows } from "./notice.js";
import {
  type Baseline,
  createEngineContents,
  DEFAULT_PUBLIC_URL,
  type EngineContents,
  type EngineSetup,
  type FileStorage,
} from "./setup.js";
import type { Streams } from "./streams.js";
import { TableStore } from "./table-store.js";
import { TimeLimit } from "./time-limit.js";
import { WriteFeed } from "./write-feed.js";

export class EngineContext implements CommandContext {
  readonly profile: Profile;
  readonly limits: Limits;
  streams: Streams;
  readonly indexes: IndexOption;
  readonly clock: Clock;
  files: FileStorage | undefined;
  publicUrl: string;
  /** Charged with the word indexes of searches, if a handler has a limit. */
  memory: Memory | undefined = undefined;
  /** The number of the next generated record id (rule R-3). Callers increment it. */
  nextId: number;
  /** Undefined if all records are in memory. */
  onQuery: QueryObserver | undefined = undefined;
  /** Undefined if records are in memory. */
  remote: RemoteRows | undefined = undefined;
  /** Number of random orders so far; seeds the next one. Not part of the state (rule S-4). */
  randomOrders: number;
  readonly #setup: EngineSetup;
  #state: CatalogState;
  /** The catalog while {@link changeTogether} runs. */
  #draft: CatalogDraft | undefined;
  readonly #tables: TableStore;
  tablesMade: number;
  #baseline: Baseline;
  readonly feed: WriteFeed = new WriteFeed();
  /** Whether a call is writing or reading its arguments. */
  isBusy = false;
  /** Writes of the running call; undefined if none runs. */
  #writes: "one" | "many" | undefined;
  readonly time: TimeLimit = new TimeLimit();
  /** Undefined if links are free (rule T-18). */
  readonly links: LinkChecks | undefined;

  constructor(
    setup: EngineSetup,
    contents: EngineContents,
    randomOrders = 0,
    clock: Clock = setup.clock.fork(),
  ) {
    this.profile = setup.profile;
    this.links = setup.profile.links === "checked" ? new LinkChecks() : undefined;
    this.limits = setup.limits;
    this.streams = setup.streams;
    this.indexes = setup.indexes;
    this.files = setup.files;
    this.publicUrl = setup.publicUrl ?? DEFAULT_PUBLIC_URL;
    this.nextId = contents.nextId;
    this.randomOrders = randomOrders;
    this.#setup = setup;
    this.#state = contents.state;
    this.#tables = new TableStore(contents.tables, contents.tableKeys);
    this.tablesMade = contents.tablesMade;
    this.clock = clock;
    this.#baseline = { contents, clock: clock.setting, randomOrders };
  }

  get seed(): number {
    return this.streams.seed;
  }

  get state(): CatalogState {
    return this.#draft?.catalog ?? this.#state;
  }

  /** Table versions by key; valid until the next write. */
  get tables(): ReadonlyMap<TableKey, TableVersion> {
    return this.#tables.versions;
  }

  now(): Instant {
    return this.clock.instant();
  }

  readBranch(address: BranchAddress): BranchState {
    return findBranch(this.state, address);
  }

  /** Valid until the next write, which may change the version in place. */
  readTable(address: TableAddress): TableVersion {
    return this.#tables.get(findTable(this.state, address));
  }

  /**
   * Runs one call: `act` decides, applies and answers. Then links are checked, the call commits and
   * listeners are notified: nothing after the commit refuses (rule E-5). An exception undoes all. A
   * call inside of it is part of it.
   *
   * @param writes `one` permits one write in place, after which nothing may refuse
   */
  call<T>(act: () => T, writes: "one" | "many" = "many"): T {
    if (this.#writes !== undefined) {
      if (writes === "many") this.#writes = "many";
      return act();
    }
    if (this.isBusy) return act(); // a getter: its writes are refused
    this.feed.begin();
    this.#tables.commit();
    const [state, nextId, tablesMade] = [this.#state, this.nextId, this.tablesMade];
    const { keysMade } = this.#tables;
    this.#writes = writes;
    try {
      const { links } = this;
      const decide = (): T => {
        const answer = act();
        links?.check({ state: this.#state, tables: this.tables }, this.time.check);
        return answer;
      };
      const answer = this.time.run(this.limits.queryMs, links === undefined ? act : decide);
      this.isBusy = true;
      this.feed.notify(state, this.#state);
      this.#tables.commit();
      return answer;
    } catch (error) {
      this.links?.cancel();
      this.#state = state;
      this.nextId = nextId;
      this.tablesMade = tablesMade;
      this.#tables.rollback(keysMade);
      throw error;
    } finally {
      this.isBusy = false;
      this.#writes = undefined;
    }
  }

  /**
   * Runs the part of a call that reads its arguments and writes. Meanwhile getters, the clock and
   * listeners may read but not write (`invalid_request`): one of both writes would be lost.
   */
  write<T>(act: () => T, writes: "one" | "many" = "many"): T {
    if (this.isBusy) {
      refuse(
        "invalid_request",
        "a getter, iterable, clock or listener that a call uses cannot write to the engine",
        { rule: "E-5" },
      );
    }
    if (this.#writes === undefined) return this.call(() => this.write(act, writes), writes);
    if (writes === "many") this.#writes = "many";
    this.isBusy = true;
    try {
      return act();
    } finally {
      this.isBusy = false;
    }
  }

  /** Runs a call that reads; getters of its arguments cannot write. */
  read<T>(act: () => T): T {
    const wasBusy = this.isBusy;
    this.isBusy = true;
    try {
      return this.time.run(this.limits.queryMs, act);
    } finally {
      this.isBusy = wasBusy;
    }
  }

  /** Runs a call that may read any record. */
  query<T>(act: () => T): T {
    this.onQuery?.();
    return this.read(act);
  }

  /** Returns the checked links to a table by the name of the linking table (rule T-18). */
  *linksTo(address: TableAddress): Generator<[table: string, columns: readonly LinkColumn[]]> {
    if (this.links === undefined) return;
    for (const [table, key] of this.readBranch(address).tables) {
      const { links } = this.tableAt(key).schema.constraints;
      const columns = links.filter(({ target }) => target === address.table);
      if (columns.length > 0) yield [table, columns];
    }
  }

  /** Sets a table's next version, and notes the records that it has written. */
  writeTable(address: TableAddress, version: TableVersion, records?: WrittenRecords): void {
    const key = findTable(this.#state, address);
    if (this.#writes === "many") this.#tables.change(key, version);
    else this.#tables.set(key, version);
    if (this.#writes === "one") {
      this.#writes = "many";
      this.time.settle();
    }
    if (records !== undefined) {
      this.feed.add([{ kind: "records", key, at: address, version, ...records }]);
    }
  }

  /** Applies the events that a command decides on; none if it throws. Returns the state before. */
  change(decide: (state: CatalogState) => readonly CatalogEvent[]): CatalogState {
    return this.write(() => {
      const before = this.state;
      const events = decide(before);
      for (const event of events) this.#applyToTables(event);
      if (this.#draft !== undefined) for (const event of events) this.#draft.apply(event);
      else this.#state = applyEvents(before, events);
      this.feed.add(events);
      this.remote?.note(events);
      return before;
    });
  }

  /** Runs several changes of tables as one call that copies the catalog once. */
  changeTogether(act: () => void): void {
    this.call(() => {
      this.#state = produceCatalog(this.#state, (draft) => {
        this.#draft = draft;
        try {
          act();
        } finally {
          this.#draft = undefined;
        }
      });
    });
  }

  #applyToTables(event: CatalogEvent): void {
    if (event.kind === "table_created") {
      this.#tables.add(event.key, event.version, event.rowsOf !== undefined);
    } else if (event.kind === "table_altered") this.#tables.change(event.key, event.version);
    else if (event.kind === "deleted") {
      const entity = entityAt(this.state, event.entity, event.at);
      for (const key of tableKeysIn(event.entity, entity)) this.#tables.drop(key);
    }
  }

  tableAt(key: TableKey): TableVersion {
    return this.#tables.get(key);
  }

  createKey(): TableKey {
    return this.#tables.createKey();
  }

  /** Whether a write is the only one of its call, and so changes tables in place. */
  get writesInPlace(): boolean {
    return this.#writes === "one";
  }

  /**
   * Permits a write in place. `requireCurrent` throws if a getter of the record took a snapshot or
   * scan, which shares the tables.
   */
  ownTables(table: string): Pick<WriteContext, "owner" | "requireCurrent"> {
    const { owner } = this.#tables;
    const requireCurrent = (): void => {
      if (this.#tables.owner === owner) return;
      const message = `table [${table}] was shared while the record was read`;
      refuse("invalid_request", message, { rule: "R-5" });
    };
    return { owner, requireCurrent };
  }

  /**
   * Returns a new identity (rule G-13). The counter never decreases, so recreated tables differ;
   * forks share the counter and differ by the checksum.
   */
  createTableIdentity(address: TableAddress, definitions: readonly ColumnDefinition[]): string {
    this.tablesMade += 1;
    const table = checksum(JSON.stringify([address, definitions]));
    return `tbl_${this.streams.tableTag}_${this.tablesMade.toString(36)}_${table}`;
  }

  /** Returns the current contents as an immutable value. */
  share(): EngineContents {
    const { keysMade: tableKeys } = this.#tables;
    const { nextId, tablesMade } = this;
    return { state: this.#state, tables: this.#tables.share(), tableKeys, nextId, tablesMade };
  }

  /** Replaces the contents with those of {@link share}; part of a write. */
  restore(contents: EngineContents): void {
    const before = { state: this.#state, tables: this.#tables.share() };
    this.feed.add([{ kind: "replaced", before, after: contents }]);
    this.links?.cancel();
    this.#state = contents.state;
    this.#tables.replace(contents.tables, contents.tableKeys);
    this.nextId = contents.nextId;
    this.tablesMade = Math.max(this.tablesMade, contents.tablesMade);
  }

  /** Makes the current contents the baseline of {@link reset}. */
  setBaseline(): void {
    const { clock, randomOrders } = this;
    this.#baseline = { contents: this.share(), clock: clock.setting, randomOrders };
  }

  reset(): void {
    const { contents, clock, randomOrders } = this.#baseline;
    this.write(() => {
      this.restore(contents);
      this.clock.turnTo(clock);
      this.randomOrders = randomOrders;
    });
  }

  dispose(): void {
    this.write(() => {
      this.feed.close();
      this.restore(createEngineContents(this));
      this.setBaseline();
    });
  }

  fork(): EngineContext {
    const setup = { ...this.#setup, streams: this.streams, files: this.files };
    return new EngineContext(setup, this.share(), this.randomOrders, this.clock.fork());
  }
}
