import { refuse } from "../errors.js";
import type { AnyRecord, PageMeta, PlanDescription, QueryRequest, QueryResult } from "../types.js";
import { bindQuery } from "./bind/bind-query.js";
import { bindFilter } from "./bind/filter.js";
import { tableScope } from "./bind/scope.js";
import { bindColumns, bindReverseSorts } from "./bind/selection.js";
import { type BoundQuery, linksTo, type RowQuery, type Selection } from "./bound/bound-query.js";
import { describePlan } from "./explain.js";
import { availableIn, planRun } from "./fetch/available.js";
import { countRows, fetchRows } from "./fetch/fetch.js";
import { RowOrder } from "./order/row-order.js";
import { pageRows, rowsOf } from "./page.js";
import { allMatching, planRows } from "./plan/plan.js";
import { createJsonWriter } from "./project/json-text.js";
import type { CompileSelection, ReverseRecords, Rows } from "./project/projection.js";
import { createProject } from "./project/records.js";
import { type QueryRun, type TableView, viewAt } from "./query-run.js";
import { SCAN_ROWS } from "./thresholds.js";

/** Answers a query: bind, plan, fetch, project, page. Throws the first fault (rule E-6). */
export function runQuery(run: QueryRun, request: unknown): QueryResult {
  const { records, page } = givePage(run, request, createProject);
  return { records, meta: { page } };
}

/** Returns the JSON text of {@link runQuery}'s result. */
export function runQueryAsJson(run: QueryRun, request: unknown): string {
  const { records, page } = givePage(run, request, createJsonWriter);
  let text = "";
  for (const record of records) text += text === "" ? record : `,${record}`;
  const { cursor, more, size } = page; // cursors need no JSON escapes
  return `{"records":[${text}],"meta":{"page":{"cursor":"${cursor}","more":${more},"size":${size}}}}`;
}

/** Describes the plan of a query; changes nothing. */
export function explainQuery(run: QueryRun, request: unknown): PlanDescription {
  const query = bindQuery(run, request);
  return describePlan(run, planRows(rowsOf(query), availableIn(run)));
}

export function countMatches(run: QueryRun, filter: unknown): number {
  if (filter === undefined) return run.table.size;
  return countRows(run, planRun(run, bindMatches(run, filter)));
}

/** Binds a filter to a query for all matches, in the order of ids. */
export function bindMatches(run: QueryRun, filter: unknown): RowQuery {
  return allMatching(bindFilter(tableScope(run), filter, ""));
}

/** Runs an action with a time limit (rule L-10). */
type Within = <T>(act: () => T) => T;

/** Yields every record of a query, in order, from one version of the table. */
export function scanRecords(
  run: QueryRun,
  request: unknown,
  within: Within,
): IterableIterator<AnyRecord> {
  const query = bindQuery(run, request);
  const { page } = (request ?? {}) as QueryRequest; // bound above
  if (Object.values(page ?? {}).some((value) => value !== undefined && value !== 0)) {
    refuse("invalid_page", "a scan has no pages", { path: "/page", rule: "G-2" });
  }
  return projectAll(run, query, within);
}

function* projectAll(run: QueryRun, query: BoundQuery, within: Within): Generator<AnyRecord> {
  const build = project(run, query.selection, createProject);
  const rows = within(() => findRows(run, { ...rowsOf(query), limit: run.table.size }));
  for (let from = 0; from < rows.length; from += SCAN_ROWS) {
    yield* within(() => build(rows.slice(from, from + SCAN_ROWS)));
  }
}

/** Projects rows that a write returns. */
export function bindProject(
  run: QueryRun,
  columns: unknown,
  at: string,
): (rows: Rows) => AnyRecord[] {
  const selection = bindReverseSorts(bindColumns(tableScope(run), columns, at));
  return project(run, selection, createProject);
}

/** Finds rows of a query, in the direction of paging. */
export function findRows(view: TableView, query: RowQuery, order?: RowOrder): number[] {
  return fetchRows(view, planRun(view, query), order);
}

function givePage<T>(
  run: QueryRun,
  request: unknown,
  compile: CompileSelection<T>,
): { records: T[]; page: PageMeta } {
  const query = bindQuery(run, request);
  const order = new RowOrder(run, query.order);
  const paging = pageRows<number>(query, (row) => order.keysOf(row));
  let step = paging.next();
  while (step.done !== true) {
    step = paging.next(findRows(run, step.value, order).slice(step.value.offset));
  }
  const { rows, page } = step.value;
  return { records: project(run, query.selection, compile)(rows), page };
}

export function project<T>(
  run: QueryRun,
  selection: Selection,
  compile: CompileSelection<T>,
): (rows: Rows) => T[] {
  return compile(run, run.table, selection, reverseOf(run, compile));
}

function reverseOf<T>(run: QueryRun, compile: CompileSelection<T>): ReverseRecords<T> {
  return ({ table, link, selection, order, limit, offset }) => {
    const view = viewAt(run, table);
    const make = compile(run, view.table, selection, reverseOf(run, compile));
    const rowOrder = new RowOrder(view, order);
    return (id) => {
      view.table.source?.find(link.slot, id);
      const linking = { ...allMatching(linksTo(link, [id])), order, limit: offset + limit };
      return make(findRows(view, linking, rowOrder).slice(offset));
    };
  };
}
