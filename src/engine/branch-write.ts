import { type BranchAddress, type TableAddress, tableAt } from "../catalog/address.js";
import type { TableKey } from "../catalog/state.js";
import { refuseRecord } from "../errors.js";
import { findLinkingRows } from "../query/fetch/available.js";
import { createTableView } from "../query/query-run.js";
import { type LeafColumn, type LinkColumn, leavesOf } from "../schema/columns.js";
import type { ReadFile } from "../schema/stored-files.js";
import type { TableVersion } from "../storage/table.js";
import { type LinkObserver, TableWriter } from "../storage/writer.js";
import { firstIdAt, formatRecordId } from "../value/id.js";
import type { EngineContext } from "./context.js";
import { type LinkFault, refuseLink } from "./link-checks.js";

/**
 * The writes of one call to tables of a branch: invisible to others until `commit`, unless it is the
 * only write of its call, which changes tables in place.
 */
export class BranchWrite {
  readonly #context: EngineContext;
  readonly #address: BranchAddress | TableAddress;
  readonly #inPlace: boolean;
  readonly #readFile: ReadFile | undefined;
  #nextId: number | undefined;
  /** By name: a list of few, as a map would take a twentieth of the time of an insert. */
  readonly #writers: [address: TableAddress, writer: TableWriter][] = [];
  /** Deleted records by table, until {@link settle}. */
  #deleted: Map<string, Set<string>> | undefined;

  /** @param readFile replaces the engine's reader of files */
  constructor(context: EngineContext, address: BranchAddress | TableAddress, readFile?: ReadFile) {
    this.#context = context;
    this.#address = address;
    this.#inPlace = context.writesInPlace;
    this.#readFile = readFile ?? context.files?.read;
  }

  /** Returns a table with the writes so far. */
  version(name: string): TableVersion {
    return this.written(name) ?? this.#context.readTable(tableAt(this.#address, name));
  }

  /** Like {@link version}; undefined for a table without writes. */
  written(name: string): TableVersion | undefined {
    return this.#findWriter(name)?.persist();
  }

  /** Returns a table's writer. Call {@link settle} first, except to delete. */
  writer(name: string): TableWriter {
    const open = this.#findWriter(name);
    if (open !== undefined) return open;
    const context = this.#context;
    const outer = this.#address;
    const address = "table" in outer && outer.table === name ? outer : tableAt(outer, name);
    const writer = new TableWriter(context.readTable(address), {
      table: name,
      profile: context.profile,
      now: context.now(),
      nextId: this.#drawId,
      recordBytes: context.limits.recordBytes,
      readFile: this.#readFile,
      noted: context.feed.noted,
      links: this.#observeLinks(address),
      ...(this.#inPlace && context.ownTables(name)),
    });
    this.#writers.push([address, writer]);
    return writer;
  }

  #findWriter(name: string): TableWriter | undefined {
    for (const [{ table }, writer] of this.#writers) if (table === name) return writer;
    return undefined;
  }

  /** Ascending ids that begin with the time (rule R-3); the engine's counter advances on commit. */
  readonly #drawId = (): string => {
    const { nextId, streams } = this.#context;
    this.#nextId ??= Math.max(nextId, firstIdAt(this.#context.now().ms));
    return formatRecordId(this.#nextId++, streams.recordTail);
  };

  /** Sets the links to deleted records to null (rule T-18). Many deletions share one scan. */
  settle(): void {
    const deleted = this.#deleted;
    if (deleted === undefined) return;
    for (const [target, ids] of deleted) {
      deleted.delete(target);
      const found = this.#linksTo(target).flatMap(([name, columns]) => {
        const version = this.version(name);
        return columns.map((column) => {
          return { name, columns, column, rows: this.#linkingRows(version, column, ids) };
        });
      });
      for (const links of found) if (links.rows.length > 0) this.#unlink(links, ids);
    }
  }

