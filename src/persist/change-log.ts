import type { Patch } from "immer";
import type { CatalogDraft } from "../catalog/draft.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { CatalogChange, Notice } from "../engine/notice.js";
import { assert } from "../errors.js";
import type { TableVersion } from "../storage/table.js";
import { CatalogEncoder, entityLine, MigrationNumbers } from "./catalog-lines.js";
import {
  type Address,
  branchAt,
  databaseAt,
  entityAt,
  KINDS,
  type KindName,
  MIGRATION,
  propertyOf,
  REQUEST,
} from "./entities.js";
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
  add(notice: Notice): void {
    if (notice.replaced !== undefined) {
      this.#replace(notice);
      return;
    }
    const lines = notice.changes.flatMap((change) => [...this.#changeLines(change)]).map(checked);
    this.#writer.add(...lines); // the only lines that can fail
    const { tables, records, versions } = notice;
    const keys = [...tables.keys()].sort((a, b) => a - b);
    const isNew = (key: TableKey): boolean => tables.get(key)?.before === undefined;
    for (const key of keys) if (!isNew(key)) this.#writeTable(notice, key);
    for (const { key, ids } of records) {
      const table = tables.has(key) ? undefined : versions.get(key);
      if (table !== undefined) this.#writeRecords(key, table, ids);
    }
    for (const key of keys) if (isNew(key)) this.#writeTable(notice, key);
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

  /** Switches to another log, whose header is written; returns the last line of this one. */
  next(): string {
    this.#writer.add(["next"]);
    const last = this.#writer.take();
    this.#writer = new LineWriter();
    logHeader(this.#commits, this.#writer);
    this.#files = new Set();
    return last;
  }

  /** Returns an export that this log continues. Requires that all changes are committed. */
  writeBase(): Iterable<string> {
    const encoder = new CatalogEncoder(this.#numbers, sameNumber, new WeakSet());
    const numbers = { encoder, tableOf: sameNumber };
    const context = this.#context;
    return writeExport(settingsOf(context), context.share(), numbers, this.#commits);
  }

  #replace({ after: state, versions: tables }: Notice): void {
    this.#numbers = new MigrationNumbers();
    this.#encoder = new CatalogEncoder(this.#numbers, sameNumber);
    this.#writer.add(["empty"]);
    const { nextId, tablesMade } = this.#context;
    const contents = { state, tables, tableKeys: 0, nextId, tablesMade };
    const numbers = { encoder: this.#encoder, tableOf: sameNumber };
    const all = new ContentsWriter(contents, this.#writer, numbers);
    this.#pieces.push(...all.catalog(), ...all.tables());
  }

  /** Writes a new or altered table, with the records that differ from its source. */
  #writeTable({ tables, versions }: Notice, key: TableKey): void {
    const { before, rowsOf } = tables.get(key)!; // a key of the map
    const after = versions.get(key);
    if (after === undefined) return;
    const source = before === undefined ? (rowsOf ?? -1) : key;
    const base = before ?? versions.get(source) ?? tables.get(source)?.before;
    const changes = base && compareRows(base, after);
    if (changes === undefined) {
      this.#writer.add(["table", key, encodeTable(after), null]);
      this.#writeRecords(key, after, idsOf(after));
    } else {
      this.#writer.add(["table", key, encodeTable(after, base), source]);
      this.#writeRecords(key, after, changes.deleted);
      this.#writeRecords(key, after, changes.set);
    }
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

  *#changeLines({ patches, renames, state }: CatalogChange): Generator<Line> {
    for (const { path, from, to } of renames) {
      const { kind, names } = partAt([...path, from]);
      yield ["rename", kind, names, to];
    }
    const parts = new Map<string, ChangedPart>();
    for (const patch of patches) {
      const part = partAt(patch.path, patch.value);
      const member = part.what === "request" ? part.index : part.what === "history";
      const key = JSON.stringify([part.kind, part.names, member]);
      const index = Math.min(part.index, parts.get(key)?.index ?? part.index);
      parts.set(key, { ...part, index });
    }
    const catalog = state as CatalogDraft; // read-only use
    for (const part of parts.values()) yield* this.#partLines(catalog, part);
  }

  *#partLines(catalog: CatalogDraft, { kind, names, what, index }: ChangedPart): Generator<Line> {
    if (kind === "none") return;
    if (what === "history") {
      yield* this.#encoder.history(names, branchAt(catalog, names), index);
    } else if (what === "request") {
      const request = databaseAt(catalog, names).migrationRequests[index];
      yield ["request", names, index, request === undefined ? null : REQUEST.encode(request)];
    } else {
      const entity = entityAt(catalog, kind, names);
      if (entity === undefined) yield ["delete", kind, names];
      else if (what === "own") yield entityLine(kind, names, entity);
      else yield* this.#encoder.entity(kind, names, entity);
    }
  }
}

interface ChangedPart {
  readonly kind: KindName | "none";
  readonly names: Address;
  /** `own` excludes entities below; `history` and `request` are members of arrays. */
  readonly what: "whole" | "own" | "history" | "request";
  readonly index: number;
}

const KIND_OF: ReadonlyMap<string, KindName> = new Map(
  (Object.keys(KINDS) as KindName[]).map((kind) => [propertyOf(kind), kind]), // keyed by the type's own keys
);

/** Paths alternate properties and keys of maps. */
function partAt(path: Patch["path"], value?: unknown): ChangedPart {
  const names: string[] = [];
  let kind: ChangedPart["kind"] = "none";
  for (let at = 0; at < path.length; at += 2) {
    const [property, key] = [path[at] as string, path[at + 1]];
    const below = KIND_OF.get(property);
    if (below !== undefined) {
      assert(key !== undefined, "no recipe replaces a map of a catalog");
      kind = below;
      names.push(String(key));
      continue;
    }
    const index = Number((key === "length" ? value : key) ?? 0);
    if (property === "history") return { kind, names, what: "history", index };
    if (property === "migrationRequests") {
      assert(key !== undefined, "no recipe replaces the list of migration requests");
      return { kind, names, what: "request", index };
    }
    return { kind, names, what: "own", index: 0 };
  }
  return { kind, names, what: "whole", index: 0 };
}

/** Returns the line; throws if a reader would reject it. */
function checked(line: Line): Line {
  const [tag, first, second, value] = line;
  const read = <T>(given: T): T => JSON.parse(JSON.stringify(given)) as T;
  if (tag === "set") KINDS[first as KindName].codec.decode(read(value), String(first));
  else if (tag === "migration") MIGRATION.decode(read(second), tag);
  else if (tag === "request" && value !== null) REQUEST.decode(read(value), tag);
  return line;
}

function* idsOf(table: TableVersion): Generator<string> {
  for (const ordinal of ordinalsById(table)) yield table.idAt(ordinal);
}
