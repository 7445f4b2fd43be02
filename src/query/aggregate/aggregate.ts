import { refuse } from "../../errors.js";
import type { TableVersion } from "../../storage/table.js";
import type { Json } from "../../types.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import { requireKnownKeys, requireObject } from "../../value/fields.js";
import { bindFilter } from "../bind/filter.js";
import { type BindContext, tableScope } from "../bind/scope.js";
import type { TableShape } from "../bound/column-ref.js";
import { type Predicate, TRUE } from "../bound/condition.js";
import type { QueryEnvironment } from "../environment.js";
import { gatherRows } from "../fetch/fetch.js";
import { compileFilter } from "../filter/row-filter.js";
import { planRun } from "../plan/demand.js";
import { allMatching } from "../plan/plan.js";
import { checkRows, type Source, sourceOf } from "../source.js";
import {
  type Aggregation,
  type BoundAggregations,
  type Buckets,
  bindAggregations,
} from "./aggregations.js";
import {
  type ColumnCodes,
  encodeColumn,
  gatherNumbers,
  NO_CODE,
  type PresentValue,
} from "./column-codes.js";
import { oneGroup, splitGroups } from "./groups.js";
import {
  averageNumbers,
  comparePresent,
  countDistinct,
  countRowsOf,
  extremeNumbers,
  type Grouping,
  percentilesOf,
  sumNumbers,
} from "./measures.js";

const KEYS = ["filter", "aggs"] as const;

export interface BoundAggregate {
  readonly predicate: Predicate;
  readonly aggregations: BoundAggregations;
}

/** Binds a request; throws `invalid_request`, `unknown_column`, `invalid_filter`. */
export function bindAggregate(
  environment: BindContext,
  table: TableShape,
  request: unknown,
): BoundAggregate {
  const given = request === undefined ? {} : request;
  requireObject(given, { rule: "E-3" });
  requireKnownKeys(given, KEYS);
  const scope = tableScope(environment, table);
  const predicate = bindFilter(scope, given.filter, "/filter");
  const isXata = environment.profile.base === "xata";
  const aggs = given.aggs === undefined && isXata ? { count: { count: "*" } } : given.aggs;
  const aggregations = bindAggregations(scope, aggs, "/aggs", 1);
  requireFew("aggregations", countAggregations(aggregations), MAX_AGGREGATIONS);
  return { predicate, aggregations };
}

/** Computes aggregates over matching records, in buckets if requested (rule X-6). */
export function runAggregate(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): Record<string, Json> {
  const { predicate, aggregations } = bindAggregate(environment, table, request);
  const source = sourceOf(environment, table);
  const rows = gatherRows(source, planRun(source, allMatching(predicate), environment.indexes));
  const isXata = environment.profile.base === "xata";
  const run = { source, isXata, buckets: 0 };
  return computeAll(run, aggregations, rows, oneGroup(rows.length))[0]!; // of the one group
}

interface Run {
  readonly source: Source;
  readonly isXata: boolean;
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

function computeAll(
  run: Run,
  aggregations: BoundAggregations,
  rows: Int32Array,
  grouping: Grouping,
): Record<string, Json>[] {
  const columns = Array.from(
    aggregations,
    ([name, aggregation]) => [name, compute(run, aggregation, rows, grouping)] as const,
  );
  return Array.from({ length: grouping.count }, (_, group) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[group]!])),
  );
}

