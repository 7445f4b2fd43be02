import type { Profile } from "../../profile.js";
import type { AnyRecord, RecordMetadata } from "../../types.js";
import { readFields, refuseValue } from "../../value/fields.js";
import { findBranch, findTable, findTableForRecord, findTableOfRecord } from "../address.js";
import { pointFaults } from "../batch-faults.js";
import { unchecked } from "../fields.js";
import { refer } from "../openapi/schema.js";
import { COLUMNS, CREATE_ONLY, IF_VERSION } from "../parameters.js";
import { defineRoute, type Route } from "../route.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";
const RECORD = `${TABLE}/data/{record_id}`;

/** Without columns asked for, writes give back id and metadata alone (rule X-1). */
const NONE: string[] = [];

/** Reading and writing single records, and several at once (rules ). */
export const RECORD_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: `${TABLE}/data`,
    plane: "workspace",
    touches: "records",
    operation: "insertRecord",
    summary: "Inserts a record.",
    parameters: { columns: COLUMNS },
    body: refer("RecordInput"),
    keepsNulls: true,
    answers: { 201: refer("Record") },
    find: findTable,
    handle: (table, { body, parameters: { columns = NONE } }) => ({
      status: 201,
      body: table.insert(body, { columns }),
    }),
  }),
  defineRoute({
    method: "GET",
    path: RECORD,
    plane: "workspace",
    touches: "records",
    operation: "getRecord",
    summary: "The record of an id.",
    parameters: { columns: COLUMNS },
    answers: { 200: refer("Record") },
    find: findTableOfRecord,
    handle: (table, { names, parameters }) => ({
      status: 200,
      body: table.get(names.record_id!, parameters),
    }),
  }),
  defineRoute({
    method: "PUT",
    path: RECORD,
    plane: "workspace",
    touches: "records",
    operation: "insertRecordWithID",
    summary: "Inserts a record, or replaces the one of that id.",
    parameters: { columns: COLUMNS, createOnly: CREATE_ONLY, ifVersion: IF_VERSION },
    body: refer("RecordInput"),
    keepsNulls: true,
    answers: { 200: refer("Record"), 201: refer("Record") },
    find: findTableForRecord,
    handle: (table, { engine, names, body, parameters: { columns = NONE, ...conditions } }) =>
      replyWritten(engine.profile, table.put(names.record_id!, body, { columns, ...conditions })),
  }),
  defineRoute({
    method: "PATCH",
    path: RECORD,
    plane: "workspace",
    touches: "records",
    operation: "updateRecordWithID",
    summary: "Changes the columns given of a record.",
    parameters: { columns: COLUMNS, ifVersion: IF_VERSION },
    body: refer("RecordInput"),
    keepsNulls: true,
    answers: { 200: refer("Record") },
    find: findTableOfRecord,
    handle: (table, { names, body, parameters: { columns = NONE, ifVersion } }) => ({
      status: 200,
      body: table.update(names.record_id!, body, { columns, ifVersion }),
    }),
  }),
  defineRoute({
    method: "POST",
    path: RECORD,
    plane: "workspace",
    touches: "records",
    operation: "upsertRecordWithID",
    summary: "Changes the columns given of a record, or inserts it.",
    parameters: { columns: COLUMNS, ifVersion: IF_VERSION },
    body: refer("RecordInput"),
    keepsNulls: true,
    answers: { 200: refer("Record"), 201: refer("Record") },
    find: findTableForRecord,
    handle: (table, { engine, names, body, parameters: { columns = NONE, ifVersion } }) =>
      replyWritten(engine.profile, table.upsert(names.record_id!, body, { columns, ifVersion })),
  }),
  defineRoute({
    method: "DELETE",
    path: RECORD,
    plane: "workspace",
    touches: "records",
    operation: "deleteRecord",
    summary: "Deletes a record; with columns, gives it back.",
    parameters: { columns: COLUMNS },
    answers: { 200: refer("Record"), 204: null },
    find: findTableOfRecord,
    handle: (table, { names, parameters: { columns } }) => {
      const id = names.record_id!;
      const record = columns === undefined ? undefined : table.get(id, { columns });
      table.delete(id);
      return record === undefined ? { status: 204 } : { status: 200, body: record };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${TABLE}/bulk`,
    plane: "workspace",
    touches: "records",
    operation: "bulkInsertTableRecords",
    summary: "Inserts records, all or none.",
    parameters: { columns: COLUMNS },
    body: refer("BulkRequest"),
    answers: { 200: refer("BulkResult") },
    find: findTable,
    handle: (table, { body, parameters: { columns } }) => {
      const { records } = readFields(body, ["records"], { what: "bulk", rule: "X-1" });
      if (!Array.isArray(records)) {
        refuseValue(records, "an array", { what: "records", path: "/records", rule: "X-1" });
      }
      const inserted = pointFaults("/records", () =>
        table.insert(unchecked<Record<string, unknown>[]>(records), { columns: columns ?? NONE }),
      );
      return {
        status: 200,
        body: columns === undefined ? { recordIDs: inserted.map(idOf) } : { records: inserted },
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/db/{db_branch_name}/transaction",
    plane: "workspace",
    touches: "records",
    operation: "branchTransaction",
    summary: "Runs operations on the tables of a branch in order, all or none.",
    body: refer("TransactionRequest"),
    answers: { 200: refer("TransactionResult") },
    find: findBranch,
    handle: (branch, { body }) => {
      const { operations } = readFields(body, ["operations"], { what: "transaction", rule: "X-3" });
      return { status: 200, body: { results: branch.transaction(unchecked(operations)) } };
    },
  }),
];

/** A record just inserted has version 0, and no other (rule R-2). */
function replyWritten(
  { metadataColumn }: Profile,
  record: AnyRecord,
): {
  status: number;
  body: AnyRecord;
} {
  const { version } = record[metadataColumn] as RecordMetadata; // every returned record: R-1
  return { status: version === 0 ? 201 : 200, body: record };
}

function idOf({ id }: AnyRecord): string {
  return id;
}
