import { searchBranch, searchTable, vectorSearch } from "../../search.js";
import type {
  BranchSearchRequest,
  TableSearchRequest,
  VectorSearchParts,
} from "../../typed/search.js";
import type { Filter } from "../../types.js";
import { findBranch, findTable } from "../address.js";
import { unchecked } from "../fields.js";
import { refer } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const BRANCH = "/db/{db_branch_name}";
const TABLE = `${BRANCH}/tables/{table_name}`;

/**
 * Finding records by their words, and by their vectors. They are loaded with all other routes: ten
 * kilobytes beside an adapter that runs on a server, against an answer that would have to wait.
 */
export const SEARCH_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: `${TABLE}/search`,
    plane: "workspace",
    touches: "query",
    operation: "searchTable",
    summary: "The records of a table with words of a query, the best first (section Q).",
    body: refer("SearchRequest"),
    answers: { 200: refer("SearchResult") },
    find: findTable,
    handle: (table, { body }) => ({
      status: 200,
      body: searchTable(table, unchecked<TableSearchRequest>(body)),
    }),
  }),
  defineRoute({
    method: "POST",
    path: `${BRANCH}/search`,
    plane: "workspace",
    touches: "query",
    operation: "searchBranch",
    summary: "The records of a branch's tables with words of a query, the best first (section Q).",
    body: refer("BranchSearchRequest"),
    answers: { 200: refer("SearchResult") },
    find: findBranch,
    handle: (branch, { body }) => ({
      status: 200,
      body: searchBranch(branch, unchecked<BranchSearchRequest>(body)),
    }),
  }),
  defineRoute({
    method: "POST",
    path: `${TABLE}/vectorSearch`,
    plane: "workspace",
    touches: "query",
    operation: "vectorSearchTable",
    summary: "The records of a table whose vectors are most similar to one (section V).",
    body: refer("VectorSearchRequest"),
    answers: { 200: refer("SearchResult") },
    find: findTable,
    handle: (table, { body }) => ({
      status: 200,
      body: vectorSearch(table, unchecked<VectorSearchParts<string, Filter>>(body)),
    }),
  }),
];