function compute(run: Run, aggregation: Aggregation, rows: Int32Array, grouping: Grouping): Json[] {
  const { source } = run;
  source.checkTime?.();
  switch (aggregation.kind) {
    case "count": {
      const { predicate } = aggregation;
      if (predicate === TRUE) return countRowsOf(grouping);
      const filter = compileFilter(predicate, source);
      const check = checkRows(source);
      const of = grouping.of.filter((_, i) => {
        check();
        return filter.matches(rows[i]!);
      });
      return countRowsOf({ of, count: grouping.count });
    }
    case "uniqueCount":
      return countDistinct(grouping, encodeColumn(source, aggregation.column, rows));
    case "buckets":
      return computeBuckets(run, aggregation, rows, grouping);
  }
  const numbers = gatherNumbers(source, aggregation.column, rows);
  switch (aggregation.kind) {
    case "sum":
      return sumNumbers(grouping, numbers);
    case "average":
      return averageNumbers(grouping, numbers);
    case "min":
    case "max":
      return extremeNumbers(grouping, numbers, aggregation.kind);
    case "percentiles": {
      const { percentiles } = aggregation;
      return percentilesOf(grouping, numbers, percentiles).map((values) => ({
        values: Object.fromEntries(
          percentiles.map((percentile, i) => [
            run.isXata && Number.isInteger(percentile) ? percentile.toFixed(1) : percentile,
            values[i]!,
          ]),
        ),
      }));
    }
  }
}

interface Bucket {
  readonly key: PresentValue;
  readonly count: number;
  readonly inner: Record<string, Json>;
}

function computeBuckets(run: Run, buckets: Buckets, rows: Int32Array, grouping: Grouping): Json[] {
  const { codes, values } = bucketCodes(run.source, buckets, rows);
  const isIn = (_: number, i: number): boolean => codes[i] !== NO_CODE;
  const innerRows = rows.filter(isIn);
  const innerCodes = codes.filter((code) => code !== NO_CODE);
  const outer = { of: grouping.of.filter(isIn), count: grouping.count, first: new Int32Array(0) };
  const split = splitGroups(outer, innerCodes, values.length);
  const counts = countRowsOf(split);
  const inner = computeAll(run, buckets.aggregations, innerRows, split);
  const byGroup: Bucket[][] = Array.from({ length: grouping.count }, () => []);
  for (const [bucket, place] of split.first.entries()) {
    byGroup[outer.of[place]!]!.push({
      key: values[innerCodes[place]!]!,
      count: counts[bucket]!,
      inner: inner[bucket]!,
    });
  }
  return byGroup.map((found) => {
    const given = arrange(found, buckets);
    run.buckets += given.length;
    requireFew("buckets in an answer", run.buckets, MAX_BUCKETS);
    return { values: given.map((bucket) => describeBucket(bucket, run)) };
  });
}

/** Returns the bucket code of each row; a bucket is a value or an interval. */
function bucketCodes(source: Source, buckets: Buckets, rows: Int32Array): ColumnCodes {
  const { codes, values } = encodeColumn(source, buckets.column, rows);
  const { keyOf } = buckets;
  if (keyOf === undefined) return { codes, values };
  const keys: PresentValue[] = [];
  const codesByKey = new Map<number, number>();
  const bucketByCode = values.map((value) => {
    const key = typeof value === "number" ? keyOf(value) : keyOf((value as Instant).ms); // otherwise a datetime
    const known = codesByKey.get(key);
    if (known !== undefined) return known;
    const bucket = keys.push(typeof value === "number" ? key : { ms: key, micros: 0 }) - 1;
    codesByKey.set(key, bucket);
    return bucket;
  });
  return {
    codes: codes.map((code) => (code === NO_CODE ? code : bucketByCode[code]!)),
    values: keys,
  };
}

/** Sorts buckets by key, those of `top` by count. */
function arrange(buckets: Bucket[], { top }: Buckets): Bucket[] {
  buckets.sort((a, b) => comparePresent(a.key, b.key));
  if (top === undefined) return buckets;
  return buckets.sort((a, b) => b.count - a.count).slice(0, top);
}

function describeBucket({ key, count, inner }: Bucket, run: Run): Json {
  return { $key: describeKey(key, run), $count: count, ...inner };
}

function describeKey(key: PresentValue, { isXata }: Run): Json {
  if (typeof key !== "object") return key;
  const { ms, micros } = key as Instant; // lists and JSON cannot be bucketed
  return isXata ? new Date(ms).toISOString() : formatInstant(ms, micros);
}
