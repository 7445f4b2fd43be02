import { refuse } from "../../errors.js";
import { findBranch } from "../../http/address.js";
import {
  ANY_OBJECT,
  arrayOf,
  type JsonSchema,
  objectOf,
  TEXT,
  WHOLE,
} from "../../http/openapi/schema.js";
import { defineRoute, type Route } from "../../http/route.js";

const STATEMENT: Readonly<Record<string, JsonSchema>> = {
  statement: { type: "string", minLength: 1, description: "One statement of SQL." },
  params: { type: ["array", "null"], items: {}, description: "The values of $1, $2 …" },
};
const RESPONSE: Readonly<Record<string, JsonSchema>> = {
  consistency: { enum: ["strong", "eventual"], description: "Changes nothing here." },
  responseType: { enum: ["json", "array"], description: "Default json." },
};
const COLUMNS: Readonly<Record<string, JsonSchema>> = {
  columns: {
    ...arrayOf(objectOf({ name: TEXT, type: TEXT })),
    description: "With the names of PostgreSQL's types.",
  },
  total: { ...WHOLE, description: "Number of rows." },
};
const RESULT: JsonSchema = {
  anyOf: [
    objectOf({ records: arrayOf(ANY_OBJECT), ...COLUMNS }),
    objectOf({ rows: arrayOf({ type: "array" }), ...COLUMNS }),
  ],
};

/** The operations that take statements of SQL, in place of those that say that they are not built. */
export const SQL_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/db/{db_branch_name}/sql",
    plane: "workspace",
    touches: "query",
    operation: "sqlQuery",
    summary: "Runs a statement of SQL over the tables of the branch.",
    body: objectOf({ ...STATEMENT, ...RESPONSE }, ["statement"]),
    keepsNulls: true,
    answers: { 200: RESULT },
    find: findBranch,
    handle: refuseElsewhere,
  }),
  defineRoute({
    method: "POST",
    path: "/db/{db_branch_name}/sql/batch",
    plane: "workspace",
    touches: "query",
    operation: "sqlBatchQuery",
    summary: "Runs several statements of SQL, one after the other, in one transaction.",
    body: objectOf({ statements: arrayOf(objectOf(STATEMENT, ["statement"])), ...RESPONSE }, [
      "statements",
    ]),
    keepsNulls: true,
    answers: { 200: objectOf({ results: arrayOf(RESULT) }) },
    find: findBranch,
    handle: refuseElsewhere,
  }),
];

/** The database runs them; an engine cannot. */
function refuseElsewhere(): never {
  refuse("not_implemented", "an engine runs no statements of SQL", { rule: "E-3" });
}
