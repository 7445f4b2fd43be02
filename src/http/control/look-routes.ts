import { Branch } from "../../engine/branch.js";
import type { Change } from "../../engine/change.js";
import { walkBranches, walkDiff } from "../../engine/changes.js";
import type { Memory } from "../../engine/memory.js";
import { queryAnywhereAsJson } from "../../engine/query-json.js";
import type { Snapshot } from "../../engine/snapshot.js";
import type { AnyEngine } from "../../engine.js";
import { changeErrors } from "../../errors.js";
import type { TypeOf } from "../../shape/schema.js";
import * as s from "../../shape/schema.js";
import type { AnyTable } from "../../typed/table.js";
import type { Filter } from "../../types.js";
import { branchHandle, requireControl, tableHandle } from "../address.js";
import { defineRoute, type Routes } from "../route.js";
import { QUERY_REQUEST, QUERY_RESULT } from "../schemas/records.js";
import { NEW_NAME } from "../schemas/tables.js";
import { MAX_ROWS, openRows } from "./rows.js";
import type { Snapshots } from "./snapshots.js";
import { createStreams } from "./streams.js";

const BRANCH = "/_twinbase/db/{db_branch_name}";
const TABLE = `${BRANCH}/tables/{table_name}` as const;

const DEFAULT_LIMIT = 1000;
const LIMIT = s.wholeOf(1, undefined, "Default 1000.");
const ROWS = s.objectOf(
  { ids: { ...s.arrayOf(s.TEXT), maxItems: MAX_ROWS } },
  { columns: s.ANYTHING, filter: s.ANYTHING },
);
const WHERE = s.choiceOf({
  update: s.objectOf({ filter: s.anyObject<Filter>(), fields: s.ANY_OBJECT }),
  delete: s.objectOf({ filter: s.anyObject<Filter>() }),
});
const CHANGES = s.objectOf({ changes: s.arrayOf(s.ANY_OBJECT), more: s.FLAG });

export function createLookRoutes(engine: AnyEngine, snapshots: Snapshots, memory: Memory): Routes {
  const open = (name: string | undefined): Snapshot =>
    name === undefined ? engine.snapshot() : snapshots.find(name);
  const stream = createStreams(memory);
  return {
    compareSnapshots: defineRoute({
      at: "POST /_twinbase/diff",
      summary: "The changes between snapshots; an omitted name means now.",
      reads: true,
      body: s.reading(s.objectOf({}, { before: NEW_NAME, after: NEW_NAME, limit: LIMIT }), {
        what: "diff",
      }),
      answers: { 200: CHANGES },
      act: (_, { body: { before, after, limit } }) =>
        take(walkDiff(open(before), open(after)), limit),
    }),
    compareBranches: defineRoute({
      at: `POST ${BRANCH}/diff/{branch_name}`,
      summary: "The changes from one branch to another.",
      reads: true,
      body: s.reading(s.objectOf({}, { limit: LIMIT }), { what: "diff" }),
      answers: { 200: CHANGES },
      find: branchHandle,
      act: (branch, { names, body: { limit } }) => {
        const { address } = Branch.sourceOf(branch);
        return take(walkBranches(engine.snapshot(), address, names.branch_name), limit);
      },
    }),
    explainQuery: defineRoute({
      at: `POST ${TABLE}/explain`,
      summary: "The plan of a query.",
      usesRecords: true,
      reads: true,
      body: QUERY_REQUEST,
      answers: { 200: s.ANY_OBJECT },
      find: tableHandle,
      act: (table, { body }) => table.explain(body),
    }),
    queryAnywhere: defineRoute({
      at: `POST ${TABLE}/query`,
      summary: "A query of the service, with an offset of any size.",
      usesRecords: true,
      reads: true,
      body: s.ANY_OBJECT,
      answers: { 200: QUERY_RESULT },
      find: tableHandle,
      reply: (table, { body }) => ({ status: 200, json: queryAnywhereAsJson(table, body) }),
    }),
    writeWhere: defineRoute({
      at: `POST ${TABLE}/where`,
      summary: "Updates or deletes all records that match a filter, atomically.",
      usesRecords: true,
      body: s.reading(WHERE, { what: "write" }),
      answers: { 200: s.objectOf({ records: s.INTEGER }) },
      find: tableHandle,
      act: (table, { body }) => ({ records: applyWhere(table, body) }),
    }),
    followRows: defineRoute({
      at: `POST ${TABLE}/live`,
      summary:
        "Server-sent events about some records, and the number of those that match a filter.",
      isUndescribed: true,
      usesRecords: true,
      reads: true,
      body: ROWS,
      answers: { 200: s.ANY_OBJECT },
      find: (address) => {
        requireControl(address); // it would outlast the loss of other rights
        return tableHandle(address);
      },
      reply: (table, { body }) => stream((wake) => openRows(table, body.ids, body as object, wake)),
    }),
  };
}

function applyWhere(table: AnyTable, write: TypeOf<typeof WHERE>): number {
  const [kind, { filter }] = Object.entries(write)[0]!; // one of the two
  const at = `/${kind}/filter`;
  const fieldsAt = write.update === undefined ? at : "/update/fields";
  return changeErrors(
    () =>
      write.update ? table.updateWhere(filter, write.update.fields) : table.deleteWhere(filter),
    ({ path = "", errors }) => ({
      path: at + path,
      batchOf: "operations",
      errors: errors?.map((fault) => {
        return { ...fault, path: fault.path?.replace(/^\/[^/]*/, fieldsAt) }; // begins with the id
      }),
    }),
  );
}

function take(
  changes: Iterable<Change>,
  limit: number = DEFAULT_LIMIT,
): { changes: Change[]; more: boolean } {
  const taken: Change[] = [];
  for (const change of changes) {
    if (taken.length === limit) return { changes: taken, more: true };
    taken.push(change);
  }
  return { changes: taken, more: false };
}
