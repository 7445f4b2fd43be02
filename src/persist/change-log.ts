import type { EntityKind } from "../catalog/events.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { EngineEvent, Notice } from "../engine/notice.js";
import { readBySchema } from "../shape/read.js";
import type { TableVersion } from "../storage/table.js";
import { CatalogEncoder, MigrationNumbers } from "./catalog-lines.js";
import { decodeEntity, MIGRATION, REQUEST } from "./entities.js";
import { type Line, LineWriter } from "./lines.js";
import { RecordEncoder } from "./records.js";
import { compareRows, encodeTable, ordinalsById } from "./tables.js";
import { ContentsWriter, commitLine, logHeader, settingsOf, writeExport } from "./write.js";

export interface LogPosition {
  readonly commits: number;
  readonly numbers: MigrationNumbers;
  readonly sum: string;
}

const PIECE_LENGTH = 32_768;

const sameNumber = (key: TableKey): number => key;

/** Logs the changes of an engine. Tables are numbered by their keys. */
export class ChangeLog {
  readonly #context: EngineContext;
  #numbers: MigrationNumbers;
  #encoder: CatalogEncoder;
  #writer: LineWriter;
  #pieces: string[] = [];
  #commits: number;
  #counters: string;
  #files: Set<string> = new Set();

  constructor(context: EngineContext, { commits, numbers, sum }: LogPosition) {
    this.#context = context;
    this.#commits = commits;
    this.#numbers = numbers;
    this.#encoder = new CatalogEncoder(numbers, sameNumber);
    this.#writer = new LineWriter(sum);
    this.#counters = this.#describeCounters();
  }

  get commits(): number {
    return this.#commits;
  }

  get isChanged(): boolean {
    return (
      this.#writer.length > 0 ||
      this.#pieces.length > 0 ||
      this.#describeCounters() !== this.#counters
    );
  }

  /**
   * Adds complete changes, so that any sequence of them replays.
   *
   * @throws TwinbaseError `invalid_request`, without effect, if readers would reject it
   */
  add({ events }: Notice): void {
    if (events.some(({ kind }) => kind === "replaced")) {
      this.#replace();
      return;
    }
    const lines = events.flatMap((event) => [...this.#encoder.lines(event)]).map(checked);
    this.#writer.add(...lines); // the only lines that can fail
    for (const event of events) this.#writeRows(event);
    this.#cut();
  }

  /** Returns the text of the changes since the last commit, or "". */
  commit(): readonly string[] {
    if (!this.isChanged) return [];
    this.#counters = this.#describeCounters();
    this.#writer.add(commitLine(++this.#commits, settingsOf(this.#context), this.#context));
    const pieces = [...this.#pieces, this.#writer.take()];
    this.#pieces = [];
    return pieces;
  }

  /** Switches to the log with this id, whose header is written; returns the last line of this one. */
  next(id: string): string {
    this.#writer.add(["next", id]);
    const last = this.#writer.take();
    this.#writer = new LineWriter();
    logHeader(this.#commits, id, this.#writer);
    this.#files = new Set();
    return last;
  }

  /** Returns an export that the log with this id continues. Requires that all changes are committed. */
  writeBase(log: string): Iterable<string> {
    const encoder = new CatalogEncoder(this.#numbers, sameNumber, new WeakSet());
    const numbers = { encoder, tableOf: sameNumber };
    const context = this.#context;
    const position = { numbers, commits: this.#commits, log };
    return writeExport(settingsOf(context), context.share(), position);
  }

  #replace(): void {
    this.#numbers = new MigrationNumbers();
    this.#encoder = new CatalogEncoder(this.#numbers, sameNumber);
    this.#writer.add(["empty"]);
    const { state, tables, nextId, tablesMade } = this.#context;
    const contents = { state, tables, tableKeys: 0, nextId, tablesMade };
    const numbers = { encoder: this.#encoder, tableOf: sameNumber };
    const all = new ContentsWriter(contents, this.#writer, numbers);
    this.#pieces.push(...all.catalog(), ...all.tables());
  }

  /** Writes a new or altered table, and its written records. */
  #writeRows(event: EngineEvent): void {
    if (event.kind === "records") this.#writeRecords(event.key, event.version, event.ids);
    else if (event.kind === "table_created") {
      const { key, version, rowsOf } = event;
      if (rowsOf === undefined) this.#writeTable(key, version);
      else this.#writer.add(["table", key, null, rowsOf]);
    } else if (event.kind === "table_altered") {
      const { key, before, version } = event;
      const changes = compareRows(before, version);
      if (changes === undefined) this.#writeTable(key, version);
      else {
        this.#writer.add(["table", key, encodeTable(version, before), key]);
        this.#writeRecords(key, version, changes.deleted);
        this.#writeRecords(key, version, changes.set);
      }
    }
  }

  #writeTable(key: TableKey, version: TableVersion): void {
    this.#writer.add(["table", key, encodeTable(version), null]);
    this.#writeRecords(key, version, idsOf(version));
  }

  #writeRecords(key: TableKey, table: TableVersion, ids: Iterable<string>): void {
    const encoder = new RecordEncoder(key, table.schema, this.#files);
    for (const id of ids) {
      const ordinal = table.find(id);
      if (ordinal < 0) this.#writer.add(["d", key, id]);
      else encoder.write(this.#writer, table, ordinal);
      this.#cut();
    }
  }

  #cut(): void {
    if (this.#writer.length > PIECE_LENGTH) this.#pieces.push(this.#writer.take());
  }

  #describeCounters(): string {
    return JSON.stringify(commitLine(0, settingsOf(this.#context), this.#context));
  }
}

/** Returns the line; throws if a reader would reject it. */
function checked(line: Line): Line {
  const [tag, first, second, value] = line;
  const read = <T>(json: T): T => JSON.parse(JSON.stringify(json)) as T;
  if (tag === "set") decodeEntity(first as EntityKind, read(value));
  else if (tag === "migration") readBySchema(MIGRATION, read(second));
  else if (tag === "request") readBySchema(REQUEST, read(value));
  return line;
}

function* idsOf(table: TableVersion): Generator<string> {
  for (const ordinal of ordinalsById(table)) yield table.idAt(ordinal);
}
