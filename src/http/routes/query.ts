import { queryAsJson } from "../../engine/query-json.js";
import type { AggregateRequest, SummarizeRequest } from "../../types.js";
import { findTable } from "../address.js";
import { unchecked } from "../fields.js";
import { refer } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";

/** Reading the records of a table, and what can be told of them as a whole. */
export const QUERY_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: `${TABLE}/query`,
    plane: "workspace",
    touches: "query",
    operation: "queryTable",
    summary: "One page of the records that match a filter, in an order.",
    body: refer("QueryRequest"),
    answers: { 200: refer("QueryResult") },
    find: findTable,
    handle: (table, { body }) => ({ status: 200, json: queryAsJson(table, body) }),
  }),
  defineRoute({
    method: "POST",
    path: `${TABLE}/summarize`,
    plane: "workspace",
    touches: "query",
    operation: "summarizeTable",
    summary: "Groups of records by some columns, with a summary of each (rule X-6).",
    body: refer("SummarizeRequest"),
    answers: { 200: refer("SummarizeResult") },
    find: findTable,
    handle: (table, { body }) => ({
      status: 200,
      body: table.summarize(unchecked<SummarizeRequest>(body)),
    }),
  }),
  defineRoute({
    method: "POST",
    path: `${TABLE}/aggregate`,
    plane: "workspace",
    touches: "query",
    operation: "aggregateTable",
    summary: "Figures over the records that match a filter (rule X-6).",
    body: refer("AggregateRequest"),
    answers: { 200: refer("AggregateResult") },
    find: findTable,
    handle: (table, { body }) => ({
      status: 200,
      body: table.aggregate(unchecked<AggregateRequest>(body)),
    }),
  }),
];
