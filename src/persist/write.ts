import type { TableKey } from "../catalog/state.js";
import type { ClockSetting } from "../engine/clock.js";
import type { EngineContext } from "../engine/context.js";
import type { EngineContents } from "../engine/setup.js";
import { settingsOfProfile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import { CatalogEncoder, MigrationNumbers } from "./catalog-lines.js";
import { type Line, LineWriter } from "./lines.js";
import { RecordEncoder } from "./records.js";
import { compareRows, encodeTable, ordinalsById, tablesIn } from "./tables.js";

/*
 * A file is a log of all changes, starting with an empty engine; an export is a log of one commit.
 * Each line is a JSON array. Its first member is the tag, the last one the checksum:
 *
 *   twinbase   version, {number of previous commits, profile, limits, indexes}: the header; in a
 *              folder with the id of the log that continues it, which that log's header repeats
 *   set        kind, address, value of an entity of the catalog
 *   delete     kind, address of an entity: deletes it and its contents
 *   rename     kind, address, new name: keeps the position among siblings
 *   request    address of a database, index, migration request; null truncates the list there
 *   migration  number, a schema change, shared by all branches with it in their history
 *   history    address of a branch, index, runs of migration numbers: its history from the index on
 *   table      number, identity and schema, number of the table whose records it shares, or null
 *   file       hash, base64 of a content; precedes the records that refer to it
 *   r          table number, id, version, created, updated (null: as created), values: a record
 *   d          table number, id of a deleted record
 *   empty      deletes all contents
 *   commit     number, counters: makes the lines since the previous commit one atomic change
 *   next       id of the log that continues this one, in the file with the next number
 */

/** Tags of headers, and their version. */
export const EXPORT = "twinbase";
export const LOG = "twinbase-log";
export const VERSION = 1;

export interface ExportedSettings extends Pick<EngineContext, "profile" | "limits" | "indexes"> {
  readonly seed: number;
  /** Undefined for an explicit seed. */
  readonly secret?: string | undefined;
  readonly clock: ClockSetting;
}

export function settingsOf({
  profile,
  limits,
  indexes,
  streams,
  clock,
}: EngineContext): ExportedSettings {
  const { seed, secret } = streams;
  return { profile, limits, indexes, seed, secret, clock: clock.setting };
}

export function commitLine(
  number: number,
  { seed, secret, clock }: ExportedSettings,
  { state, nextId, tablesMade }: Pick<EngineContents, "state" | "nextId" | "tablesMade">,
): Line {
  const { usersMade, secretsMade } = state;
  const counters = { nextId, tablesMade, usersMade, secretsMade };
  return ["commit", number, { ...counters, seed, secret, clock }];
}

/** Reads the records of a table in batches, by id. */
export type ReadRecords = (key: TableKey, table: TableVersion) => AsyncIterable<TableVersion>;

export interface Numbering {
  readonly encoder: CatalogEncoder;
  readonly tableOf: (key: TableKey) => number;
}

/** Writes all contents of an engine as chunks of text. */
export class ContentsWriter {
  readonly #contents: EngineContents;
  readonly #writer: LineWriter;
  readonly #encoder: CatalogEncoder;
  readonly #tableOf: (key: TableKey) => number;
  readonly #files: Set<string> = new Set();

  /** @param numbers default the writer's own numbering */
  constructor(contents: EngineContents, writer: LineWriter, numbers?: Numbering) {
    this.#contents = contents;
    this.#writer = writer;
    this.#tableOf = numbers?.tableOf ?? createTableNumbers();
    this.#encoder = numbers?.encoder ?? new CatalogEncoder(new MigrationNumbers(), this.#tableOf);
  }

  *catalog(): Generator<string> {
    for (const line of this.#encoder.catalog(this.#contents.state)) yield* this.#add(line);
  }

  /** Writes the tables; for tables that share records, only the differences. */
  *tables(): Generator<string> {
    const origins = new Map<string, readonly [number: number, table: TableVersion]>();
    for (const [key, table] of this.#ordered()) {
      const number = this.#tableOf(key);
      const [source, base] = origins.get(table.identity) ?? [];
      const changes = base && compareRows(base, table);
      const encoder = new RecordEncoder(number, table.schema, this.#files);
      if (source === undefined || changes === undefined) {
        yield* this.#add(["table", number, encodeTable(table), null]);
        for (const ordinal of ordinalsById(table)) {
          encoder.write(this.#writer, table, ordinal);
          yield* this.#writer.takeChunks();
        }
        origins.set(table.identity, [number, table]);
        continue;
      }
      yield* this.#add(["table", number, encodeTable(table, base), source]);
      for (const id of changes.deleted) yield* this.#add(["d", number, id]);
      for (const id of changes.set) {
        encoder.write(this.#writer, table, table.find(id));
        yield* this.#writer.takeChunks();
      }
    }
  }

  async *tablesFrom(read: ReadRecords): AsyncGenerator<string> {
    for (const [key, table] of this.#ordered()) {
      const number = this.#tableOf(key);
      const encoder = new RecordEncoder(number, table.schema, this.#files);
      yield* this.#add(["table", number, encodeTable(table), null]);
      for await (const some of read(key, table)) {
        for (const ordinal of ordinalsById(some)) {
          encoder.write(this.#writer, some, ordinal);
          yield* this.#writer.takeChunks();
        }
      }
    }
  }

  *#ordered(): Generator<readonly [TableKey, TableVersion]> {
    const { state, tables } = this.#contents;
    for (const [, key] of tablesIn(state)) yield [key, tables.get(key)!]; // every key has a version
  }

  *#add(line: Line): Generator<string> {
    this.#writer.add(line);
    yield* this.#writer.takeChunks();
  }
}

/** Numbers tables in catalog order, so equal contents give equal text. */
function createTableNumbers(): (key: TableKey) => number {
  const numbers = new Map<TableKey, number>();
  return (key) => {
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
}

/** The position of a base in a log. */
export interface BasePosition {
  readonly numbers?: Numbering | undefined;
  readonly commits?: number | undefined;
  /** The id of the log. */
  readonly log?: string | undefined;
}

export function* writeExport(
  settings: ExportedSettings,
  contents: EngineContents,
  { numbers, commits = 1, log }: BasePosition = {},
): Generator<string> {
  const writer = new LineWriter();
  const all = new ContentsWriter(contents, writer, numbers);
  writer.add(headerLine(settings, commits, log));
  yield* all.catalog();
  yield* all.tables();
  writer.add(commitLine(commits, settings, contents));
  yield* writer.takeChunks(1);
}

/** Exports with bounded memory. */
export async function* streamExport(
  settings: ExportedSettings,
  contents: EngineContents,
  read: ReadRecords,
): AsyncGenerator<string> {
  const writer = new LineWriter();
  const all = new ContentsWriter(contents, writer);
  writer.add(headerLine(settings, 1));
  yield* all.catalog();
  yield* all.tablesFrom(read);
  writer.add(commitLine(1, settings, contents));
  yield* writer.takeChunks(1);
}

/** Writes the first line of a log that follows `commits` commits. */
export function logHeader(
  commits: number,
  log: string,
  writer: LineWriter = new LineWriter(),
): string {
  writer.add([LOG, VERSION, { commits, log }]);
  return writer.take();
}

function headerLine(
  { profile, limits, indexes }: ExportedSettings,
  commits: number,
  log?: string,
): Line {
  const settings = { profile: settingsOfProfile(profile), limits, indexes };
  return [EXPORT, VERSION, { commits: commits - 1, ...settings, log }];
}
