import type {
  BranchState,
  CatalogState,
  DatabaseState,
  MigrationRequestState,
  MigrationState,
  WorkspaceState,
} from "../../catalog/state.js";
import { describeSchema } from "../../schema/declare.js";
import { isFileType, type StoredFiles } from "../../schema/files.js";
import { asList } from "../../schema/read-files.js";
import { ordinalsOf, type TableVersion } from "../../storage/table.js";
import { encodeBase64 } from "../../value/base64.js";
import { compareStrings } from "../../value/compare.js";
import type { Instant } from "../../value/datetime.js";
import {
  type DatabaseLine,
  FORMAT,
  type Header,
  type KeyEntry,
  type Line,
  type MigrationLine,
  type RequestEntry,
  type TableLine,
  VERSION,
  type WorkspaceLine,
} from "./layout.js";
import { format, RecordWriter } from "./record-lines.js";
import { LineChecksum } from "./seal.js";

/** What is written comes in chunks of so many characters, whatever the lengths of lines. */
const CHUNK_LENGTH = 65_536;

/** The text of an export, chunk by chunk; nothing of it is kept. */
export function* writeExport(header: Header, state: CatalogState): Generator<string> {
  const writer = new ChunkWriter();
  for (const line of linesOf(header, state)) yield* writer.add(line);
  yield writer.end();
}

/** Puts the lines of an export, each with its checksum, into chunks. */
export class ChunkWriter {
  readonly #checksum: LineChecksum = new LineChecksum();
  #lines = 0;
  #chunk = "";

  *add(line: Line | string): Generator<string> {
    this.#lines++;
    const checksum = this.#checksum;
    this.#chunk += typeof line === "string" ? sealText(line, checksum) : sealLine(line, checksum);
    const chunk = this.#chunk;
    if (chunk.length < CHUNK_LENGTH) return;
    const whole = chunk.length - (chunk.length % CHUNK_LENGTH);
    for (let at = 0; at < whole; at += CHUNK_LENGTH) yield chunk.slice(at, at + CHUNK_LENGTH);
    this.#chunk = chunk.slice(whole);
  }

  /** The last chunk, with the line that ends an export. */
  end(): string {
    return this.#chunk + sealLine(["end", this.#lines], this.#checksum);
  }
}

/** The text of a line, with its checksum and its end. */
export function sealLine(line: readonly unknown[], checksum: LineChecksum): string {
  return sealText(JSON.stringify(line).slice(0, -1), checksum);
}

/** The same for a text without the bracket that closes it. */
export function sealText(text: string, checksum: LineChecksum): string {
  return `${text},"${checksum.add(text)}"]\n`;
}

/** What branches share is written once, and numbered. */
interface Numbers {
  readonly tables: Map<TableVersion, number>;
  readonly migrations: Map<MigrationState, number>;
}

function* linesOf(header: Header, state: CatalogState): Generator<Line | string> {
  const tables = new Map<TableVersion, number>();
  yield* catalogLines(header, state, tables);
  yield* contentLines(tables.keys(), new Set());
  for (const [table, number] of tables) {
    yield tableLine(table, number, table.size);
    yield* recordLines(table);
  }
}

/**
 * All lines before the contents of files.
 *
 * @param tables takes the tables that there are, with their numbers
 */
export function* catalogLines(
  header: Header,
  state: CatalogState,
  tables: Map<TableVersion, number>,
): Generator<Line> {
  yield [FORMAT, VERSION, header];
  yield* userLines(state);
  const numbers: Numbers = { tables, migrations: new Map() };
  for (const [id, workspace] of state.workspaces) {
    yield ["workspace", id, describeWorkspace(workspace)];
    for (const [name, database] of workspace.databases) {
      yield* databaseLines(name, database, numbers);
    }
  }
}

/** Users with their keys. */
function* userLines(state: Pick<CatalogState, "users" | "keys">): Generator<Line> {
  const keysById = new Map<string, KeyEntry[]>(Array.from(state.users.keys(), (id) => [id, []]));
  for (const [key, { userId, name, createdAt }] of state.keys) {
    keysById.get(userId)?.push([key, name, format(createdAt)]);
  }
  for (const [id, { email, fullname, image }] of state.users) {
    yield ["user", id, { email, fullname, image }, keysById.get(id) ?? []];
  }
}

