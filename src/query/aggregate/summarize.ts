import type { Column } from "../../schema/columns.js";
import { COMPARABLE_TYPES, TRAITS } from "../../schema/traits.js";
import type { TableVersion } from "../../storage/table.js";
import { requireKnownKeys, requireObject } from "../../value/fields.js";
import { isPlainObject } from "../../value/json.js";
import { bindColumnList, requireType } from "../bind/column-list.js";
import { bindFilter } from "../bind/filter.js";
import { DEFAULT_PAGE_SIZE, parsePage, requireConsistency } from "../bind/parse.js";
import { type Scope, tableScope } from "../bind/scope.js";
import { bindColumns } from "../bind/selection.js";
import { bindSort } from "../bind/sort.js";
import type { ColumnRef } from "../bound/column-ref.js";
import { BY_ID, type Order } from "../bound/order.js";
import { WHOLE } from "../bound/point.js";
import type { QueryEnvironment } from "../environment.js";
import { fetchRows, gatherRows } from "../fetch/fetch.js";
import { availableIn } from "../plan/available.js";
import { planRun } from "../plan/demand.js";
import { allMatching, planRows } from "../plan/plan.js";
import type { Rows } from "../project/projection.js";
import { createProject } from "../project/records.js";
import { checkRows, type Source, sourceAfter, sourceOf } from "../source.js";
import { type ColumnCodes, encodeColumn, NO_CODE } from "./column-codes.js";
import { buildGroupTable, type GroupColumn } from "./group-table.js";
import { type Groups, groupByColumns } from "./groups.js";
import { bindSummaries, computeSummary, leafType } from "./summary.js";

const KEYS = [
  ...["columns", "filter", "summaries", "summariesFilter", "sort", "page"],
  "consistency",
] as const;

/** Groups matching records by columns, and summarizes each group (rule X-6). */
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
  const predicate = bindFilter(scope, given.filter, "/filter");
  const summaries = bindSummaries(scope, given.summaries, columns);
  const source = sourceOf(environment, table);
  const rows = gatherRows(source, planRun(source, allMatching(predicate), environment.indexes));
  const encoded = columns.map((column) => encodeColumn(source, column, rows));
  const groups = groupByColumns(encoded, rows.length);
  source.checkTime?.();
  const groupColumns = [
    ...columns.map((column, index) => keyColumn(source, column, encoded[index]!, groups)),
    ...Array.from(summaries, ([path, summary]) => ({
      ...{ path, target: undefined, isKey: false },
      ...computeSummary(source, summary, rows, groups),
    })),
  ];
  const groupTable = buildGroupTable(groupColumns, groups.count, checkRows(source));
  const groupScope = scopeOfGroups(scope, groupTable);
  const wanted = {
    predicate: bindFilter(groupScope, given.summariesFilter, "/summariesFilter"),
    order: bindOrder(groupScope, given.sort, columns),
    range: WHOLE,
    backward: false,
    limit: size,
  };
  const groupSource = sourceOf(environment, groupTable);
  const project = createGroupProject(environment, groupTable);
  return project(fetchRows(groupSource, planRows(wanted, availableIn(groupSource, "never"))));
}

function readSize(environment: QueryEnvironment, page: unknown): number {
  const given = page === undefined ? {} : page;
  requireObject(given, { path: "/page", rule: "G-1", code: "invalid_page" });
  requireKnownKeys(given, ["size"], { path: "/page" });
  return parsePage(given, environment.profile).size ?? DEFAULT_PAGE_SIZE;
}

/** The scope of a group: its columns, without id and metadata. */
function scopeOfGroups({ context }: Scope, groups: TableVersion): Scope {
  return { ...tableScope(context, groups), columns: groups.schema.columnsByName };
}

/** The requested order; ties are broken by the grouping columns. */
function bindOrder(scope: Scope, sort: unknown, columns: readonly ColumnRef[]): Order {
  const order = sort === undefined ? BY_ID : bindSort(scope, sort, "/sort");
  if (order.seed !== undefined) return order;
  const isLed = (path: string): boolean =>
    columns.some((other) => other.path.startsWith(`${path}.`));
  const natural = columns
    .filter(({ type }) => TRAITS[type].sortable)
    .map(({ path }) => (isLed(path) ? `${path}.id` : path));
  const { keys } = bindSort(scope, natural, "/columns");
  const given = order.keys.map((key) => ({ nullsLast: true, ...key }));
  return { keys: [...given, ...keys], seed: undefined };
}

function keyColumn(
  source: Source,
  column: ColumnRef,
  { codes, values }: ColumnCodes,
  groups: Groups,
): GroupColumn {
  return {
    path: column.path,
    type: leafType(column),
    target: targetOf(source, column),
    values: Array.from(groups.first, (place) => {
      const code = codes[place] ?? NO_CODE;
      return code === NO_CODE ? null : values[code]!;
    }),
    isKey: true,
  };
}

function targetOf(source: Source, { type, hops, slot }: ColumnRef): string | undefined {
  if (type !== "link") return undefined;
  const { leaves } = sourceAfter(source, hops).table.schema;
  return leaves.find((leaf) => leaf.slot === slot)?.target;
}

/** A metadata key that cannot collide with a column name. */
const NO_METADATA = "$metadata";

/** Projects groups: columns as in a record, then summaries. */
function createGroupProject(
  environment: QueryEnvironment,
  groups: TableVersion,
): (rows: Rows) => Record<string, unknown>[] {
  const profile = { ...environment.profile, metadataColumn: NO_METADATA };
  const { selection } = bindColumns(tableScope(environment, groups), undefined, "");
  const { findTable, checkTime } = environment;
  const source = { table: groups, findTable, checkTime };
  const project = createProject(source, selection, profile, () => () => []);
  return (rows) => project(rows).map((record) => withNulls(groups.schema.columns, record));
}

/** Adds null columns, at every level (rule X-6). */
function withNulls(
  columns: readonly Column[],
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => {
      const value = record[column.name] ?? null;
      if (column.type !== "object") return [column.name, value];
      return [column.name, withNulls(column.columns, isPlainObject(value) ? value : {})];
    }),
  );
}
