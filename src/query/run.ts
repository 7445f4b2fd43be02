import { refuse } from "../errors.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord, PageMeta, PlanDescription, QueryRequest, QueryResult } from "../types.js";
import { bindFilter } from "./bind/filter.js";
import { bindQuery } from "./bind/query.js";
import { tableScope } from "./bind/scope.js";
import { bindColumns, bindReverseSorts } from "./bind/selection.js";
import { refTo } from "./bound/column-ref.js";
import { WHOLE } from "./bound/point.js";
import type { BoundQuery, RowQuery } from "./bound/query.js";
import type { Selection } from "./bound/selection.js";
import type { QueryEnvironment } from "./environment.js";
import { describePlan } from "./explain.js";
import { countRows, fetchRows } from "./fetch/fetch.js";
import { RowOrder } from "./order/row-order.js";
import { pageRows, rowsOf } from "./page.js";
import { availableIn } from "./plan/available.js";
import { planRun } from "./plan/demand.js";
import { allMatching, planRows } from "./plan/plan.js";
import { createJsonWriter } from "./project/json-text.js";
import type { CompileSelection, ReverseRecords, Rows } from "./project/projection.js";
import { createProject } from "./project/records.js";
import { linkedSource, type Source } from "./source.js";
import { SCAN_ROWS } from "./thresholds.js";

interface Running extends Source {
  readonly environment: QueryEnvironment;
}

/** Answers a query: bind, plan, fetch, project, page. Throws the first fault (rule E-6). */
export function runQuery(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): QueryResult {
  const { records, page } = givePage(start(environment, table), request, createProject);
  return { records, meta: { page } };
}

/** Returns the JSON text of {@link runQuery}'s result. */
export function runQueryAsJson(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): string {
  const { records, page } = givePage(start(environment, table), request, createJsonWriter);
  let written = "";
  for (const record of records) written += written === "" ? record : `,${record}`;
  const { cursor, more, size } = page; // cursors need no JSON escapes
  return `{"records":[${written}],"meta":{"page":{"cursor":"${cursor}","more":${more},"size":${size}}}}`;
}

/** Describes the plan of a query; changes nothing. */
export function explainQuery(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): PlanDescription {
  const query = bindQuery(environment, table, request);
  const running = start(environment, table);
  return describePlan(running, planRows(rowsOf(query), availableIn(running, environment.indexes)));
}

export function countMatches(
  environment: QueryEnvironment,
  table: TableVersion,
  filter: unknown,
): number {
  if (filter === undefined) return table.size;
  const predicate = bindFilter(tableScope(environment, table), filter, "");
  const running = start(environment, table);
  return countRows(running, planRun(running, allMatching(predicate), environment.indexes));
}

/** Runs an action with a time limit (rule L-10). */
type Within = <T>(act: () => T) => T;

/** Yields every record of a query, in order, from one version of the table. */
export function scanRecords(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
  within: Within,
): IterableIterator<AnyRecord> {
  const query = bindQuery(environment, table, request);
  const { page } = (request ?? {}) as QueryRequest; // bound above
  if (Object.values(page ?? {}).some((value) => value !== undefined && value !== 0)) {
    refuse("invalid_page", "a scan has no pages", { path: "/page", rule: "G-2" });
  }
  return projectAll(start(environment, table), query, within);
}

function* projectAll(running: Running, query: BoundQuery, within: Within): Generator<AnyRecord> {
  const build = project(running, query.selection, createProject);
  const rows = within(() => findRows(running, { ...rowsOf(query), limit: running.table.size }));
  for (let from = 0; from < rows.length; from += SCAN_ROWS) {
    yield* within(() => build(rows.slice(from, from + SCAN_ROWS)));
  }
}

/** Projects rows that a write returns. */
export function bindProject(
  environment: QueryEnvironment,
  table: TableVersion,
  columns: unknown,
  at: string,
): (rows: Rows) => AnyRecord[] {
  const scope = tableScope(environment, table);
  const selection = bindReverseSorts(scope, bindColumns(scope, columns, at));
  return project(start(environment, table), selection, createProject);
}

function start(environment: QueryEnvironment, table: TableVersion): Running {
  const { findTable, checkTime, showFiles } = environment;
  return { environment, table, findTable, checkTime, showFiles };
}

/** Finds rows of a query, in the direction of paging. */
function findRows(running: Running, query: RowQuery, order?: RowOrder): number[] {
  return fetchRows(running, planRun(running, query, running.environment.indexes), order);
}

function givePage<T>(
  running: Running,
  request: unknown,
  compile: CompileSelection<T>,
): { records: T[]; page: PageMeta } {
  const query = bindQuery(running.environment, running.table, request);
  const order = new RowOrder(running, query.order);
  const paging = pageRows<number>(query, (row) => order.keysOf(row));
  let step = paging.next();
  while (step.done !== true) {
    step = paging.next(findRows(running, step.value, order).slice(step.value.offset));
  }
  const { rows, page } = step.value;
  return { records: project(running, query.selection, compile)(rows), page };
}

function project<T>(
  running: Running,
  selection: Selection,
  compile: CompileSelection<T>,
): (rows: Rows) => T[] {
  const { profile } = running.environment;
  return compile(running, selection, profile, reverseOf(running, compile));
}

function reverseOf<T>(from: Running, compile: CompileSelection<T>): ReverseRecords<T> {
  return ({ table, link, selection, order, limit, offset }) => {
    const running = linkedSource(from, { target: table });
    const make = project(running, selection, compile);
    const column = refTo(link, [], link.path);
    const rowOrder = new RowOrder(running, order);
    return (id) => {
      running.table.source?.linkedTo(link, id);
      const test = { kind: "equals", value: id } as const;
      const predicate = { kind: "leaf", column, test, negated: false, nullMatches: false } as const;
      const whole = { predicate, order, range: WHOLE, backward: false, limit: offset + limit };
      return make(findRows(running, whole, rowOrder).slice(offset));
    };
  };
}
