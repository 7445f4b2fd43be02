import { BRANCH_SEARCH, TABLE_SEARCH } from "../../search/request/request.js";
import { VECTOR_SEARCH } from "../../search/vectors/vector-request.js";
import { searchBranch, searchTable, vectorSearch } from "../../search.js";
import * as s from "../../shape/schema.js";
import type {
  BranchSearchRequest,
  TableSearchRequest,
  VectorSearchParts,
} from "../../typed/search.js";
import type { Filter } from "../../types.js";
import { branchHandle, tableHandle } from "../address.js";
import { defineRoute, type Routes } from "../route.js";
import { METADATA, recordMembers } from "../schemas/records.js";

const BRANCH = "/db/{db_branch_name}";
const TABLE = `${BRANCH}/tables/{table_name}` as const;

const HIGHLIGHT: s.Schema = s.named("Highlight", {
  ...s.dictionaryOf({ anyOf: [s.arrayOf(s.TEXT), s.byProfile(() => HIGHLIGHT)] }),
  description: "Highlighted passages by column.",
});

const FOUND = { table: s.TEXT, score: s.NUMBER };
const FOUND_METADATA = s.named(
  "FoundMetadata",
  s.objectOf({ ...METADATA, ...FOUND }, { highlight: HIGHLIGHT }),
);

const SEARCH_RESULT: s.Schema = s.named(
  "SearchResult",
  s.objectOf({
    records: s.arrayOf(
      s.named(
        "FoundRecord",
        s.byProfile((profile) =>
          s.openObject(recordMembers(profile, { ...METADATA, ...FOUND }, FOUND_METADATA)),
        ),
      ),
    ),
    totalCount: s.wholeOf(0),
  }),
);

/** Describes a request as it is given: the engine reads it by the same schema. */
function asGiven<T>(schema: s.JsonSchema): s.Schema<T> {
  return s.described<T>(schema);
}

/**
 * Searches by words and by vectors. Loaded with all other routes: on a server, ten kilobytes matter
 * less than the delay of a dynamic import.
 */
export const SEARCH_ROUTES: Routes<"searchTable" | "searchBranch" | "vectorSearchTable"> = {
  searchTable: defineRoute({
    at: `POST ${TABLE}/search`,
    summary: "Searches a table for words (section Q).",
    usesRecords: true,
    reads: true,
    body: asGiven<TableSearchRequest>(TABLE_SEARCH),
    answers: { 200: SEARCH_RESULT },
    find: tableHandle,
    act: (table, { body }) => searchTable(table, body),
  }),
  searchBranch: defineRoute({
    at: `POST ${BRANCH}/search`,
    summary: "Searches the tables of a branch for words (section Q).",
    usesRecords: true,
    reads: true,
    body: asGiven<BranchSearchRequest>(BRANCH_SEARCH),
    answers: { 200: SEARCH_RESULT },
    find: branchHandle,
    act: (branch, { body }) => searchBranch(branch, body),
  }),
  vectorSearchTable: defineRoute({
    at: `POST ${TABLE}/vectorSearch`,
    summary: "Searches a table by vector similarity (section V).",
    usesRecords: true,
    reads: true,
    body: asGiven<VectorSearchParts<string, Filter>>(VECTOR_SEARCH),
    answers: { 200: SEARCH_RESULT },
    find: tableHandle,
    act: (table, { body }) => vectorSearch(table, body),
  }),
};
