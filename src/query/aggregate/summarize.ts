import type { Column, StoredValue } from "../../schema/columns.js";
import { COMPARABLE_TYPES, TRAITS } from "../../schema/traits.js";
import type { TableVersion } from "../../storage/table.js";
import { readFields } from "../../value/fields.js";
import { firstOf } from "../../value/heap.js";
import { isPlainObject } from "../../value/json.js";
import { bindColumnList, requireType } from "../bind/column-list.js";
import { bindFilter } from "../bind/filter.js";
import { DEFAULT_PAGE_SIZE, parsePage, requireConsistency } from "../bind/query.js";
import { type Scope, tableScope } from "../bind/scope.js";
import { bindColumns } from "../bind/selection.js";
import { bindSort } from "../bind/sort.js";
import type { ColumnRef } from "../bound/column-ref.js";
import { TRUE } from "../bound/condition.js";
import { BY_ID, type Order, WHOLE } from "../bound/order.js";
import type { RowQuery } from "../bound/query.js";
import { fetchRows } from "../fetch/fetch.js";
import { planRun } from "../plan/demand.js";
import { allMatching, availableIn, planRows } from "../plan/plan.js";
import type { Rows } from "../project/projection.js";
import { createProject } from "../project/records.js";
import type { QueryRun } from "../query-run.js";
import { checkRows, type Source, sourceAfter } from "../source.js";
import { createGroupTable, fillGroupTable, type GroupColumn, slotOf } from "./group-table.js";
import type { Grouping } from "./groups.js";
import { comparePresent, Folding } from "./measures.js";
import { bindSummaries, leafType, typeOfSummary } from "./summary.js";

const KEYS = [
  ...(["columns", "filter", "summaries", "summariesFilter"] as const),
  ...(["sort", "page", "consistency"] as const),
];

/** Groups matching records by columns, and summarizes each group (rule X-6). */
export function runSummarize(source: QueryRun, request: unknown): Record<string, unknown>[] {
  const given = readFields(request, KEYS, { rule: "E-3" });
  requireConsistency(given.consistency);
  const { size = DEFAULT_PAGE_SIZE } = parsePage(given.page, ["size"], source.profile);
  const scope = tableScope(source, source.table);
  const columns = bindColumnList(scope, given.columns, "/columns");
  for (const column of columns) requireType(column, COMPARABLE_TYPES, "/columns");
  const predicate = bindFilter(scope, given.filter, "/filter");
  const summaries = bindSummaries(scope, given.summaries, columns);
  const folding = new Folding(source);
  let grouping = folding.root;
  const groupings = columns.map((column) => {
    grouping = folding.split(grouping, folding.codesOf(column), true);
    return grouping;
  });
  const groupColumns: GroupColumn[] = [
    ...columns.map((column, index) => ({
      path: column.path,
      type: leafType(column),
      target: targetOf(source, column),
      isKey: true,
      valueAt: keyReader(groupings, index),
    })),
    ...Array.from(summaries, ([path, summary]) => ({
      ...{ path, type: typeOfSummary(summary), target: undefined, isKey: false },
      valueAt: folding.measure(summary, grouping) as (group: number) => StoredValue, // no percentiles
    })),
  ];
  const empty = createGroupTable(groupColumns);
  const groupScope = scopeOfGroups(scope, empty);
  const wanted: RowQuery = {
    predicate: bindFilter(groupScope, given.summariesFilter, "/summariesFilter"),
    order: bindOrder(groupScope, given.sort, columns),
    range: WHOLE,
    backward: false,
    limit: size,
  };
  folding.run(planRun(source, allMatching(predicate), source.indexes));
  source.checkTime?.();
  const groups = leadingGroups(wanted, grouping.groups(), groupColumns, checkRows(source));
  const groupTable = fillGroupTable(empty, groupColumns, groups, source.checkTime);
  const groupSource = { ...source, table: groupTable };
  const project = createGroupProject(groupSource);
  return project(fetchRows(groupSource, planRows(wanted, availableIn(groupSource, "never"))));
}

/** Reads the key of a column from groups of the last one. */
function keyReader(groupings: readonly Grouping[], index: number): (group: number) => StoredValue {
  const later = groupings.slice(index + 1).reverse();
  return (group) => {
    const own = later.reduce((of, grouping) => grouping.outerOf(of), group);
    return groupings[index]!.keyOf(own);
  };
}

/** Leaves out groups behind the page, unless only the query can tell which ones. */
function leadingGroups(
  { predicate, order, limit }: RowQuery,
  groups: ReturnType<Grouping["groups"]>,
  columns: readonly GroupColumn[],
  check: () => void,
): ReturnType<Grouping["groups"]> {
  const keys = order.keys.flatMap(({ column: { slot, hops, keys }, descending }) => {
    const column = columns.find((_, index) => slotOf(index) === slot);
    if (column === undefined || hops.length > 0 || keys !== undefined) return [];
    return [{ valueAt: column.valueAt, sign: descending ? -1 : 1 }];
  });
  const isOrdered = keys.length === order.keys.length && order.seed === undefined;
  const hasTies = columns.some(({ isKey, type }) => isKey && !TRAITS[type].sortable);
  if (groups.length <= limit || predicate !== TRUE || !isOrdered || hasTies) return groups;
  return firstOf(groups, limit, (group, other) => {
    check();
    for (const { valueAt, sign } of keys) {
      const a = valueAt(group);
      const b = valueAt(other);
      const isSame = a === b || a === null || b === null;
      // Null is last in both directions.
      const order = isSame ? Number(a === null) - Number(b === null) : sign * comparePresent(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
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

function targetOf(source: Source, { type, hops, slot }: ColumnRef): string | undefined {
  if (type !== "link") return undefined;
  const { leaves } = sourceAfter(source, hops).table.schema;
  return leaves.find((leaf) => leaf.slot === slot)?.target;
}

/** A metadata key that cannot collide with a column name. */
const NO_METADATA = "$metadata";

/** Projects groups: columns as in a record, then summaries. */
function createGroupProject(source: QueryRun): (rows: Rows) => Record<string, unknown>[] {
  const { table, profile: given } = source;
  const { selection } = bindColumns(tableScope(source, table), undefined, "");
  const profile = { ...given, metadataColumn: NO_METADATA };
  const project = createProject({ ...source, profile }, selection, () => () => []);
  return (rows) => project(rows).map((record) => withNulls(table.schema.columns, record));
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
