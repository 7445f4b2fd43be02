import { refuse } from "../errors.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord, PageMeta, PlanDescription, QueryResult } from "../types.js";
import { bindFilter } from "./bind/bind-filter.js";
import type { QueryEnvironment } from "./bind/bind-parts.js";
import { type BoundQuery, bindQuery } from "./bind/bind-query.js";
import { bindSort } from "./bind/bind-sort.js";
import type { ParsedPage } from "./bind/request.js";
import { type QueryContext, refTo, tableScope } from "./bind/scope.js";
import { bindColumns } from "./bind/selection.js";
import { describeAccess, describeOrder, describePredicate } from "./bound/describe.js";
import { BY_ID } from "./bound/order.js";
import type { Predicate } from "./bound/predicate.js";
import { countRows, fetchRows, WHOLE } from "./fetch/fetch.js";
import { cursorOf } from "./page-cursor.js";
import { createPlan, type Plan } from "./plan/plan.js";
import type { Rows } from "./project/prefetch.js";
import { type CompileSelection, createProject, type ReverseRecords } from "./project/project.js";
import { createJsonWriter } from "./project/write-json.js";

/**
 * Answers a query: parse, bind, plan, fetch, project.
 *
 * @throws TwinbaseError as sections P, F, S and G say, the first fault of rule E-6's order
 */
export function runQuery(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): QueryResult {
  const query = bindQuery(environment, table, request);
  const { rows, page } = findPage(query);
  return { records: compileRows(query, createProject)(rows), meta: { page } };
}

/** As {@link runQuery}, the answer as the JSON text that `JSON.stringify` would give of it. */
export function runQueryAsJson(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): string {
  const query = bindQuery(environment, table, request);
  const { rows, page } = findPage(query);
  const write = compileRows(query, createJsonWriter);
  let records = "";
  for (const record of write(rows)) records += records === "" ? record : `,${record}`;
  return `{"records":[${records}],"meta":{"page":${JSON.stringify(page)}}}`;
}

/** The rows of a page in the order of the query, and what is said of the page. */
function findPage(query: BoundQuery): { rows: number[]; page: PageMeta } {
  const { table, range, backward, size } = query;
  const { offset } = query.page;
  const found = query.isTail ? [] : fetchRows(table, planQuery(query), range, backward);
  const rows = found.slice(offset, offset + size);
  if (backward) rows.reverse();
  return {
    rows,
    page: { cursor: cursorOf(query, rows), more: found.length > offset + size, size },
  };
}

/** Says how a query would be answered, and how many rows that looks at. */
export function explainQuery(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): PlanDescription {
  const query = bindQuery(environment, table, request);
  const plan = planQuery(query);
  const examined = plan.access.kind === "ids" ? plan.access.ids.length : table.size;
  return {
    access: describeAccess(plan.access),
    residual: describePredicate(plan.residual),
    order: describeOrder(plan.order),
    limit: plan.limit,
    estimate: { examined, rows: Math.min(plan.limit, examined) },
  };
}

/** How many records a filter matches; absent, all. */
export function countMatches(context: QueryContext, table: TableVersion, filter: unknown): number {
  if (filter === undefined) return table.size;
  const predicate = bindFilter(tableScope(context, table), filter, () => "");
  const { indexes } = context;
  return countRows(
    table,
    createPlan(table, {
      predicate,
      order: BY_ID,
      limit: 0,
      backward: false,
      isWalk: false,
      indexes,
    }),
  );
}

/** Every record of a query in its order, one after the other, from one version of the table. */
export function scanRecords(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): IterableIterator<AnyRecord> {
  const query = bindQuery(environment, table, request);
  const { page } = query;
  if (page.size !== undefined || page.offset !== 0 || hasCursor(page)) {
    refuse("invalid_page", "a scan has no pages", { path: "/page", rule: "G-2" });
  }
  return projectAll(query);
}

/** Rows of a scan whose records are made at once. */
const SCAN_ROWS = 256;

function* projectAll(query: BoundQuery): Generator<AnyRecord> {
  const project = compileRows(query, createProject);
  const plan = { ...planQuery(query), limit: query.table.size };
  const rows = fetchRows(query.table, plan, WHOLE, false);
  for (let from = 0; from < rows.length; from += SCAN_ROWS) {
    yield* project(rows.slice(from, from + SCAN_ROWS));
  }
}

/** Builds the records of rows as a selection says; for what writes give back. */
export function bindProject(
  environment: QueryEnvironment,
  table: TableVersion,
  columns: unknown,
  at: string,
): (rows: Rows) => AnyRecord[] {
  const selection = bindColumns(tableScope(environment, table), columns, at);
  return createProject(
    table,
    selection,
    environment.profile,
    reverseOf(environment, createProject),
  );
}

function planQuery(query: BoundQuery): Plan {
  const { predicate, order, backward, size, page, range } = query;
  return createPlan(query.table, {
    predicate,
    order,
    limit: page.offset + size + 1,
    backward,
    isWalk: range.after !== undefined || range.before !== undefined,
    indexes: query.environment.indexes,
  });
}

function compileRows<T>(query: BoundQuery, compile: CompileSelection<T>): (rows: Rows) => T[] {
  const { environment, table, selection } = query;
  return compile(table, selection, environment.profile, reverseOf(environment, compile));
}

/** The records of a reverse link for one record (rule P-11). */
function reverseOf<T>(
  environment: QueryEnvironment,
  compile: CompileSelection<T>,
): ReverseRecords<T> {
  return ({ table, link, selection, sort, limit, offset, at }) => {
    const scope = tableScope(environment, table);
    const order =
      sort === undefined ? BY_ID : bindSort(scope, sort, `${at}/sort`, environment.drawSeed);
    const column = refTo(link, [], link.path);
    const make = compile(table, selection, environment.profile, reverseOf(environment, compile));
    return (id) => {
      const predicate: Predicate = {
        kind: "leaf",
        column,
        test: { kind: "equals", value: id },
        negated: false,
        nullMatches: false,
      };
      const { indexes } = environment;
      const wanted = { limit: offset + limit, backward: false, isWalk: false, indexes };
      const plan = createPlan(table, { predicate, order, ...wanted });
      return make(fetchRows(table, plan, WHOLE, false).slice(offset));
    };
  };
}

function hasCursor({ after, before, start, end }: ParsedPage): boolean {
  return [after, before, start, end].some((cursor) => cursor !== undefined);
}
