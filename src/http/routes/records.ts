import { insertBulk } from "../../engine/bulk.js";
import type { Profile } from "../../profile.js";
import { isFlat, metadataPath } from "../../schema/record-names.js";
import * as s from "../../shape/schema.js";
import type { AnyRecord, RecordMetadata } from "../../types.js";
import { idOf } from "../../value/id.js";
import { branchHandle, findTableForRecord, findTableOfRecord, tableHandle } from "../address.js";
import { writeReply } from "../answer.js";
import type { Reply } from "../message.js";
import { defineRoute, type Routes } from "../route.js";
import { RECORD, RECORD_INPUT } from "../schemas/records.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";
const RECORD_AT = `${TABLE}/data/{record_id}` as const;

const COLUMNS = {
  ...s.arrayOf(s.TEXT),
  description: "Columns to return, separated by commas.",
};
const WITH_COLUMNS = s.objectOf({}, { columns: COLUMNS });
const CREATE_ONLY = { ...s.FLAG, description: "Fails if the id exists." };
const IF_VERSION = s.wholeOf(0, undefined, "The required version of the record.");
export const WITH_VERSION: s.Schema<{
  readonly columns?: readonly string[];
  readonly ifVersion?: number;
}> = s.objectOf({}, { columns: COLUMNS, ifVersion: IF_VERSION });

/** Without `columns`, writes return only id and metadata (rule X-1). */
const NONE: string[] = [];

const BULK = s.named(
  "BulkRequest",
  s.reading(s.objectOf({ records: s.arrayOf(RECORD_INPUT) }), { what: "bulk", rule: "X-1" }),
);

const BULK_RESULT = s.named("BulkResult", {
  oneOf: [s.objectOf({ recordIDs: s.arrayOf(s.TEXT) }), s.objectOf({ records: s.arrayOf(RECORD) })],
});

const OPERATION = s.named(
  "Operation",
  s.choiceOf({
    insert: s.objectOf(
      { table: s.TEXT, record: RECORD_INPUT },
      { ifVersion: s.INTEGER, createOnly: s.FLAG, columns: s.arrayOf(s.TEXT) },
    ),
    update: s.objectOf(
      { table: s.TEXT, id: s.TEXT, fields: RECORD_INPUT },
      { ifVersion: s.INTEGER, upsert: s.FLAG, columns: s.arrayOf(s.TEXT) },
    ),
    delete: s.objectOf(
      { table: s.TEXT, id: s.TEXT },
      { failIfMissing: s.FLAG, columns: s.arrayOf(s.TEXT) },
    ),
    get: s.objectOf({ table: s.TEXT, id: s.TEXT }, { columns: s.arrayOf(s.TEXT) }),
  }),
);

const OPERATIONS = s.described({
  ...s.arrayOf(OPERATION),
  maxItems: 1000,
});

const TRANSACTION = s.named(
  "TransactionRequest",
  s.reading(s.objectOf({ operations: OPERATIONS }), { what: "transaction", rule: "X-3" }),
);

const RESULT = s.named("OperationResult", {
  oneOf: [
    s.objectOf(
      { operation: s.oneOf(["insert", "update"]), id: s.TEXT, rows: { const: 1 } },
      { columns: s.ANY_OBJECT },
    ),
    s.objectOf(
      { operation: { const: "delete" }, rows: s.wholeOf(0, 1) },
      { columns: s.ANY_OBJECT },
    ),
    s.objectOf({ operation: { const: "get" }, columns: s.ANY_OBJECT }),
  ],
});

const TRANSACTION_RESULT = s.named("TransactionResult", s.objectOf({ results: s.arrayOf(RESULT) }));

export const RECORD_ROUTES: Routes<
  | "insertRecord"
  | "getRecord"
  | "insertRecordWithID"
  | "updateRecordWithID"
  | "upsertRecordWithID"
  | "deleteRecord"
  | "bulkInsertTableRecords"
  | "branchTransaction"
