import type { TableAddress } from "../../catalog/address.js";
import type { TableKey } from "../../catalog/state.js";
import type { Schema } from "../../schema/columns.js";
import type { TableVersion } from "../../storage/table.js";
import type { EngineContext } from "../context.js";
import { LineWriter } from "../export/line-writer.js";
import { RecordWriter } from "../export/record-lines.js";
import type { Notice, WrittenRow } from "../notice.js";
import {
  COMMIT,
  type CountersLine,
  LOG_FORMAT,
  LOG_VERSION,
  type LogState,
  type LogWrite,
} from "./layout.js";
import { changeLines } from "./write-change.js";

/** The records of one table that were written and are not in the log yet. */
interface Written {
  readonly at: TableAddress;
  /** By their ids. */
  readonly rows: Map<string, WrittenRow>;
}

function findTable({ state, tableOf }: LogState, at: TableAddress): TableVersion | undefined {
  const databases = state.workspaces.get(at.workspace)?.databases;
  const key = databases?.get(at.database)?.branches.get(at.branch)?.tables.get(at.table);
  return key === undefined ? undefined : tableOf(key);
}

/** Adds what one call has written of a record to what calls before it have. */
function addRow(rows: Map<string, WrittenRow>, row: WrittenRow): void {
  const known = rows.get(row.id);
  if (known === undefined) rows.set(row.id, row);
  else if (row.slots === undefined || known.slots === undefined) known.slots = undefined;
  else for (const slot of row.slots) if (!known.slots.includes(slot)) known.slots.push(slot);
}

/** Lines are kept in pieces of about so many bytes. */
const PIECE_BYTES = 32_768;

/** Writes what changes an engine as the text of a log. */
export class ChangeLog {
  readonly #context: EngineContext;
  readonly #written: Map<string, Written> = new Map();
  /** Of the address that was given last. */
  #last: Written | undefined;
  /** The last lines, and pieces of those before. */
  #lines: LineWriter = new LineWriter();
  #pieces: Uint8Array[] = [];
  #commits: number;
  /** As the last commit has them. */
  #counters: string;
  #secret: string | undefined;
  readonly #writers: WeakMap<Schema, RecordWriter> = new WeakMap();

  /** @param commits that there were in logs before */
  constructor(context: EngineContext, commits: number) {
    this.#context = context;
    this.#commits = commits;
    this.#secret = context.streams.secret;
    this.#counters = JSON.stringify(this.#readCounters());
  }

  /** Takes in what a call has written. Records are written out later: those written again, once. */
  add({ records, before, after, versions, tables, replaced }: Notice): void {
    for (const { key, at, rows } of records) {
      if (tables.has(key)) continue; // compared as a whole
      const written = this.#last?.at === at ? this.#last : this.#writtenAt(at);
      for (const row of rows) addRow(written.rows, row);
    }
    if (before === after && tables.size === 0 && replaced === undefined) return;
    const tableBefore = (key: TableKey): TableVersion | undefined =>
      replaced === undefined ? (tables.get(key)?.before ?? versions.get(key)) : replaced.get(key);
    const from: LogState = { state: before, tableOf: tableBefore };
    this.#writeRecords(from);
    const to: LogState = { state: after, tableOf: (key) => versions.get(key) };
    for (const line of changeLines(from, to)) this.#write(line);
  }

  /** Whether something has changed since the last commit. */
  get isChanged(): boolean {
    return (
      this.#written.size > 0 ||
      this.#lines.length > 0 ||
      this.#pieces.length > 0 ||
      JSON.stringify(this.#readCounters()) !== this.#counters
    );
  }

  /** All that has changed since the last commit, with a line of its own, in UTF-8; empty where nothing has. */
  commit(): readonly Uint8Array[] {
    if (!this.isChanged) return [];
    const { state, tables } = this.#context;
    this.#writeRecords({ state, tableOf: (key) => tables.get(key) });
    const counters = this.#readCounters();
    this.#write([COMMIT, ++this.#commits, counters]);
    this.#secret = this.#context.streams.secret;
    this.#counters = JSON.stringify(this.#readCounters());
    const pieces = [...this.#pieces, this.#lines.take().slice()];
    this.#pieces = [];
    return pieces;
  }

  /** The first line of the next log; nothing is to be uncommitted. */
  begin(): Uint8Array {
    this.#lines = new LineWriter();
    this.#lines.add([LOG_FORMAT, LOG_VERSION, this.#commits]);
    return this.#lines.take();
  }

  #writtenAt(at: TableAddress): Written {
    const key = `${at.workspace}\n${at.database}\n${at.branch}\n${at.table}`;
    let written = this.#written.get(key);
    if (written === undefined) {
      written = { at, rows: new Map() };
      this.#written.set(key, written);
    }
    this.#last = { at, rows: written.rows };
    return written;
  }

  #writeRecords(state: LogState): void {
    for (const { at, rows } of this.#written.values()) {
      const table = findTable(state, at);
      if (table === undefined) continue; // made by the same call: all of it is told
      let writer = this.#writers.get(table.schema);
      if (writer === undefined) {
        writer = new RecordWriter(table.schema);
        this.#writers.set(table.schema, writer);
      }
      this.#write(["rows", at.workspace, at.database, at.branch, at.table]);
      for (const { id, ordinal: before, slots } of rows.values()) {
        const isThere = before >= 0 && table.isLive(before) && table.idAt(before) === id;
        const ordinal = isThere ? before : table.find(id);
        if (ordinal < 0) this.#write(["d", id]);
        else this.#write((line) => writer.write(line, table, ordinal, slots));
      }
    }
    this.#written.clear();
    this.#last = undefined;
  }

  #write(line: LogWrite): void {
    if (typeof line === "function") line(this.#lines);
    else this.#lines.add(line);
    if (this.#lines.length > PIECE_BYTES) this.#pieces.push(this.#lines.take().slice());
  }

  #readCounters(): CountersLine {
    const { nextId, tablesMade, clock } = this.#context;
    const { seed, secret } = this.#context.streams;
    const changed = secret === this.#secret ? undefined : (secret ?? null);
    return { nextId, tablesMade, seed, secret: changed, clock: clock.setting };
  }
}
