import { type BranchAddress, type TableAddress, tableAt } from "../catalog/address.js";
import { refuseRecord } from "../errors.js";
import { findLinkingRows } from "../query/plan/row-index.js";
import { type LeafColumn, type LinkColumn, leavesOf } from "../schema/columns.js";
import type { ReadFile } from "../schema/files.js";
import type { TableVersion } from "../storage/table.js";
import { type LinkObserver, TableWriter, type WriteContext } from "../storage/writer.js";
import { firstIdAt, formatRecordId } from "../value/id.js";
import type { EngineContext } from "./context.js";
import { type LinkFault, refuseLink } from "./link-checks.js";
import type { WrittenRecords } from "./write-feed.js";

export interface BranchWriteOptions {
  /** Permits a single deletion in place. */
  readonly inPlace?: boolean;
  /** Replaces the engine's reader of files. */
  readonly readFile?: ReadFile;
}

/** The writes of one call to tables of a branch: invisible to others until `commit`. */
export class BranchWrite {
  readonly #context: EngineContext;
  readonly #address: BranchAddress;
  readonly #ids: IdSource;
  readonly #inPlace: boolean;
  readonly #readFile: ReadFile | undefined;
  readonly #writers: Map<string, TableWriter> = new Map();
  readonly #written: Map<string, WrittenRecords> = new Map();
  /** Deleted records by table, until {@link settle}. */
  readonly #deleted: Map<string, Set<string>> = new Map();

  constructor(context: EngineContext, address: BranchAddress, options: BranchWriteOptions = {}) {
    this.#context = context;
    this.#address = address;
    this.#ids = createIdSource(context);
    this.#inPlace = options.inPlace ?? false;
    this.#readFile = options.readFile;
    context.readBranch(address);
  }

  /** Returns a table with the writes so far. */
  version(name: string): TableVersion {
    return this.written(name) ?? this.#context.readTable(tableAt(this.#address, name));
  }

  /** Like {@link version}; undefined for a table without writes. */
  written(name: string): TableVersion | undefined {
    return this.#writers.get(name)?.persist();
  }

  /** Returns a table's writer. Call {@link settle} first, except to delete. */
  writer(name: string): TableWriter {
    let writer = this.#writers.get(name);
    if (writer === undefined) {
      const address = tableAt(this.#address, name);
      const version = this.#context.readTable(address);
      const written = this.#context.feed.watch(address);
      if (written !== undefined) this.#written.set(name, written);
      writer = openWriter(this.#context, address, version, {
        ids: this.#ids,
        written,
        links: this.#watchLinks(address),
        readFile: this.#readFile,
        ...(this.#inPlace && this.#context.ownTable(address)),
      });
      this.#writers.set(name, writer);
    }
    return writer;
  }

  /** Sets the links to deleted records to null (rule T-18). Many deletions share one scan. */
  settle(): void {
    for (const [target, ids] of this.#deleted) {
      this.#deleted.delete(target);
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
    this.#ids.commit();
    for (const [name, writer] of this.#writers) {
      const version = writer.persist();
      this.#context.writeTable(tableAt(this.#address, name), version, this.#written.get(name));
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

  #linkingRows(
    version: TableVersion,
    column: LinkColumn,
    ids: Iterable<string>,
  ): readonly number[] {
    const { indexes, time } = this.#context;
    if (version.source !== undefined) for (const id of ids) version.source.linkedTo(column, id);
    return findLinkingRows({ table: version, indexes, checkTime: time.check }, column.slot, ids);
  }

  #watchLinks(address: TableAddress): LinkObserver | undefined {
    const watched = watchLinks(this.#context, address, false, (target, id) => {
      // Ids of a bulk load enter the index at its end.
      if (target === address.table) return false;
      return this.#writers.get(target)?.has(id);
    });
    if (watched === undefined) return undefined;
    const { table } = address;
    const onDelete = (id: string): void => {
      const linked = this.#linksTo(table);
      if (linked.length === 0) return;
      for (const [name, columns] of linked) {
        for (const column of columns) this.#requireNullable(name, column, table, id);
      }
      for (const writer of this.#writers.values()) writer.forgetLinks();
      const deleted = this.#deleted.get(table) ?? new Set();
      this.#deleted.set(table, deleted.add(id));
      // In place nothing can be undone: what may fail comes first.
      if (this.#inPlace) this.settle();
    };
    return { ...watched, onDelete };
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
          (to === target && value === id) || this.#deleted.get(to)?.has(String(value)) === true
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
  readonly rows: readonly number[];
}

/** Mask: the time limit is checked every 256 rows. */
const CHECKED_ROWS = 255;

/**
 * Generates ascending record ids that begin with the time (rule R-3); the engine's counter advances
 * on commit.
 */
export interface IdSource {
  readonly next: () => string;
  readonly commit: () => void;
}

export function createIdSource(context: EngineContext): IdSource {
  let nextId: number | undefined;
  return {
    next: () => {
      nextId ??= Math.max(context.nextId, firstIdAt(context.now().ms));
      return formatRecordId(nextId++, context.streams.recordTail);
    },
    commit: () => {
      if (nextId !== undefined) context.nextId = nextId;
    },
  };
}

interface WriterParts
  extends Pick<WriteContext, "links" | "owner" | "requireCurrent" | "readFile"> {
  readonly ids: IdSource;
  readonly written: WrittenRecords | undefined;
}

export function openWriter(
  context: EngineContext,
  address: TableAddress,
  table: TableVersion,
  { ids, written, links, owner, requireCurrent, readFile = context.files?.read }: WriterParts,
): TableWriter {
  return new TableWriter(table, {
    table: address.table,
    profile: context.profile,
    now: context.now(),
    nextId: ids.next,
    recordBytes: context.limits.recordBytes,
    readFile,
    onWrite: written?.onWrite,
    links,
    owner,
    requireCurrent,
  });
}

/**
 * Returns an observer that checks links (rule T-18); undefined if they are free.
 *
 * @param isFinal whether the link's record must exist already
 * @param find finds a record among the writes of the call; undefined for a table without any
 */
export function watchLinks(
  context: EngineContext,
  address: TableAddress,
  isFinal: boolean,
  find?: (table: string, id: string) => boolean | undefined,
): LinkObserver | undefined {
  const { links } = context;
  if (links === undefined) return undefined;
  const { tables } = context.readBranch(address);
  return {
    onLink(column, link, record, at) {
      const { target } = column;
      if (target === address.table && link === record) return true;
      const key = tables.get(target);
      if (key === undefined || (find?.(target, link) ?? context.tableAt(key).has(link)))
        return true;
      const fault: LinkFault = { address, column, link, record, at };
      if (isFinal) refuseLink(fault);
      links.add({ ...fault, table: tables.get(address.table)! }); // the table that is written
      return false;
    },
  };
}
