import type { TableAddress } from "../../catalog/address.js";
import type { CatalogState, TableCell } from "../../catalog/state.js";
import type { Schema } from "../../schema/columns.js";
import type { EngineContext } from "../context.js";
import { LineChecksum } from "../export/seal.js";
import { type RecordColumns, recordColumns, recordLine, sealLine } from "../export/write.js";
import type { KeptWrite } from "../keeper.js";
import { COMMIT, type CountersLine, LOG_FORMAT, LOG_VERSION, type LogLine } from "./layout.js";
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

/** Writes what changes an engine as the text of a log. */
export class ChangeLog {
  readonly #context: EngineContext;
  readonly #written: Map<string, Written> = new Map();
  #checksum: LineChecksum = new LineChecksum();
  #text: string[] = [];
  #commits: number;
  /** As the last commit has them. */
  #counters: string;
  readonly #columns: WeakMap<Schema, RecordColumns> = new WeakMap();

  /** @param commits that there were in logs before */
  constructor(context: EngineContext, commits: number) {
    this.#context = context;
    this.#commits = commits;
    this.#counters = JSON.stringify(this.#readCounters());
  }

  /** Takes in what a call has written. Records are written out later: those written again, once. */
  add({ records, before, after }: KeptWrite): void {
    for (const { at, ids } of records) {
      const key = `${at.workspace}\n${at.database}\n${at.branch}\n${at.table}`;
      let written = this.#written.get(key);
      if (written === undefined) {
        written = { at, ids: new Set() };
        this.#written.set(key, written);
      }
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
      this.#text.length > 0 ||
      JSON.stringify(this.#readCounters()) !== this.#counters
    );
  }

  /** The text of all that has changed since the last commit, with its own; empty where nothing has. */
  commit(): string {
    if (!this.isChanged) return "";
    this.#writeRecords(this.#context.state);
    const counters = this.#readCounters();
    this.#counters = JSON.stringify(counters);
    this.#write([COMMIT, ++this.#commits, counters]);
    const text = this.#text.join("");
    this.#text = [];
    return text;
  }

  /** The first line of the next log; nothing is to be uncommitted. */
  begin(): string {
    this.#checksum = new LineChecksum();
    return sealLine([LOG_FORMAT, LOG_VERSION, this.#commits], this.#checksum);
  }

  #writeRecords(state: CatalogState): void {
    for (const { at, ids } of this.#written.values()) {
      const table = findCell(state, at)?.value;
      if (table === undefined) continue; // made by the same call: all of it is told
      let columns = this.#columns.get(table.schema);
      if (columns === undefined) {
        columns = recordColumns(table.schema);
        this.#columns.set(table.schema, columns);
      }
      this.#write(["rows", at.workspace, at.database, at.branch, at.table]);
      for (const id of ids) {
        const ordinal = table.find(id);
        this.#write(ordinal < 0 ? ["d", id] : recordLine(table, ordinal, columns));
      }
    }
    this.#written.clear();
  }

  #write(line: LogLine): void {
    this.#text.push(sealLine(line, this.#checksum));
  }

  #readCounters(): CountersLine {
    const { nextId, tablesMade, seed, clock } = this.#context;
    return { nextId, tablesMade, seed, clock: clock.setting };
  }
}
