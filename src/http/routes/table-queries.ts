import { queryAsJson } from "../../engine/query-json.js";
import { tableHandle } from "../address.js";
import { defineRoute, type Routes } from "../route.js";
import {
  AGGREGATE_REQUEST,
  AGGREGATE_RESULT,
  QUERY_REQUEST,
  QUERY_RESULT,
  SUMMARIZE_REQUEST,
  SUMMARIZE_RESULT,
} from "../schemas/records.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";

export const QUERY_ROUTES: Routes<"queryTable" | "summarizeTable" | "aggregateTable"> = {
  queryTable: defineRoute({
    at: `POST ${TABLE}/query`,
    summary: "A page of records.",
    usesRecords: true,
    reads: true,
    body: QUERY_REQUEST,
    answers: { 200: QUERY_RESULT },
    find: tableHandle,
    reply: (table, { body }) => ({ status: 200, json: queryAsJson(table, body) }),
  }),
  summarizeTable: defineRoute({
    at: `POST ${TABLE}/summarize`,
    summary: "Groups records and aggregates each group (rule X-6).",
    usesRecords: true,
    reads: true,
    body: SUMMARIZE_REQUEST,
    answers: { 200: SUMMARIZE_RESULT },
    find: tableHandle,
    act: (table, { body }) => table.summarize(body),
  }),
  aggregateTable: defineRoute({
    at: `POST ${TABLE}/aggregate`,
    summary: "Aggregates of the records that match a filter (rule X-6).",
    usesRecords: true,
    reads: true,
    body: AGGREGATE_REQUEST,
    answers: { 200: AGGREGATE_RESULT },
    find: tableHandle,
    act: (table, { body }) => table.aggregate(body),
  }),
};
