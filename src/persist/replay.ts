import type { Draft } from "immer";
import { createCatalog } from "../catalog/empty.js";
import { applyEvent, type CatalogEvent, entityAt } from "../catalog/events.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  MigrationState,
  TableKey,
} from "../catalog/state.js";
import { BUILT_IN_USER_ID } from "../catalog/users.js";
import type { ClockSetting } from "../engine/clock.js";
import { createFileStorage } from "../engine/file-storage.js";
import { danglingLinks, describeFault } from "../engine/link-checks.js";
import { resolveSetup } from "../engine/options.js";
import type { EngineContents, EngineSetup, FileStorage } from "../engine/setup.js";
import { Streams } from "../engine/streams.js";
import { refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import type { FileContent } from "../schema/stored-files.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import type { TableVersion } from "../storage/table.js";
import { decodeBase64 } from "../value/base64.js";
import { decodeEntityEvent, MIGRATION, REQUEST, readAddress } from "./entities.js";
import { type Line, LineFault, LineReader } from "./lines.js";
import { createStoredFileReader } from "./records.js";
import { COUNT, refusePart, requireCount } from "./require.js";
import { TableReplay } from "./table-replay.js";
import { tablesIn } from "./tables.js";
import { EXPORT, LOG, VERSION } from "./write.js";

export interface ReplayedEngine {
  readonly setup: EngineSetup;
  readonly contents: EngineContents;
  /** Undefined if the caller specified a clock. */
  readonly clock: ClockSetting | undefined;
  readonly records: number;
}

export interface ReplayOptions {
  /** Default the file's clock. */
  readonly now?: number | (() => number) | undefined;
  /** Whether to count records without reading them and file contents. */
  readonly skipsRecords?: boolean | undefined;
  /** Whether links are checked (rule T-18); default the file's profile. */
  readonly links?: Profile["links"] | undefined;
}

/** Applies a base and its logs to an empty engine. */
export class Replay {
  readonly #now: ReplayOptions["now"];
  readonly #skipsRecords: boolean;
  readonly #links: ReplayOptions["links"];
  /** Whether the file's engine did not check links, but the reading one does. */
  #checksLinks = false;
  readonly #storage: FileStorage = createFileStorage();
  readonly #files: Map<unknown, FileContent> = new Map();
  #setup: EngineSetup | undefined;
  #catalog: CatalogState = createEmpty("documented");
  readonly #migrations: Map<number, MigrationState> = new Map();
  readonly #tables: Map<unknown, TableReplay> = new Map();
  readonly #names: Map<unknown, string> = new Map();
  readonly #written: Set<TableReplay> = new Set();
  #commits = 0;
  /** The id of the log that continues what was read; undefined in earlier files. */
  #log: string | undefined;
  #isCommitted = false;
  #counters: s.TypeOf<typeof COUNTERS> | undefined;
  #records = 0;

  constructor({ now, skipsRecords = false, links }: ReplayOptions = {}) {
    this.#now = now;
    this.#links = links;
    this.#skipsRecords = skipsRecords;
  }

  get commits(): number {
    return this.#commits;
  }

  get migrations(): ReadonlyMap<number, MigrationState> {
    return this.#migrations;
  }

  /** @throws TwinbaseError `invalid_request` for an invalid line */
  readonly take = (line: Line, number: number): void => {
    if (number === 1) this.#begin(line);
    else if (line[0] === "r") this.#setRecord(line, number);
    else this.#change(line);
  };

  /** @throws TwinbaseError `invalid_request` if the last change is incomplete */
  end(): ReplayedEngine {
    const [setup, counters] = [this.#setup, this.#counters];
    if (setup === undefined || counters === undefined || !this.#isCommitted) {
      refuse("invalid_request", "it ends before its last line");
    }
    const { usersMade, secretsMade, nextId, tablesMade, seed, secret, clock } = counters;
    checkCatalog(this.#catalog);
    const tables = this.#versions();
    if (this.#checksLinks) this.#requireLinks(tables);
    const state = { ...this.#catalog, usersMade, secretsMade };
    const tableKeys = Math.max(0, ...tables.keys());
    const fixed = clock.kind === "standing" ? clock.at : undefined;
    const isTimed = this.#now !== undefined;
    const engineClock = isTimed ? setup.clock : resolveSetup({ now: fixed }).clock;
    return {
      setup: { ...setup, streams: new Streams(seed, secret), clock: engineClock },
      clock: isTimed ? undefined : clock,
      contents: { state, tables, tableKeys, nextId, tablesMade },
      records: this.#records,
    };
  }

  /** A log's header follows that of an export. */
  #begin([format, version, fields]: Line): void {
    const expected = this.#setup === undefined ? EXPORT : LOG;
    if (format !== expected) refusePart("header", expected, format);
    if (version !== VERSION) refusePart("header", `version ${VERSION}`, version);
    const { commits, log, ...settings } = readBySchema(HEADER, fields);
    if (this.#setup !== undefined) {
      if (log !== this.#log) refuse("invalid_request", "it is the log of another base");
      if (commits === this.#commits) return;
      refuse("invalid_request", `${commits} changes before it, but only ${this.#commits} exist`);
    }
    this.#commits = commits;
    this.#log = log;
    const setup = resolveSetup({ ...settings, now: this.#now });
    this.#setup = { ...setup, files: this.#storage };
    const isChecked = settings.profile?.links === "checked";
    this.#checksLinks = !isChecked && (this.#links ?? setup.profile.links) === "checked";
    this.#catalog = createEmpty(setup.profile.base);
  }

  #setRecord(line: Line, number: number): void {
    const table = this.#tableOf(line[1]);
    if (!this.#skipsRecords) table.set(line, number);
    this.#records++;
    this.#isCommitted = false;
  }

  #change([tag, first, second, third]: Line): void {
    this.#isCommitted = false;
    switch (tag) {
      case "set":
      case "delete":
      case "rename":
        this.#apply(decodeEntityEvent(this.#catalog, [tag, first, second, third]));
        if (first === "table") this.#names.set(third, (second as readonly string[]).at(-1)!); // read above
        break;
      case "request":
        this.#apply(this.#readRequest(first, second, third));
        break;
      case "migration":
        this.#migrations.set(requireCount(first, tag), readBySchema(MIGRATION, second));
        break;
      case "history":
        this.#apply(this.#readHistory(first, second, third));
        break;
      case "table":
        this.#addTable(first, second, third);
        break;
      case "file":
        if (!this.#skipsRecords) this.#addFile(first, second);
        break;
      case "d":
        if (!this.#skipsRecords) this.#tableOf(first).delete(second);
        break;
      case "empty":
        this.#catalog = createEmpty(this.#catalog.base);
        this.#tables.clear();
        this.#written.clear();
        this.#migrations.clear();
        break;
      case "commit":
        this.#commit(first, second);
        break;
      case "next":
        this.#log = first as string | undefined; // compared with the header of the next log
        this.#isCommitted = true;
        break;
      default:
        refusePart("line", "a line of an export", tag);
    }
  }

  #apply(event: CatalogEvent): void {
    applyEvent(this.#catalog as Draft<CatalogState>, event); // only this replay has it
  }

  #readRequest(address: unknown, at: unknown, value: unknown): CatalogEvent {
    const names = readAddress(address, 2);
    const database = entityAt(this.#catalog, "database", names) as DatabaseState | undefined; // by its kind
    const index = requireCount(at, "request");
    if (database === undefined) refusePart("address", "a database", names);
    if (index > database.migrationRequests.length) refusePart("request", "the next index", index);
    return { kind: "request", at: names, index, request: readBySchema(REQUEST, value) };
  }

  #readHistory(address: unknown, from: unknown, runs: unknown): CatalogEvent {
    const at = readAddress(address, 3);
    const branch = entityAt(this.#catalog, "branch", at) as BranchState | undefined; // by its kind
    const index = requireCount(from, "history");
    if (branch === undefined) refusePart("address", "a branch", at);
    if (index > branch.history.length) refusePart("history", "the next index", from);
    const migrations: MigrationState[] = [];
    for (const [first = 0, count = 0] of readBySchema(RUNS, runs)) {
      for (let number = first; number < first + count; number++) {
        const migration = this.#migrations.get(number);
        if (migration === undefined) refusePart("history", "the number of a migration", number);
        migrations.push(migration);
      }
    }
    return { kind: "history", at, index, migrations };
  }

  #tableOf(number: unknown): TableReplay {
    const table = this.#tables.get(number);
    if (table === undefined) refusePart("record", "the number of a table", number);
    this.#written.add(table);
    return table;
  }

  #addTable(number: unknown, value: unknown, source: unknown): void {
    const from = source === null ? undefined : this.#tableOf(source);
    const base = from?.version();
    const { profile } = this.#setup!; // set by the header
    const readFile = createStoredFileReader(this.#storage.read, (hash) => this.#files.get(hash));
    const name = this.#names.get(number) ?? "";
    const lines = this.#checksLinks ? new Map(from?.lines) : undefined;
    const table = new TableReplay(value, base, { profile, readFile, name, lines });
    this.#tables.set(requireCount(number, "table"), table);
    this.#written.add(table);
  }

  #addFile(hash: unknown, base64: unknown): void {
    const bytes = typeof base64 === "string" ? decodeBase64(base64) : undefined;
    const content = bytes === undefined ? undefined : this.#storage.store(bytes);
    if (content === undefined || content.hash !== hash) refusePart("file", "its content", hash);
    this.#files.set(hash, content);
  }

  #commit(number: unknown, details: unknown): void {
    if (number !== this.#commits + 1) refusePart("commit", `number ${this.#commits + 1}`, number);
    for (const table of this.#written) table.checkUniques();
    this.#written.clear();
    this.#counters = readBySchema(COUNTERS, details);
    this.#commits++;
    this.#isCommitted = true;
  }

  /** Throws with the line of the first link that names no record. */
  #requireLinks(tables: ReadonlyMap<TableKey, TableVersion>): void {
    for (const link of danglingLinks({ state: this.#catalog, tables })) {
      const line = this.#tables.get(link.table)?.lines?.get(link.record);
      const { table } = link.address;
      throw new LineFault(line ?? 1, `table [${table}]: ${describeFault(link)}`);
    }
  }

  #versions(): Map<TableKey, TableVersion> {
    const versions = new Map<TableKey, TableVersion>();
    for (const [name, key] of tablesIn(this.#catalog)) {
      const table = this.#tables.get(key);
      if (table === undefined || versions.has(key)) {
        refusePart("table", `a distinct table number for [${name}]`, key);
      }
      table.checkNotNulls();
      versions.set(key, table.version());
    }
    return versions;
  }
}

/** A reader of a file, and its result after the end. */
export function openReplay(
  options?: ReplayOptions,
  what?: string,
): { readonly reader: LineReader; readonly end: () => ReplayedEngine } {
  const replay = new Replay(options);
  const reader = new LineReader(replay.take, what);
  return { reader, end: (): ReplayedEngine => reader.end(() => replay.end()) };
}

function createEmpty(base: CatalogState["base"]): CatalogState {
  const { users: _, ...rest } = createCatalog(base);
  return { ...rest, users: new Map() };
}

const SETUP = { profile: s.ANY_OBJECT, limits: s.ANYTHING, indexes: s.ANYTHING, log: s.TEXT };
const HEADER = s.objectOf({ commits: COUNT }, SETUP);
const RUNS = s.arrayOf(s.arrayOf(COUNT));

const CLOCK = s.parsed<ClockSetting>({}, "a fixed or running clock", (given) => {
  const { kind, at, offset } = Object(given) as Readonly<Record<string, unknown>>;
  if (kind === "standing" && typeof at === "number") return { kind, at };
  return kind === "running" && typeof offset === "number" ? { kind, offset } : undefined;
});

const COUNTERS = s.objectOf(
  {
    // Ids have 32 bits of seconds and 21 of a counter (rule R-3).
    nextId: s.wholeOf(0, 2 ** 53 - 1),
    tablesMade: s.wholeOf(0),
    usersMade: s.wholeOf(0),
    secretsMade: s.wholeOf(0),
    seed: s.INTEGER,
    clock: CLOCK,
  },
  { secret: s.textOf(43, 43) },
);

function checkCatalog({ users, keys, workspaces }: CatalogState): void {
  if (!users.has(BUILT_IN_USER_ID)) refuse("invalid_request", "no built-in user");
  for (const { userId } of keys.values()) {
    if (!users.has(userId)) refusePart("keys", "ids of users", userId);
  }
  for (const { members, databases } of workspaces.values()) {
    for (const member of members.keys()) {
      if (!users.has(member)) refusePart("members", "ids of users", member);
    }
    for (const { branches, branchesByGitBranch } of databases.values()) {
      if (branches.size === 0) refuse("invalid_request", "a database without a branch");
      for (const branch of branchesByGitBranch.values()) {
        if (!branches.has(branch)) refusePart("gitBranches", "branches of the database", branch);
      }
    }
  }
}
