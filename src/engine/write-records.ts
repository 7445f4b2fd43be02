import type { TableAddress } from "../catalog/address.js";
import { type BatchFault, below, isRefusal, ROOT, TwinbaseError } from "../errors.js";
import type { RowMetadata } from "../storage/metadata.js";
import type { TableVersion } from "../storage/table.js";
import { TableWriter, type WriteContext } from "../storage/writer.js";
import { refuseValue } from "../value/fields.js";
import { formatRecordId } from "../value/id.js";
import { isArray } from "../value/json.js";
import type { EngineContext } from "./context.js";
import type { WrittenRecords } from "./write-feed.js";

/** Writes one record, in place unless within an atomic batch. */
export function writeRecord<T>(
  context: EngineContext,
  address: TableAddress,
  act: (writer: TableWriter) => T,
): T {
  return context.write(() => {
    const table = context.readTable(address);
    const ids = createIdSource(context);
    const written = context.feed.watch();
    const alone = context.ownTable(address);
    const writer = openWriter(context, address, table, ids, written, alone);
    const result = act(writer);
    ids.commit();
    context.writeTable(address, writer.persist(), written);
    return result;
  });
}

/** Estimated number of records of an iterable. */
const FEWEST_OF_MANY = 32;

export interface InsertHooks {
  readonly onInsert: (id: string) => void;
  /** Returns the metadata of the record that was read last; default those of a new record. */
  readonly metadata?: ((index: number) => Partial<RowMetadata> | undefined) | undefined;
}

/** Inserts records, all or none; throws with `errors` and status 400 (rule R-5). */
export function insertRecords(
  context: EngineContext,
  address: TableAddress,
  records: Iterable<unknown>,
  { onInsert, metadata }: InsertHooks,
): void {
  const isIterable = typeof records === "object" && records !== null && Symbol.iterator in records;
  if (!isIterable || (Array.isArray(records) && !isArray(records))) {
    refuseValue(records, "records", { rule: "R-5" });
  }
  context.write(() => {
    const ids = createIdSource(context);
    const written = context.feed.watch();
    const writer = openWriter(context, address, context.readTable(address), ids, written);
    const expected = isArray(records) ? records.length : FEWEST_OF_MANY;
    const insert = (record: unknown, index: number): void => {
      onInsert(writer.insert(record, below(ROOT, index), expected - index, metadata?.(index)));
    };
    tryEach(records, insert, context.time.check);
    ids.commit();
    context.writeTable(address, writer.persist(), written);
  });
}

/** Returns the ordinal of an addressed record, or −1. */
export function findRecord(
  context: EngineContext,
  address: TableAddress,
  table: TableVersion,
  id: string,
): number {
  if (typeof id === "string") context.observer?.at(address).onFind?.(id);
  return table.find(id);
}

/** Numbers generated ids; the engine's counter advances on commit. */
export interface IdSource {
  readonly next: () => string;
  readonly commit: () => void;
}

export function createIdSource(context: EngineContext): IdSource {
  let counter = context.nextId;
  return {
    next: () => {
      return formatRecordId(counter++, context.streams.recordTail);
    },
    commit: () => {
      context.nextId = counter;
    },
  };
}

/** @param alone permits a single write in place */
export function openWriter(
  context: EngineContext,
  address: TableAddress,
  table: TableVersion,
  ids: IdSource,
  written: WrittenRecords | undefined,
  alone?: Pick<WriteContext, "owner" | "requireCurrent">,
): TableWriter {
  const { observer } = context;
  const onWrite = written?.onWrite;
  return new TableWriter(table, {
    table: address.table,
    profile: context.profile,
    now: context.now(),
    nextId: ids.next,
    recordBytes: context.limits.recordBytes,
    readFile: context.files?.read,
    observer: observer === undefined ? written : { ...observer.at(address), onWrite },
    ...alone,
  });
}

/** Mask: the time limit is checked every 16 members. */
const CHECKED_MEMBERS = 15;

/** Maximum number of reported errors (rule L-9). */
const MAX_LISTED_FAULTS = 100;

/** Runs all members of a batch, then throws if any of them failed (rule R-5). */
export function tryEach<T>(
  members: Iterable<T>,
  act: (member: T, index: number) => void,
  checkTime: () => void,
  of: "records" | "operations" = "records",
): void {
  const faults: BatchFault[] = [];
  let more = 0;
  let index = 0;
  for (const member of members) {
    if ((index & CHECKED_MEMBERS) === 0) checkTime();
    try {
      act(member, index);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { message, code, path, rule, reason, table } = error;
      const fault = { index, message, code, path, rule, reason, table };
      if (faults.length < MAX_LISTED_FAULTS) faults.push(fault);
      else more++;
    }
    index++;
  }
  const [first] = faults;
  if (first === undefined) return;
  const others = faults.length === 1 ? "" : ` (and ${faults.length - 1 + more} more)`;
  throw new TwinbaseError(first.code, `[${first.index}] ${first.message}${others}`, {
    path: first.path,
    rule: first.rule,
    errors: faults,
    more: more || undefined,
    batchOf: of,
    status: 400,
  });
}
