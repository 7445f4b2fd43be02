import { refuse } from "../../errors.js";
import { readFields } from "../../shape/fields.js";
import type { Json } from "../../types.js";
import { checkEvery } from "../../value/check-every.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import { firstOf } from "../../value/heap.js";
import { bindStoreFilter } from "../bind/filter.js";
import { tableScope } from "../bind/scope.js";
import type { Predicate } from "../bound/bound-query.js";
import { planRun } from "../fetch/available.js";
import { allMatching } from "../plan/plan.js";
import type { QueryRun, TableView } from "../query-run.js";
import {
  type Aggregation,
  type BoundAggregations,
  type Buckets,
  bindAggregations,
} from "./aggregations.js";
import type { PresentValue } from "./columns.js";
import type { Grouping } from "./groups.js";
import { comparePresent, Folding } from "./measures.js";

export interface BoundAggregate {
  readonly predicate: Predicate;
  readonly aggregations: BoundAggregations;
}

/** Binds a request; throws `invalid_request`, `unknown_column`, `invalid_filter`. */
export function bindAggregate(run: QueryRun, request: unknown): BoundAggregate {
  const standard = run.profile.storeAggregates ? { count: { count: "*" } } : {};
  const { filter, aggs = standard } = readFields(request, ["filter", "aggs"], { rule: "E-3" });
  const scope = tableScope(run);
  const predicate = bindStoreFilter(scope, filter, "/filter");
  const aggregations = bindAggregations(scope, aggs, "/aggs", 1);
  requireFew("aggregations", countAggregations(aggregations), MAX_AGGREGATIONS);
  return { predicate, aggregations };
}

/** Computes aggregates over matching records, in buckets if requested (rule X-6). */
export function runAggregate(view: QueryRun, request: unknown): Record<string, Json> {
  const { predicate, aggregations } = bindAggregate(view, request);
  const { storeAggregates } = view.profile;
  const folding = new Folding(view);
  const run = { folding, view, storeAggregates, buckets: 0 };
  const describeGroup = prepareAll(run, aggregations, folding.root);
  folding.run(planRun(view, allMatching(predicate)));
  return describeGroup(0);
}

interface Run {
  readonly folding: Folding;
  readonly view: TableView;
  readonly storeAggregates: boolean;
  buckets: number;
}

const MAX_AGGREGATIONS = 200;
const MAX_BUCKETS = 10_000;

/** Counts aggregations at all levels (rule L-8). */
function countAggregations(aggregations: BoundAggregations): number {
  let count = aggregations.size;
  for (const aggregation of aggregations.values()) {
    if (aggregation.kind === "buckets") count += countAggregations(aggregation.aggregations);
  }
  return count;
}

function requireFew(what: string, count: number, most: number): void {
  if (count <= most) return;
  refuse("invalid_request", `aggs: at most ${most} ${what}, found ${count}`, {
    path: "/aggs",
    rule: "L-8",
  });
}

/** Returns the aggregates of a group, after all rows were folded. */
function prepareAll(
  run: Run,
  aggregations: BoundAggregations,
  grouping: Grouping,
): (group: number) => Record<string, Json> {
  const columns = new Map<string, (group: number) => Json>();
  for (const [name, aggregation] of aggregations) {
    columns.set(name, prepare(run, aggregation, grouping));
  }
  return (group) => {
    const values: Record<string, Json> = {};
    for (const [name, describe] of columns) values[name] = describe(group);
    return values;
  };
}

function prepare(run: Run, aggregation: Aggregation, grouping: Grouping): (group: number) => Json {
  if (aggregation.kind === "buckets") return prepareBuckets(run, aggregation, grouping);
  const measured = run.folding.measure(aggregation, grouping);
  if (aggregation.kind !== "percentiles") return measured as (group: number) => Json; // numbers and null
  const { percentiles } = aggregation;
  const keys = percentiles.map((percentile) =>
    run.storeAggregates && Number.isInteger(percentile)
      ? percentile.toFixed(1)
      : String(percentile),
  );
  return (group) => {
    run.view.checkTime?.();
    const values = measured(group) as readonly Json[]; // one for each percentile
    return { values: Object.fromEntries(keys.map((key, i) => [key, values[i]!])) };
  };
}

interface Bucket {
  readonly key: PresentValue;
  readonly count: number;
  readonly group: number;
}

function prepareBuckets(run: Run, buckets: Buckets, outer: Grouping): (group: number) => Json {
  const { folding, view } = run;
  const { column, interval, aggregations } = buckets;
  const codes =
    interval === undefined ? folding.codesOf(column) : folding.intervalsOf(column, interval);
  const grouping = folding.split(outer, codes, false);
  const describeInner = prepareAll(run, aggregations, grouping);
  let byOuter: Map<number, Bucket[]> | undefined;
  return (group) => {
    byOuter ??= listBuckets(view, grouping);
    const arranged = arrange(byOuter.get(group) ?? [], buckets, checkEvery(view.checkTime));
    run.buckets += arranged.length;
    requireFew("buckets in an answer", run.buckets, MAX_BUCKETS);
    return {
      values: arranged.map(({ key, count, group: inner }) => {
        view.checkTime?.();
        return { $key: describeKey(key, run), $count: count, ...describeInner(inner) };
      }),
    };
  };
}

function listBuckets(view: TableView, grouping: Grouping): Map<number, Bucket[]> {
  const check = checkEvery(view.checkTime);
  const byOuter = new Map<number, Bucket[]>();
  for (const group of grouping.groups()) {
    check();
    const outer = grouping.outerOf(group);
    const bucket = { key: grouping.keyOf(group)!, count: grouping.countOf(group), group };
    const bucketsOfOuter = byOuter.get(outer);
    if (bucketsOfOuter === undefined) byOuter.set(outer, [bucket]);
    else bucketsOfOuter.push(bucket);
  }
  return byOuter;
}

/** Sorts buckets by key; those of `top` by count, and only the first ones. */
function arrange(buckets: Bucket[], { top }: Buckets, check: () => void): Bucket[] {
  const compare = (a: Bucket, b: Bucket): number => {
    check();
    return (top === undefined ? 0 : b.count - a.count) || comparePresent(a.key, b.key);
  };
  return top === undefined ? buckets.sort(compare) : firstOf(buckets, top, compare);
}

function describeKey(key: PresentValue, { storeAggregates }: Run): Json {
  if (typeof key !== "object") return key;
  const { ms, micros } = key as Instant; // lists and JSON cannot be bucketed
  return storeAggregates ? new Date(ms).toISOString() : formatInstant(ms, micros);
}
