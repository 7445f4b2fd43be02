import { type AnyBranch, Branch } from "./engine/branch.js";
import { openRun } from "./engine/query-run.js";
import { Table } from "./engine/table.js";
import type { SearchedTable } from "./search/bind/bind-table.js";
import { runBranchSearch, runTableSearch } from "./search/run-search.js";
import { runVectorSearch } from "./search/vectors/vector-search.js";
import type {
  BranchSearchRequest,
  FoundRecord,
  SearchResult,
  TableSearchOf,
  VectorSearchOf,
} from "./typed/search.js";
import type { AnyShape, ProfileShape } from "./typed/shape.js";
import type { AnyTable, TypedTable } from "./typed/table.js";

export type {
  BoosterParts,
  BranchSearchRequest,
  DateBoosterParts,
  FoundRecord,
  Highlight,
  NumericBoosterParts,
  SearchedTableParts,
  SearchMetadata,
  SearchParts,
  SearchResult,
  SearchSettings,
  TableSearchOf,
  TableSearchRequest,
  TargetOf,
  ValueBoosterParts,
  VectorSearchOf,
  VectorSearchParts,
} from "./typed/search.js";

/**
 * Searches the texts of a table's records. Returns whole records, best first, with `table`, `score`
 * and `highlight` in their metadata (Q-1 … Q-8). Throws `invalid_request`, `invalid_page`,
 * `unknown_column`, `invalid_filter`.
 *
 * @example
 * searchTable(posts, { query: "quick fox", page: { size: 5 } }).records;
 */
export function searchTable<S extends AnyShape>(
  table: TypedTable<S>,
  request: TableSearchOf<S>,
): SearchResult<FoundRecord<S>> {
  // the records have the shape of the handle
  return search(table, (searched) => runTableSearch(searched, request)) as SearchResult<
    FoundRecord<S>
  >;
}

/**
 * Searches all or some tables of a branch, as {@link searchTable}; one ranking for all records.
 * Throws as {@link searchTable}, and `invalid_request` for an empty query.
 */
export function searchBranch<P extends ProfileShape>(
  branch: Branch<P> | AnyBranch,
  request: BranchSearchRequest,
): SearchResult {
  const any = branch as AnyBranch; // the profile is not needed
  const names = any.tables().map(({ name }) => name);
  const { context } = Branch.sourceOf(any);
  const { limits } = context;
  const searched = { names, open: (name: string) => open(any.table(name)), limits };
  return context.query(() => runBranchSearch(searched, request));
}

/**
 * Finds the records with the most similar vectors, exactly. Returns whole records with `table` and
 * `score` in their metadata (V-1, V-2). Throws `invalid_request`, `unknown_column`,
 * `invalid_filter`.
 */
export function vectorSearch<S extends AnyShape>(
  table: TypedTable<S>,
  request: VectorSearchOf<S>,
): SearchResult<FoundRecord<S>> {
  return search(table, (searched) => runVectorSearch(searched, request)) as SearchResult<
    FoundRecord<S>
  >; // as above
}

/** Runs an action on a table, as a query. */
function search<S extends AnyShape, T>(
  table: TypedTable<S>,
  act: (searched: SearchedTable) => T,
): T {
  const handle = table as unknown as AnyTable; // handles don't depend on the shape
  return Table.locate(handle).context.query(() => act(open(handle)));
}

function open(table: AnyTable): SearchedTable {
  const { context, address } = Table.locate(table);
  return {
    name: table.name,
    run: openRun(context, address),
    now: () => context.now(),
    pin: () => void context.share(),
    memory: context.memory,
  };
}
