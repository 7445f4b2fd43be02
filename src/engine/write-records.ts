import type { TableAddress } from "../catalog/address.js";
import { below, isRefusal, ROOT, refuseRecord, type TwinbaseError } from "../errors.js";
import { bindProject } from "../query/run.js";
import type { ReadFile } from "../schema/stored-files.js";
import { refuseValue } from "../shape/fields.js";
import type { RowMetadata } from "../storage/metadata.js";
import type { TableWriter } from "../storage/writer.js";
import type { AnyRecord } from "../types.js";
import { isArray } from "../value/json.js";
import { BatchFaults, type BatchKind } from "./batch-faults.js";
import { BranchWrite } from "./branch-write.js";
import type { EngineContext } from "./context.js";
import { openRun } from "./query-run.js";

/** Writes records of a table; in place if that is the only write of its call. */
export function writeRecords<T>(
  context: EngineContext,
  address: TableAddress,
  act: (writer: TableWriter) => T,
  { writes, readFile }: WriteMode = {},
): T {
  return context.write(() => {
    const write = new BranchWrite(context, address, readFile);
    const result = act(write.writer(address.table));
    write.commit();
    return result;
  }, writes);
}

export interface WriteMode {
  /** `one` permits a write in place, after which nothing may refuse; default `many`. */
  readonly writes?: "one" | "many";
  /** Replaces the engine's reader of files. */
  readonly readFile?: ReadFile;
}

/** Estimated number of records of an iterable that is no array. */
const EXPECTED_RECORDS = 32;

/** Returns the options of a bulk or transaction, which may exclude files (rule X-8). */
export function batchOptions({ profile }: EngineContext): WriteMode {
  return profile.batches === "limited" ? { readFile: refuseFile } : {};
}

const refuseFile: ReadFile = ({ table, column, value, at }) => {
  const entry = isArray(value) && value.length > 0 ? "file entry [0]: " : "";
  const text = `column [${column.path}]: ${entry}file upload not permitted in transaction`;
  return refuseRecord(table, "invalid_record", text, { path: at, rule: "X-8" });
};

export interface InsertHooks extends WriteMode {
  readonly onInsert: (id: string) => void;
  /** Returns the metadata of the record that was read last; default those of a new record. */
  readonly metadata?: ((index: number) => Partial<RowMetadata> | undefined) | undefined;
  /** Called for a record that is refused, which then is left out; default refuses the batch. */
  readonly onRefusal?: ((error: TwinbaseError, index: number) => void) | undefined;
}

/** Inserts records, all or none; throws with `errors` and status 400 (rule R-5). */
export function insertRecords(
  context: EngineContext,
  address: TableAddress,
  records: Iterable<unknown>,
  { onInsert, metadata, onRefusal, ...options }: InsertHooks,
): void {
  const isIterable = typeof records === "object" && records !== null && Symbol.iterator in records;
  if (!isIterable || (Array.isArray(records) && !isArray(records))) {
    refuseValue(records, "records", { rule: "R-5" });
  }
  const insertAll = (writer: TableWriter): void => {
    const expected = isArray(records) ? records.length : EXPECTED_RECORDS;
    const insert = (record: unknown, index: number): void => {
      try {
        onInsert(writer.insert(record, below(ROOT, index), expected - index, metadata?.(index)));
      } catch (error) {
        if (onRefusal === undefined || !isRefusal(error)) throw error;
        onRefusal(error, index);
      }
    };
    tryEach(records, insert, context);
  };
  writeRecords(context, address, insertAll, options);
}

/** Inserts records, all or none, and returns them. */
export function insertAndRead(
  context: EngineContext,
  address: TableAddress,
  records: readonly unknown[],
  columns: unknown,
  options: WriteMode = {},
): AnyRecord[] {
  return context.call(() => {
    const ids: string[] = [];
    const onInsert = (id: string): void => void ids.push(id);
    insertRecords(context, address, records, { onInsert, ...options });
    return readRecords(context, address, columns, ids);
  });
}

/** Validates a selection, and reads records. */
export function readRecords(
  context: EngineContext,
  address: TableAddress,
  columns: unknown,
  ids: readonly string[],
): AnyRecord[] {
  const run = openRun(context, address);
  return bindProject(run, columns, "/columns")(ids.map((id) => run.table.find(id)));
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
