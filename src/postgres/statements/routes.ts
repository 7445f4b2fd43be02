import { refuse } from "../../errors.js";
import { findBranch } from "../../http/address.js";
import { defineRoute, type Route } from "../../http/route.js";
import {
  ANY_OBJECT,
  arrayOf,
  byEngine,
  objectOf,
  type Schema,
  TEXT,
  WHOLE,
} from "../../http/schema.js";

const STATEMENT: Schema = { type: "string", minLength: 1, description: "One statement of SQL." };
const PARAMS: Schema = {
  type: ["array", "null"],
  items: {},
  description: "The values of $1, $2 …",
};
const RESPONSE = {
  consistency: { enum: ["strong", "eventual"], description: "Changes nothing here." },
  responseType: { enum: ["json", "array"], description: "Default json." },
};
const COLUMNS = {
  columns: {
    ...arrayOf(objectOf({ name: TEXT, type: TEXT })),
    description: "With the names of PostgreSQL's types.",
  },
  total: { ...WHOLE, description: "Number of rows." },
};
const RESULT: Schema = {
  anyOf: [
    objectOf({ records: arrayOf(ANY_OBJECT), ...COLUMNS }),
    objectOf({ rows: arrayOf({ type: "array" }), ...COLUMNS }),
  ],
};

/** The SQL operations, which replace the unimplemented ones. */
export const SQL_ROUTES: readonly Route[] = [
  defineRoute({
    at: "POST /db/{db_branch_name}/sql",
    operation: "sqlQuery",
    summary: "Runs a statement of SQL over the tables of the branch.",
    touches: "query",
    body: byEngine(objectOf({ statement: STATEMENT }, { params: PARAMS, ...RESPONSE })),
    keepsNulls: true,
    answers: { 200: RESULT },
    find: findBranch,
    act: refuseElsewhere,
  }),
  defineRoute({
    at: "POST /db/{db_branch_name}/sql/batch",
    operation: "sqlBatchQuery",
    summary: "Runs several statements of SQL, one after the other, in one transaction.",
    touches: "query",
    body: byEngine(
      objectOf(
        { statements: arrayOf(objectOf({ statement: STATEMENT }, { params: PARAMS })) },
        RESPONSE,
      ),
    ),
    keepsNulls: true,
    answers: { 200: objectOf({ results: arrayOf(RESULT) }) },
    find: findBranch,
    act: refuseElsewhere,
  }),
];

function refuseElsewhere(): never {
  refuse("not_implemented", "an engine runs no statements of SQL", { rule: "E-3" });
}
