import type { TableAddress } from "../../catalog/address.js";
import type { CatalogState, TableCell } from "../../catalog/state.js";
import type { Schema } from "../../schema/columns.js";
import type { EngineContext } from "../context.js";
import { LineChecksum } from "../export/seal.js";
import { RecordWriter, sealLine, sealText } from "../export/write.js";
import type { KeptWrite } from "../keeper.js";
import { COMMIT, type CountersLine, LOG_FORMAT, LOG_VERSION, type LogText } from "./layout.js";
import { changeLines } from "./write-change.js";

/** The records of one table that were written and are not in the log yet. */
interface Written {
  readonly at: TableAddress;
  readonly ids: Set<string>;
}

function findCell(state: CatalogState, at: TableAddress): TableCell | undefined {
  const databases = state.workspaces.get(at.workspace)?.databases;
  return databases?.get(at.database)?.branches.get(at.branch)?.tables.get(at.table);
}

/** Lines are encoded together, once they have about so many characters. */
const CHUNK_LENGTH = 32_768;

/** Writes what changes an engine as the text of a log. */
export class ChangeLog {
  readonly #context: EngineContext;
  readonly #written: Map<string, Written> = new Map();
  /** Of the address that was given last. */
  #last: Written | undefined;
  #checksum: LineChecksum = new LineChecksum();
  /** Lines that are not encoded yet, and those that are: many long strings are slow to keep. */
  #text = "";
  #bytes: Uint8Array[] = [];
  readonly #encoder: TextEncoder = new TextEncoder();
  #commits: number;
  /** As the last commit has them. */
  #counters: string;
  readonly #writers: WeakMap<Schema, RecordWriter> = new WeakMap();

  /** @param commits that there were in logs before */
  constructor(context: EngineContext, commits: number) {
    this.#context = context;
    this.#commits = commits;
    this.#counters = JSON.stringify(this.#readCounters());
  }

  /** Takes in what a call has written. Records are written out later: those written again, once. */
  add({ records, before, after }: KeptWrite): void {
    for (const { at, ids } of records) {
      const written = this.#last?.at === at ? this.#last : this.#writtenAt(at);
      for (const id of ids) written.ids.add(id);
    }
    if (before === after) return;
    this.#writeRecords(before);
    for (const line of changeLines(before, after)) this.#write(line);
  }

  /** Whether something has changed since the last commit. */
  get isChanged(): boolean {
    return (
      this.#written.size > 0 ||
      this.#text !== "" ||
      this.#bytes.length > 0 ||
      JSON.stringify(this.#readCounters()) !== this.#counters
    );
  }

  /** All that has changed since the last commit, with a line of its own, in UTF-8; empty where nothing has. */
  commit(): readonly Uint8Array[] {
    if (!this.isChanged) return [];
    this.#writeRecords(this.#context.state);
    const counters = this.#readCounters();
    this.#counters = JSON.stringify(counters);
    this.#write([COMMIT, ++this.#commits, counters]);
    this.#encode();
    const bytes = this.#bytes;
    this.#bytes = [];
    return bytes;
  }

  /** The first line of the next log; nothing is to be uncommitted. */
  begin(): string {
    this.#checksum = new LineChecksum();
    return sealLine([LOG_FORMAT, LOG_VERSION, this.#commits], this.#checksum);
  }

  #writtenAt(at: TableAddress): Written {
    const key = `${at.workspace}\n${at.database}\n${at.branch}\n${at.table}`;
    let written = this.#written.get(key);
    if (written === undefined) {
      written = { at, ids: new Set() };
      this.#written.set(key, written);
    }
    this.#last = { at, ids: written.ids };
    return written;
  }

  #writeRecords(state: CatalogState): void {
    for (const { at, ids } of this.#written.values()) {
      const table = findCell(state, at)?.value;
      if (table === undefined) continue; // made by the same call: all of it is told
      let writer = this.#writers.get(table.schema);
      if (writer === undefined) {
        writer = new RecordWriter(table.schema);
        this.#writers.set(table.schema, writer);
      }
      this.#write(["rows", at.workspace, at.database, at.branch, at.table]);
      for (const id of ids) {
        const ordinal = table.find(id);
        this.#write(ordinal < 0 ? ["d", id] : writer.write(table, ordinal));
      }
    }
    this.#written.clear();
    this.#last = undefined;
  }

  #write(line: LogText): void {
    const isText = typeof line === "string";
    this.#text += isText ? sealText(line, this.#checksum) : sealLine(line, this.#checksum);
    if (this.#text.length > CHUNK_LENGTH) this.#encode();
  }

  #encode(): void {
    this.#bytes.push(this.#encoder.encode(this.#text));
    this.#text = "";
  }

  #readCounters(): CountersLine {
    const { nextId, tablesMade, seed, clock } = this.#context;
    return { nextId, tablesMade, seed, clock: clock.setting };
  }
}
