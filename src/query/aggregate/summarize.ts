import type { Profile } from "../../profile.js";
import {
  type Column,
  FIRST_COLUMN_SLOT,
  ID_SLOT,
  type LeafColumn,
  type LeafType,
  leavesOf,
  type StoredValue,
} from "../../schema/columns.js";
import { COMPARABLE_TYPES, TRAITS } from "../../schema/traits.js";
import { readFields } from "../../shape/fields.js";
import type { Json } from "../../types.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import { canonicalJson, cloneJson } from "../../value/json.js";
import { DEFAULT_PAGE_SIZE, parsePage, readConsistency } from "../bind/bind-query.js";
import { bindColumnList, requireType } from "../bind/column-list.js";
import { bindFilter } from "../bind/filter.js";
import { type Scope, tableScope } from "../bind/scope.js";
import { bindSort } from "../bind/sort.js";
import {
  type ColumnRef,
  type Order,
  plainRef,
  type Ref,
  type SortKey,
} from "../bound/bound-query.js";
import { planRun } from "../fetch/available.js";
import { fetchRows } from "../fetch/fetch.js";
import { allMatching } from "../plan/plan.js";
import { openPath, type QueryRun, type TableView } from "../query-run.js";
import { createGroupTable, fillGroupTable, type GroupColumn } from "./group-table.js";
import { Folding } from "./measures.js";
import { bindSummaries, leafType, typeOfSummary } from "./summary.js";

const KEYS = [
  "columns",
  "filter",
  "summaries",
  "summariesFilter",
  "sort",
  "page",
  "consistency",
] as const;

/** Groups matching records by columns, and summarizes each group (rule X-6). */
export function runSummarize(run: QueryRun, request: unknown): Record<string, unknown>[] {
  const fields = readFields(request, KEYS, { rule: "E-3" });
  readConsistency(fields.consistency);
  const { size = DEFAULT_PAGE_SIZE } = parsePage(fields.page, ["size"], run.profile);
  const scope = tableScope(run);
  const keys = bindColumnList(scope, fields.columns, "/columns");
  for (const key of keys) requireType(key, COMPARABLE_TYPES, "/columns");
  const predicate = bindFilter(scope, fields.filter, "/filter");
  const summaries = bindSummaries(scope, fields.summaries, keys);
  const folding = new Folding(run);
  const columns: GroupColumn[] = [];
  const addColumn = (column: Omit<GroupColumn, "slot">): void => {
    columns.push({ slot: FIRST_COLUMN_SLOT + columns.length, ...column });
  };
  let last = folding.root;
  for (const key of keys) {
    const grouping = folding.split(last, folding.codesOf(key), true);
    const valueAt = (group: number): StoredValue => {
      let code = group;
      for (let at = last; at !== grouping; at = at.outer!) code = at.outerOf(code); // `grouping` is around it
      return grouping.keyOf(code);
    };
    addColumn({ path: key.path, type: leafType(key), target: targetOf(run, key), valueAt });
    last = grouping;
  }
  const keyColumns = columns.slice();
  for (const [path, summary] of summaries) {
    const valueAt = folding.measure(summary, last) as GroupColumn["valueAt"]; // no percentiles
    addColumn({ path, type: typeOfSummary(summary), target: undefined, valueAt });
  }
  const empty = createGroupTable(columns, run.profile.idColumn);
  const resolved: Ref[] = [];
  const groupScope = {
    ...tableScope(run, empty, undefined, resolved),
    columns: empty.schema.columnsByName, // without id and metadata
  };
  const residual = bindFilter(groupScope, fields.summariesFilter, "/summariesFilter");
  const order = bindOrder(groupScope, fields.sort, keyColumns);
  for (const { column } of order.keys) resolved.push(column);
  folding.run(planRun(run, allMatching(predicate)));
  const valueAt = (slot: number) => columns[slot - FIRST_COLUMN_SLOT]!.valueAt;
  const readers = new Map<number, GroupColumn["valueAt"]>();
  for (const ref of resolved) for (const slot of slotsOf(ref)) readers.set(slot, valueAt(slot));
  const isDecided = keys.every(({ type }) => TRAITS[type].sortable);
  if (!isDecided || order.seed !== undefined) {
    // Ids by the keys: no order depends on that of the records. An Instant is valid JSON.
    readers.set(ID_SLOT, (group) =>
      canonicalJson(keyColumns.map((column) => column.valueAt(group) as Json)),
    );
  }
  const groups = last.groups();
  const table = fillGroupTable(empty, readers, groups, run.checkTime);
  const query = { ...allMatching(residual), order, limit: size };
  const { findTable, checkTime, derived } = run;
  const groupView = { table, findTable, indexes: "never", checkTime, derived } as const;
  const rows = fetchRows(groupView, { query, access: { kind: "scan" }, residual });
  return rows.map((row) =>
    showGroup(empty.schema.columns, ({ slot, type }) =>
      showValue(type, valueAt(slot)(groups[row]!), run.profile),
    ),
  );
}

/** The slots of a table whose values a condition or a sort key reads. */
function slotsOf(ref: Ref): number[] {
  const [hop] = ref.hops;
  if (hop !== undefined) return [hop.slot];
  return ref.type === "object" ? ref.columns.flatMap(leavesOf).map(({ slot }) => slot) : [ref.slot];
}

/** The requested order; ties are broken by the grouping columns. */
function bindOrder(scope: Scope, sort: unknown, columns: readonly GroupColumn[]): Order {
  const { keys, seed } = bindSort(scope, sort, "/sort");
  if (seed !== undefined) return { keys, seed };
  const all = keys.map((key): SortKey => ({ nullsLast: true, ...key }));
  for (const { path, slot, type } of columns) {
    if (TRAITS[type].sortable) all.push({ column: plainRef(type, path, slot), descending: false });
  }
  return { keys: all, seed };
}

function targetOf(view: TableView, { type, hops, slot }: ColumnRef): string | undefined {
  if (type !== "link") return undefined;
  const { leaves } = (openPath(view, hops)?.end ?? view).table.schema;
  return leaves.find((leaf) => leaf.slot === slot)?.target;
}

/** Shows a group as a record, with null columns at every level (rule X-6). */
function showGroup(
  columns: readonly Column[],
  show: (column: LeafColumn) => unknown,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const column of columns) {
    record[column.name] = column.type === "object" ? showGroup(column.columns, show) : show(column);
  }
  return record;
}

function showValue(type: LeafType, value: StoredValue, profile: Profile): unknown {
  if (value === null) return null;
  switch (TRAITS[type].stored) {
    case "instant": {
      const { ms, micros } = value as Instant; // by its type, as below
      return formatInstant(ms, micros);
    }
    case "code":
      return { [profile.idColumn]: value };
    case "value":
      return profile.jsonAsText ? JSON.stringify(value) : cloneJson(value as Json);
    case "list":
      return cloneJson(value as Json);
    default:
      return value;
  }
}
