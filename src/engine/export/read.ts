import { refuse } from "../../errors.js";
import type { TableVersion } from "../../storage/table.js";
import { readString, readStrings } from "../../value/fields.js";
import type { ClockSetting } from "../clock.js";
import { createFileKeeping } from "../files.js";
import { resolveSetup } from "../options.js";
import type { EngineContents, EngineSetup, FileKeeping } from "../setup.js";
import { FORMAT, VERSION } from "./layout.js";
import { LineReader, type LineScanner } from "./lines.js";
import { CatalogReader, type Counters } from "./read-catalog.js";
import { FilesReader } from "./read-files.js";
import { TableReader } from "./read-table.js";
import { refusePart, requireCount, requireFields } from "./values.js";

/** What an export holds. */
export interface ReadExport {
  readonly setup: EngineSetup;
  /** Absent where another time was given. */
  readonly clock: ClockSetting | undefined;
  readonly contents: EngineContents;
  /** How many records there are, counted once where branches share them. */
  readonly records: number;
}

interface ReadHeader extends Omit<ReadExport, "contents" | "records"> {
  readonly nextId: number;
  readonly tablesMade: number;
  readonly counters: Counters;
}

/**
 * Reads the text of an export, or its UTF-8, in whatever chunks it comes. It gives nothing
 * until all of it was checked.
 */
export class ExportReader implements LineScanner {
  readonly #lines: LineReader;
  readonly #catalog: CatalogReader = new CatalogReader();
  readonly #versions: TableVersion[] = [];
  readonly #keeping: FileKeeping = createFileKeeping();
  readonly #files: FilesReader = new FilesReader(this.#keeping);
  readonly #now: number | (() => number) | undefined;
  readonly #skipsRecords: boolean;
  #header: ReadHeader | undefined;
  #table: TableReader | undefined;
  #records = 0;
  #contents: EngineContents | undefined;

  /**
   * @param now the time of the engine; absent, that of the export, which may be fixed or run
   * @param what is read, for messages
   * @param skipsRecords whether records and contents of files are counted, and not read
   */
  constructor(now?: number | (() => number), what?: string, skipsRecords = false) {
    this.#now = now;
    this.#skipsRecords = skipsRecords;
    this.#lines = new LineReader((line) => this.#take(line), what, this);
  }

  /** How the engine was made; undefined before the first line was read. */
  get setup(): EngineSetup | undefined {
    return this.#header?.setup;
  }

  /** @throws TwinbaseError `invalid_request` with the line that is damaged or no good */
  write(chunk: string | Uint8Array): void {
    this.#lines.write(chunk);
  }