> = {
  insertRecord: defineRoute({
    at: `POST ${TABLE}/data`,
    summary: "Inserts a record.",
    usesRecords: true,
    parameters: WITH_COLUMNS,
    body: RECORD_INPUT,
    keepsNulls: true,
    answers: { 201: RECORD },
    find: tableHandle,
    act: (table, { body, parameters: { columns = NONE } }) => table.insert(body, { columns }),
  }),
  getRecord: defineRoute({
    at: `GET ${RECORD_AT}`,
    summary: "A record by its id.",
    usesRecords: true,
    parameters: WITH_COLUMNS,
    answers: { 200: RECORD },
    find: findTableOfRecord,
    act: (table, { names, parameters }) => table.get(names.record_id, parameters),
  }),
  insertRecordWithID: defineRoute({
    at: `PUT ${RECORD_AT}`,
    summary: "Inserts a record, or replaces the one of that id.",
    usesRecords: true,
    parameters: s.objectOf(
      {},
      { columns: COLUMNS, createOnly: CREATE_ONLY, ifVersion: IF_VERSION },
    ),
    body: RECORD_INPUT,
    keepsNulls: true,
    answers: { 200: RECORD, 201: RECORD },
    find: findTableForRecord,
    reply: (table, { engine, names, body, parameters: { columns = NONE, ...conditions } }) =>
      replyWritten(engine.profile, table.put(names.record_id, body, { columns, ...conditions })),
  }),
  updateRecordWithID: defineRoute({
    at: `PATCH ${RECORD_AT}`,
    summary: "Updates a record.",
    usesRecords: true,
    parameters: WITH_VERSION,
    body: RECORD_INPUT,
    keepsNulls: true,
    answers: { 200: RECORD },
    find: findTableOfRecord,
    act: (table, { names, body, parameters: { columns = NONE, ifVersion } }) =>
      table.update(names.record_id, body, { columns, ifVersion }),
  }),
  upsertRecordWithID: defineRoute({
    at: `POST ${RECORD_AT}`,
    summary: "Updates or inserts a record.",
    usesRecords: true,
    parameters: WITH_VERSION,
    body: RECORD_INPUT,
    keepsNulls: true,
    answers: { 200: RECORD, 201: RECORD },
    find: findTableForRecord,
    reply: (table, { engine, names, body, parameters: { columns = NONE, ifVersion } }) =>
      replyWritten(engine.profile, table.upsert(names.record_id, body, { columns, ifVersion })),
  }),
  deleteRecord: defineRoute({
    at: `DELETE ${RECORD_AT}`,
    summary: "Deletes a record; with columns, returns it.",
    usesRecords: true,
    parameters: WITH_COLUMNS,
    answers: { 200: RECORD, 204: null },
    find: findTableOfRecord,
    reply: (table, { names: { record_id: id }, parameters: { columns } }) => {
      const record = columns === undefined ? undefined : table.get(id, { columns });
      const answer = record === undefined ? { status: 204 } : { status: 200, body: record };
      // A deletion in place cannot be undone: a too long answer is refused before (L-11).
      const reply = writeReply(answer);
      table.delete(id);
      return reply;
    },
  }),
  bulkInsertTableRecords: defineRoute({
    at: `POST ${TABLE}/bulk`,
    summary: "Inserts records, all or none.",
    usesRecords: true,
    parameters: WITH_COLUMNS,
    body: BULK,
    answers: { 200: BULK_RESULT },
    find: tableHandle,
    act: (table, { body: { records }, parameters: { columns } }) => {
      const inserted = insertBulk(table, records, columns ?? NONE);
      return columns === undefined ? { recordIDs: inserted.map(idOf) } : { records: inserted };
    },
  }),
  branchTransaction: defineRoute({
    at: "POST /db/{db_branch_name}/transaction",
    summary: "Runs operations on the tables of a branch in order, all or none.",
    usesRecords: true,
    body: TRANSACTION,
    answers: { 200: TRANSACTION_RESULT },
    find: branchHandle,
    act: (branch, { body: { operations } }) => ({ results: branch.transaction(operations) }),
  }),
};

/** Whether a record was just inserted: only then is its version 0 (rule R-2). */
function replyWritten(profile: Profile, record: AnyRecord): Reply {
  const version = isFlat(profile)
    ? record[metadataPath(profile, "version")]
    : (record[profile.metadataColumn] as RecordMetadata).version; // every record has metadata
  return { status: version === 0 ? 201 : 200, body: record };
}