/** A workspace without its databases. */
export function describeWorkspace(workspace: WorkspaceState): WorkspaceLine {
  const { name, slug, settings } = workspace;
  const members = [...workspace.members];
  const invites = Array.from(workspace.invites, ([id, { key, email, role, expires }]) => {
    return [id, key, email, role, format(expires)] as const;
  });
  return { name, slug, members, invites, settings };
}

/**
 * Each content once, in the order of the records that hold it.
 *
 * @param written takes the hashes of those that were given
 */
export function* contentLines(
  tables: Iterable<TableVersion>,
  written: Set<string>,
): Generator<Line> {
  for (const table of tables) {
    for (const { slot, type } of table.schema.leaves) {
      if (!isFileType(type)) continue;
      for (const ordinal of ordinalsById(table)) {
        for (const { content } of asList(filesAt(table, ordinal, slot))) {
          const { hash } = content;
          if (written.size === written.add(hash).size) continue;
          yield ["file", hash, encodeBase64(content.bytes)];
        }
      }
    }
  }
}

function filesAt(table: TableVersion, ordinal: number, slot: number): StoredFiles {
  return table.get(ordinal, slot) as unknown as StoredFiles; // of a column of files
}

function* databaseLines(name: string, database: DatabaseState, numbers: Numbers): Generator<Line> {
  yield ["database", name, describeDatabase(database)];
  for (const request of database.migrationRequests) yield ["request", describeRequest(request)];
  for (const [branch, content] of database.branches) yield* branchLines(branch, content, numbers);
}

/** A database without its migration requests and branches. */
export function describeDatabase(database: DatabaseState): DatabaseLine {
  const { region, createdAt, color, settings, branchesByGitBranch } = database;
  return {
    region,
    createdAt: format(createdAt),
    color: color ?? null,
    gitBranches: [...branchesByGitBranch],
    settings,
  };
}

/** A migration request, its times as text. */
export function describeRequest(request: MigrationRequestState): RequestEntry {
  const entries = Object.entries(request).map(([key, value]) => [
    key,
    typeof value === "string" ? value : format(value as Instant), // all others are times
  ]);
  return Object.fromEntries(entries) as RequestEntry; // key by key
}

function* branchLines(
  name: string,
  { createdAt, metadata, history, tables }: BranchState,
  numbers: Numbers,
): Generator<Line> {
  for (const migration of history) {
    if (numbers.migrations.has(migration)) continue;
    const number = numbers.migrations.size;
    numbers.migrations.set(migration, number);
    yield ["migration", number, describeMigration(migration)];
  }
  const numbered = Array.from(tables, ([table, { value }]) => {
    const number = numbers.tables.get(value) ?? numbers.tables.size;
    numbers.tables.set(value, number);
    return [table, number] as const;
  });
  const line = {
    createdAt: format(createdAt),
    metadata,
    history: history.map((migration) => numbers.migrations.get(migration)!), // just numbered
    tables: numbered,
  };
  yield ["branch", name, line];
}

export function describeMigration(migration: MigrationState): MigrationLine {
  return { ...migration, createdAt: format(migration.createdAt) };
}

export function tableLine(table: TableVersion, number: number, size: number): Line {
  return ["table", number, { ...describeTable(table), size }];
}

export function* recordLines(table: TableVersion): Generator<string> {
  const records = new RecordWriter(table.schema, true);
  for (const ordinal of ordinalsById(table)) yield records.write(table, ordinal);
}

/** A table without its records. */
export function describeTable({ identity, schema }: TableVersion): Omit<TableLine, "size"> {
  const { leaves, slotCount } = schema;
  const slots = leaves.map(({ slot }) => slot);
  return { identity, columns: describeSchema(schema), slots, slotCount };
}

/** The ordinals of all records in the order of their ids. */
function ordinalsById(table: TableVersion): Iterable<number> {
  const ordinals = ordinalsOf(table.chunks);
  if (table.idsAscend) return ordinals;
  const ids = Array.from(ordinals, (ordinal) => [table.idAt(ordinal), ordinal] as const);
  return ids.sort(([a], [b]) => compareStrings(a, b)).map(([, ordinal]) => ordinal);
}
