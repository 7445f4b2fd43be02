import { COMPARABLE_TYPES, TRAITS } from "../../schema/traits.js";
import type { TableVersion } from "../../storage/table.js";
import { requireKnownKeys, requireObject } from "../../value/fields.js";
import { bindFilter } from "../bind/bind-filter.js";
import type { QueryEnvironment } from "../bind/bind-parts.js";
import { bindSort } from "../bind/bind-sort.js";
import { bindColumnList, requireType } from "../bind/column-list.js";
import { DEFAULT_PAGE_SIZE, parsePage, requireConsistency } from "../bind/request.js";
import { type ColumnRef, type Scope, tableScope } from "../bind/scope.js";
import { bindColumns } from "../bind/selection.js";
import { BY_ID, type Order } from "../bound/order.js";
import { type Predicate, TRUE } from "../bound/predicate.js";
import { fetchRows } from "../fetch/fetch.js";
import { createPlan } from "../plan/plan.js";
import type { Rows } from "../project/prefetch.js";
import { createProject } from "../project/project.js";
import { type ColumnCodes, encodeColumn, gatherRows, NO_CODE, sourceOf } from "./column-codes.js";
import { buildGroupTable, type GroupColumn } from "./group-table.js";
import { type Groups, groupByColumns } from "./groups.js";
import { bindSummaries, computeFigure, leafType, type Summary } from "./summary.js";

const KEYS = [
  "columns",
  "filter",
  "summaries",
  "summariesFilter",
  "sort",
  "page",
  "consistency",
] as const;

/**
 * Puts the records that match into groups by some columns and gives a summary of each (rule X-6).
 * Without columns all are one group. Groups are sorted by their columns unless told otherwise.
 *
 * @throws TwinbaseError `invalid_request`, `invalid_page`, `unknown_column`, `invalid_filter`,
 * `invalid_sort`
 */
export function runSummarize(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): Record<string, unknown>[] {
  const given = request === undefined ? {} : request;
  requireObject(given, { rule: "E-3" });
  requireKnownKeys(given, KEYS);
  requireConsistency(given.consistency);
  const size = readSize(environment, given.page);
  const scope = tableScope(environment, table);
  const columns = bindColumnList(scope, given.columns, "/columns");
  for (const column of columns) requireType(column, COMPARABLE_TYPES, "/columns");
  const predicate = bindOptional(scope, given.filter, "/filter");
  const summaries = bindSummaries(scope, given.summaries, columns);
  const rows = gatherRows(table, predicate);
  const encoded = columns.map((column) => encodeColumn(table, column, rows));
  const groups = groupByColumns(encoded, rows.length);
  const groupColumns = [
    ...columns.map((column, index) => keyColumn(table, column, encoded[index]!, groups)),
    ...Array.from(summaries, ([name, summary]) => figureColumn(table, name, summary, rows, groups)),
  ];
  const groupTable = buildGroupTable(groupColumns, groups.count);
  const groupScope = scopeOfGroups(scope, groupTable);
  const wanted = {
    predicate: bindOptional(groupScope, given.summariesFilter, "/summariesFilter"),
    order: bindOrder(groupScope, given.sort, columns, environment),
    limit: size,
    backward: false,
    isWalk: false,
    indexes: "never" as const,
  };
  const whole = { after: undefined, before: undefined };
  const project = createGroupProject(environment, groupTable, columns, summaries);
  return project(fetchRows(groupTable, createPlan(groupTable, wanted), whole, false));
}

function readSize(environment: QueryEnvironment, page: unknown): number {
  const given = page === undefined ? {} : page;
  requireObject(given, { path: "/page", rule: "G-1", code: "invalid_page" });
  requireKnownKeys(given, ["size"], { path: "/page" });
  return parsePage(given, environment.profile).size ?? DEFAULT_PAGE_SIZE;
}

function bindOptional(scope: Scope, filter: unknown, at: string): Predicate {
  return filter === undefined ? TRUE : bindFilter(scope, filter, () => at);
}

/** The names of groups: their columns, and no id or metadata. */
function scopeOfGroups({ context }: Scope, groups: TableVersion): Scope {
  return { ...tableScope(context, groups), columns: groups.schema.columnsByName };
}

/** The order asked for, then that of the columns the groups are made by. */
function bindOrder(
  scope: Scope,
  sort: unknown,
  columns: readonly ColumnRef[],
  environment: QueryEnvironment,
): Order {
  const order = sort === undefined ? BY_ID : bindSort(scope, sort, "/sort", environment.drawSeed);
  if (order.seed !== undefined) return order;
  const isLed = (path: string): boolean =>
    columns.some((other) => other.path.startsWith(`${path}.`));
  const natural = columns
    .filter(({ type }) => TRAITS[type].sortable)
    .map(({ path }) => (isLed(path) ? `${path}.id` : path));
  const { keys } = bindSort(scope, natural, "/columns", environment.drawSeed);
  return { keys: [...order.keys, ...keys], seed: undefined };
}

function keyColumn(
  table: TableVersion,
  column: ColumnRef,
  { codes, values }: ColumnCodes,
  groups: Groups,
): GroupColumn {
  return {
    path: column.path,
    type: leafType(column),
    target: targetOf(table, column),
    values: Array.from(groups.first, (place) => {
      const code = codes[place] ?? NO_CODE;
      return code === NO_CODE ? null : values[code]!;
    }),
    isKey: true,
  };
}

function figureColumn(
  table: TableVersion,
  path: string,
  summary: Summary,
  rows: Int32Array,
  groups: Groups,
): GroupColumn {
  const { type, values } = computeFigure(table, summary, rows, groups);
  return { path, type, target: undefined, values, isKey: false };
}

function targetOf(table: TableVersion, column: ColumnRef): string | undefined {
  if (column.type !== "link") return undefined;
  return sourceOf(table, column).schema.leaves.find(({ slot }) => slot === column.slot)?.target;
}

/** A name for the metadata that rows of groups do not have: no column can be called so. */
const NO_METADATA = "$metadata";

/** Builds what is given of a group: its columns as in a record, then every figure, also null. */
function createGroupProject(
  environment: QueryEnvironment,
  groups: TableVersion,
  columns: readonly ColumnRef[],
  summaries: ReadonlyMap<string, Summary>,
): (rows: Rows) => Record<string, unknown>[] {
  const profile = { ...environment.profile, metadataColumn: NO_METADATA };
  const selection = bindColumns(tableScope(environment, groups), undefined, "");
  const project = createProject(groups, selection, profile, () => () => []);
  const hasId = columns.some(({ path }) => path === "id");
  return (rows) =>
    project(rows).map(({ [NO_METADATA]: _, id, ...rest }) => {
      const figures = Array.from(summaries.keys(), (name) => [name, rest[name] ?? null]);
      return { ...(hasId && { id }), ...rest, ...Object.fromEntries(figures) };
    });
}