  /** @throws TwinbaseError `invalid_request` where the export is not whole */
  end(): ReadExport {
    this.#lines.end();
    if (this.#header === undefined || this.#contents === undefined) {
      this.#lines.refuse("it ends before its end");
    }
    const { setup, clock } = this.#header;
    return { setup, clock, contents: this.#contents, records: this.#records };
  }

  scan(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    return !this.#skipsRecords && this.#table?.scan(bytes, view, start, end) === true;
  }

  settle(): boolean {
    const settled = this.#table?.settle();
    this.#records += settled ?? 0;
    return settled !== undefined;
  }

  #take(line: readonly unknown[]): void {
    const [tag, name, details, keys] = line;
    if (this.#header === undefined) {
      this.#header = readHeader(line, this.#now, this.#keeping);
      return;
    }
    if (this.#contents !== undefined) refuse("invalid_request", "it goes on after its end");
    if (tag === "r") {
      if (this.#table === undefined) refuse("invalid_request", "a record without a table");
      this.#records++;
      if (this.#skipsRecords) this.#table.skipRecord();
      else this.#table.readRecord(line);
      return;
    }
    if (tag === "table" || tag === "end") this.#endTable();
    else if (this.#versions.length > 0 || this.#table !== undefined) {
      refusePart("line", "a table, a record or the end", tag);
    }
    switch (tag) {
      case "user":
        this.#catalog.readUser(name, details, keys);
        break;
      case "workspace":
        this.#catalog.readWorkspace(name, details);
        break;
      case "database":
        this.#catalog.readDatabase(name, details);
        break;
      case "request":
        this.#catalog.readRequest(name);
        break;
      case "migration":
        this.#catalog.readMigration(name, details);
        break;
      case "branch":
        this.#catalog.readBranch(name, details);
        break;
      case "file":
        if (!this.#skipsRecords) this.#files.readContent(name, details);
        break;
      case "table": {
        const { profile } = this.#header.setup;
        this.#table = new TableReader(this.#nameTable(name), details, profile, this.#files);
        break;
      }
      case "end":
        this.#contents = this.#build(this.#header, name);
        break;
      default:
        refusePart("line", "a line of an export", tag);
    }
  }

  /** The table that comes next. */
  #nameTable(number: unknown): string {
    const { tables } = this.#catalog;
    const name = tables[this.#versions.length];
    return name !== undefined && number === this.#versions.length
      ? name
      : refusePart("table", `number ${this.#versions.length} of ${tables.length}`, number);
  }

  #endTable(): void {
    if (this.#table === undefined) return;
    this.#versions.push(this.#table.end());
    this.#table = undefined;
  }

  #build({ setup, counters, nextId, tablesMade }: ReadHeader, lines: unknown): EngineContents {
    if (lines !== this.#lines.number - 1) {
      refusePart("end", `${this.#lines.number - 1} lines before it`, lines);
    }
    const { length } = this.#catalog.tables;
    if (this.#versions.length !== length) {
      refusePart("end", `${length} tables before it`, this.#versions.length);
    }
    const built = this.#catalog.build(setup.profile.base, counters, this.#versions);
    return { ...built, nextId, tablesMade };
  }
}

function readHeader(
  line: readonly unknown[],
  now: number | (() => number) | undefined,
  files: FileKeeping,
): ReadHeader {
  const [format, version, fields] = line;
  if (format !== FORMAT) refusePart("header", FORMAT, format);
  if (![1, 2, 3, VERSION].includes(version as number))
    refusePart("header", `version 1 to ${VERSION}`, version);
  const header = requireFields(fields, "header");
  const { profile, limits, indexes, seed, secret, clock, nextId, tablesMade } = header;
  const { usersMade, secretsMade = 0, deletedKeys = [] } = header;
  const setting = readClock(clock);
  const fixed = setting.kind === "standing" ? setting.at : undefined;
  return {
    setup: {
      ...resolveSetup({ profile, limits, indexes, seed, now: now ?? fixed }),
      secret: readSecret(secret),
      files,
    },
    clock: now === undefined ? setting : undefined,
    nextId: requireId(nextId),
    tablesMade: requireCount(tablesMade, "tablesMade"),
    counters: {
      usersMade: requireCount(usersMade, "usersMade"),
      secretsMade: requireCount(secretsMade, "secretsMade"),
      deletedKeys: new Set(readStrings(deletedKeys, { what: "deletedKeys", rule: "A-1" })),
    },
  };
}

/** Ids have room for so many (rule R-3). */
export function requireId(nextId: unknown): number {
  const count = requireCount(nextId, "nextId");
  return count < 2 ** 50 ? count : refusePart("nextId", "a number below 2^50", nextId);
}

export function readSecret(secret: unknown): string | undefined {
  return secret === undefined
    ? undefined
    : readString(secret, 43, 43, { what: "secret", rule: "A-5" });
}

export function readClock(given: unknown): ClockSetting {
  const { kind, at, offset } = requireFields(given, "clock");
  if (kind === "standing" && typeof at === "number") return { kind, at };
  if (kind === "running" && typeof offset === "number") return { kind, offset };
  return refusePart("clock", "a clock that is fixed or runs", kind);
}
