import { refuse } from "../../errors.js";
import { branchHandle } from "../../http/address.js";
import { defineRoute, listRoutes, type Route } from "../../http/route.js";
import * as s from "../../shape/schema.js";
import { SQL_BATCH, SQL_REQUEST } from "./request.js";

const COLUMNS = {
  columns: {
    ...s.arrayOf(s.objectOf({ name: s.TEXT, type: s.TEXT })),
    description: "With the names of PostgreSQL's types.",
  },
  total: { ...s.INTEGER, description: "Number of rows." },
};
const RESULT: s.Schema = {
  anyOf: [
    s.objectOf({ records: s.arrayOf(s.ANY_OBJECT), ...COLUMNS }),
    s.objectOf({ rows: s.arrayOf({ type: "array" }), ...COLUMNS }),
  ],
};

/** The SQL operations, which replace the unimplemented ones. */
export const SQL_ROUTES: readonly Route[] = listRoutes({
  sqlQuery: defineRoute({
    at: "POST /db/{db_branch_name}/sql",
    summary: "Runs a statement of SQL over the tables of the branch.",
    usesRecords: true,
    reads: true,
    body: SQL_REQUEST,
    keepsNulls: true,
    answers: { 200: RESULT },
    find: branchHandle,
    act: refuseElsewhere,
  }),
  sqlBatchQuery: defineRoute({
    at: "POST /db/{db_branch_name}/sql/batch",
    summary: "Runs several statements of SQL, one after the other, in one transaction.",
    usesRecords: true,
    reads: true,
    body: SQL_BATCH,
    keepsNulls: true,
    answers: { 200: s.objectOf({ results: s.arrayOf(RESULT) }) },
    find: branchHandle,
    act: refuseElsewhere,
  }),
});

function refuseElsewhere(): never {
  refuse("not_implemented", "an engine runs no statements of SQL", { rule: "E-3" });
}
