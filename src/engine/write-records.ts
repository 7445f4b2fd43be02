import type { TableAddress } from "../catalog/address.js";
import { below, isRefusal, ROOT, refuseRecord } from "../errors.js";
import { bindProject } from "../query/run.js";
import type { ReadFile } from "../schema/files.js";
import { refuseValue } from "../shape/fields.js";
import type { RowMetadata } from "../storage/metadata.js";
import type { TableWriter, WriteConditions } from "../storage/writer.js";
import type { AnyRecord } from "../types.js";
import { isArray } from "../value/json.js";
import { BatchFaults, type BatchKind } from "./batch-faults.js";
import {
  BranchWrite,
  type BranchWriteOptions,
  createIdSource,
  openWriter,
  watchLinks,
} from "./branch-write.js";
import type { EngineContext } from "./context.js";
import { openRun } from "./query-run.js";

/** Writes one record, in place if it is the only write of its call. */
export function writeRecord<T>(
  context: EngineContext,
  address: TableAddress,
  act: (writer: TableWriter) => T,
): T {
  return context.write(() => {
    const table = context.readTable(address);
    const ids = createIdSource(context);
    const written = context.feed.watch(address);
    const alone = context.ownTable(address);
    const writer = openWriter(context, address, table, {
      ids,
      written,
      links: watchLinks(context, address, alone.owner !== undefined),
      ...alone,
    });
    const result = act(writer);
    ids.commit();
    context.writeTable(address, writer.persist(), written);
    return result;
  }, "one");
}

/** Deletes a record, and sets links to it to null (rule T-18). */
export function deleteRecord(
  context: EngineContext,
  address: TableAddress,
  id: string,
  conditions: WriteConditions,
): boolean {
  if (context.linksTo(address).next().done === true) {
    return writeRecord(context, address, (writer) => writer.delete(id, conditions));
  }
  return context.write(() => {
    const write = new BranchWrite(context, address, {
      inPlace: context.ownTable(address).owner !== undefined,
    });
    const wasThere = write.writer(address.table).delete(id, conditions);
    write.commit();
    return wasThere;
  }, "one");
}

/** Estimated number of records of an iterable that is no array. */
const EXPECTED_RECORDS = 32;

/** Returns the options of a bulk or transaction, which may exclude files (rule X-8). */
export function batchOptions({ profile }: EngineContext): BranchWriteOptions {
  return profile.batches === "limited" ? { readFile: refuseFile } : {};
}

const refuseFile: ReadFile = ({ table, column, at }) => {
  const text = `column [${column.path}]: a bulk or transaction takes no files`;
  return refuseRecord(table, "invalid_record", text, { path: at, rule: "X-8" });
};

export interface InsertHooks extends BranchWriteOptions {
  readonly onInsert: (id: string) => void;
  /** Returns the metadata of the record that was read last; default those of a new record. */
  readonly metadata?: ((index: number) => Partial<RowMetadata> | undefined) | undefined;
}

/** Inserts records, all or none; throws with `errors` and status 400 (rule R-5). */
export function insertRecords(
  context: EngineContext,
  address: TableAddress,
  records: Iterable<unknown>,
  { onInsert, metadata, ...options }: InsertHooks,
): void {
  const isIterable = typeof records === "object" && records !== null && Symbol.iterator in records;
  if (!isIterable || (Array.isArray(records) && !isArray(records))) {
    refuseValue(records, "records", { rule: "R-5" });
  }
  context.write(() => {
    const write = new BranchWrite(context, address, options);
    const writer = write.writer(address.table);
    const expected = isArray(records) ? records.length : EXPECTED_RECORDS;
    const insert = (record: unknown, index: number): void => {
      onInsert(writer.insert(record, below(ROOT, index), expected - index, metadata?.(index)));
    };
    tryEach(records, insert, context);
    write.commit();
  });
}

/** Inserts records, all or none, and returns them. */
export function insertAndRead(
  context: EngineContext,
  address: TableAddress,
  records: readonly unknown[],
  columns: unknown,
  options: BranchWriteOptions = {},
): AnyRecord[] {
  return context.call(() => {
    const ids: string[] = [];
    const onInsert = (id: string): void => void ids.push(id);
    insertRecords(context, address, records, { onInsert, ...options });
    const run = openRun(context, address);
    return bindProject(run, columns, "/columns")(ids.map((id) => run.table.find(id)));
  });
}

/** Mask: the time limit is checked every 16 members. */
const CHECKED_MEMBERS = 15;

/** Runs all members of a batch, then throws if any of them failed (rule R-5). */
export function tryEach<T>(
  members: Iterable<T>,
  act: (member: T, index: number) => void,
  { time, links }: EngineContext,
  of: BatchKind = "records",
): void {
  const faults = new BatchFaults(of);
  let index = 0;
  links?.beginBatch(of);
  for (const member of members) {
    if ((index & CHECKED_MEMBERS) === 0) time.check();
    links?.atMember(index);
    try {
      act(member, index);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      faults.add(index, error);
    }
    index++;
  }
  links?.endBatch();
  faults.throwAny();
}
