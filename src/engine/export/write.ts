import type {
  BranchState,
  CatalogState,
  DatabaseState,
  MigrationRequestState,
  MigrationState,
  WorkspaceState,
} from "../../catalog/state.js";
import { BUILT_IN_USER_ID } from "../../catalog/users.js";
import { describeSchema } from "../../schema/declare.js";
import { isFileType, type StoredFiles } from "../../schema/files.js";
import { asList } from "../../schema/read-files.js";
import { ordinalsOf, type TableVersion } from "../../storage/table.js";
import { encodeBase64 } from "../../value/base64.js";
import { compareStrings } from "../../value/compare.js";
import type { Instant } from "../../value/datetime.js";
import type { EngineContents } from "../setup.js";
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
import { LineWriter } from "./line-writer.js";
import { format, RecordWriter } from "./record-lines.js";

/** What is written comes in chunks of so many bytes, up to twice as many, whatever the lengths of lines. */
const CHUNK_BYTES = 65_536;

/** What is exported. */
export type ExportedState = Pick<EngineContents, "state" | "tables">;

/** The text of an export, chunk by chunk; nothing of it is kept. */
export function* writeExport(header: Header, contents: ExportedState): Generator<string> {
  const writer = new ExportWriter();
  const tables = new Map<TableVersion, number>();
  yield* writer.addAll(catalogLines(header, contents, tables));
  yield* writer.addAll(contentLines(tables.keys(), new Set()));
  for (const [table, number] of tables) {
    yield* writer.addAll([tableLine(table, number, table.size)]);
    yield* writer.addRecords(table);
  }
  yield* writer.end();
}

/** Writes an export and gives it out in chunks. */
export class ExportWriter {
  readonly #lines: LineWriter = new LineWriter();
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

  *addAll(lines: Iterable<Line>): Generator<string> {
    for (const line of lines) {
      this.#lines.add(line);
      if (this.#lines.length >= CHUNK_BYTES) yield* this.#take();
    }
  }

  *addRecords(table: TableVersion): Generator<string> {
    const records = new RecordWriter(table.schema, true);
    for (const ordinal of ordinalsById(table)) {
      records.write(this.#lines, table, ordinal);
      if (this.#lines.length >= CHUNK_BYTES) yield* this.#take();
    }
  }

  /** What is left, with the line that ends an export. */
  *end(): Generator<string> {
    this.#lines.add(["end", this.#lines.lines]);
    yield* this.#take();
  }

  *#take(): Generator<string> {
    const bytes = this.#lines.take();
    for (let at = 0; at < bytes.length; ) {
      let end = bytes.length;
      if (end >= at + 2 * CHUNK_BYTES) {
        end = at + CHUNK_BYTES;
        while ((bytes[end]! & 0xc0) === 0x80) end--; // it is in the middle of a character
      }
      yield this.#decoder.decode(bytes.subarray(at, end));
      at = end;
    }
  }
}

/** What branches share is written once, and numbered. */
interface Numbers {
  readonly versions: ExportedState["tables"];
  readonly tables: Map<TableVersion, number>;
  readonly migrations: Map<MigrationState, number>;
}

/**
 * All lines before the contents of files.
 *
 * @param tables takes the tables that there are, with their numbers
 */
export function* catalogLines(
  header: Header,
  { state, tables: versions }: ExportedState,
  tables: Map<TableVersion, number>,
): Generator<Line> {
  yield [FORMAT, VERSION, header];
  yield* userLines(state);
  const numbers: Numbers = { versions, tables, migrations: new Map() };
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
  for (const [key, { userId, name, createdAt, openOnly = false }] of state.keys) {
    const entry = [key, name, format(createdAt)] as const;
    keysById.get(userId)?.push(userId === BUILT_IN_USER_ID ? [...entry, openOnly] : entry);
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
  const numbered = Array.from(tables, ([table, key]) => {
    const value = numbers.versions.get(key)!; // the catalog has keys of these alone
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