  /** Makes the writes visible. If it throws, none is. */
  commit(): void {
    this.settle();
    if (this.#nextId !== undefined) this.#context.nextId = this.#nextId;
    for (const [address, writer] of this.#writers) {
      this.#context.writeTable(address, writer.persist(), writer.written());
    }
  }

  #linksTo(target: string): [table: string, columns: readonly LinkColumn[]][] {
    return [...this.#context.linksTo(tableAt(this.#address, target))];
  }

  #unlink({ name, column, columns, rows }: LinkingRows, ids: ReadonlySet<string>): void {
    const writer = this.writer(name);
    for (const [step, row] of rows.entries()) {
      // In place nothing can be undone.
      if ((step & CHECKED_ROWS) === 0 && !this.#inPlace) this.#context.time.check();
      const link = writer.get(row, column.slot);
      if (link === null || !ids.has(String(link))) continue; // set to null with another column
      const isSame = ({ slot }: LinkColumn): boolean => writer.get(row, slot) === link;
      writer.unlink(row, columns.length === 1 ? columns : columns.filter(isSame));
    }
  }

  #linkingRows(version: TableVersion, column: LinkColumn, ids: Iterable<string>): Int32Array {
    const { indexes, time } = this.#context;
    if (version.source !== undefined) for (const id of ids) version.source.find(column.slot, id);
    return findLinkingRows(createTableView(version, indexes, time.check), column, [...ids]);
  }

  /** Returns an observer that checks links (rule T-18); undefined if they are free. */
  #observeLinks(address: TableAddress): LinkObserver | undefined {
    const context = this.#context;
    const { links } = context;
    if (links === undefined) return undefined;
    const { tables } = context.readBranch(address);
    const { table } = address;
    const has = (target: string, key: TableKey, id: string): boolean => {
      // Ids of a bulk load enter the index at its end.
      if (!this.#inPlace && target === table) return false;
      return this.#findWriter(target)?.has(id) ?? context.tableAt(key).has(id);
    };
    return {
      onLink: (column, link, record, at) => {
        const { target } = column;
        if (target === table && link === record) return true;
        const key = tables.get(target);
        if (key === undefined || has(target, key, link)) return true;
        const fault: LinkFault = { address, column, link, record, at };
        if (this.#inPlace) refuseLink(fault);
        links.add({ ...fault, table: tables.get(table)! }); // the table that is written
        return false;
      },
      onDelete: (id) => this.#onDelete(table, id),
    };
  }

  #onDelete(table: string, id: string): void {
    const linked = this.#linksTo(table);
    if (linked.length === 0) return;
    for (const [name, columns] of linked) {
      for (const column of columns) this.#requireNullable(name, column, table, id);
    }
    for (const [, writer] of this.#writers) writer.forgetLinks();
    this.#deleted ??= new Map();
    const deleted = this.#deleted.get(table) ?? new Set();
    this.#deleted.set(table, deleted.add(id));
    // In place nothing can be undone: what may fail comes first.
    if (this.#inPlace) this.settle();
  }

  /** Rejects the deletion if a `notNull` column links to the record (rule T-16). */
  #requireNullable(name: string, column: LinkColumn, target: string, id: string): void {
    const { schema } = this.#context.readTable(tableAt(this.#address, name));
    const { notNulls } = schema.constraints;
    const bound = notNulls.filter((one) => leavesOf(one).some(({ slot }) => slot === column.slot));
    if (bound.length === 0) return;
    const version = this.version(name);
    for (const row of this.#linkingRows(version, column, [id])) {
      const record = version.idAt(row);
      if (name === target && record === id) continue;
      const isCleared = ({ slot, target: to }: LeafColumn): boolean => {
        const value = version.get(row, slot);
        if (value === null || to === undefined) return value === null;
        // Links to other records that the call deletes are set to null later.
        return (
          (to === target && value === id) || this.#deleted?.get(to)?.has(String(value)) === true
        );
      };
      const broken = bound.find((one) => leavesOf(one).every(isCleared));
      if (broken === undefined) continue;
      const text = `record [${id}] cannot be deleted: record [${record}] of table [${name}] links to it, and column [${broken.path}] must not be null`;
      refuseRecord(target, "invalid_record", text, { rule: "T-16" });
    }
  }
}

interface LinkingRows {
  readonly name: string;
  /** All links from the table to the table of the deleted records. */
  readonly columns: readonly LinkColumn[];
  readonly column: LinkColumn;
  readonly rows: Int32Array;
}

/** Mask: the time limit is checked every 256 rows. */
const CHECKED_ROWS = 255;
