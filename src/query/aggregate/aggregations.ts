import { describe, pointer, refuse } from "../../errors.js";
import { COMPARABLE_TYPES, NUMERIC_TYPES, typesWith } from "../../schema/traits.js";
import {
  type RequestPart,
  readChoice,
  readNumber,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../../shape/fields.js";
import { isArray } from "../../value/json.js";
import { isColumnName } from "../../value/names.js";
import { bindTypedColumn } from "../bind/column-list.js";
import { bindStoreFilter } from "../bind/filter.js";
import type { Scope } from "../bind/scope.js";
import { type ColumnRef, isInternal, isOfLink, TRUE } from "../bound/bound-query.js";
import type { Measure } from "./measures.js";
import {
  CALENDAR_INTERVALS,
  fixedIntervals,
  type Interval,
  parseInterval,
  parseOffset,
} from "./time-buckets.js";

export type BoundAggregations = ReadonlyMap<string, Aggregation>;

export type Aggregation = Measure | Buckets;

export interface Buckets {
  readonly kind: "buckets";
  readonly column: ColumnRef;
  /** If absent, a bucket per value. */
  readonly interval: Interval | undefined;
  readonly top: number | undefined;
  readonly aggregations: BoundAggregations;
}

type Fields = Readonly<Record<string, unknown>>;

type Bind = (scope: Scope, fields: Fields, at: string, level: number) => Aggregation;

const TIMES = typesWith(({ stored }) => stored === "instant");
const VALUES = typesWith(({ sortable, stored }) => sortable && stored !== "instant");
/** The search store has no links, and analyses text. */
const STORE_VALUES = new Set([...VALUES].filter((type) => type !== "link" && type !== "text"));
const DEFAULT_TOP = 10;
const MAX_TOP = 1000;
const MAX_PERCENTILES = 1000;

const KINDS: Readonly<Record<string, Bind>> = {
  count: (scope, fields, at) => {
    requireKnownKeys(fields, ["filter"], { path: at });
    return { kind: "count", predicate: bindStoreFilter(scope, fields.filter, `${at}/filter`) };
  },
  sum: bindMeasure("sum", NUMERIC_TYPES),
  average: bindMeasure("average", NUMERIC_TYPES),
  min: bindMeasure("min", NUMERIC_TYPES),
  max: bindMeasure("max", NUMERIC_TYPES),
  uniqueCount: bindMeasure("uniqueCount", COMPARABLE_TYPES, ["precisionThreshold"]),
  percentiles: (scope, fields, at) => {
    requireKnownKeys(fields, ["column", "percentiles"], { path: at });
    const column = bindColumnOf(scope, fields, NUMERIC_TYPES, at);
    return { kind: "percentiles", column, percentiles: readPercentiles(fields.percentiles, at) };
  },
  topValues: (scope, fields, at, level) => {
    requireKnownKeys(fields, ["column", "size", "aggs"], { path: at });
    const { storeAggregates } = scope.run.profile;
    const column = bindColumnOf(scope, fields, storeAggregates ? STORE_VALUES : VALUES, at);
    const { size = DEFAULT_TOP } = fields;
    const top = readNumber(size, [1, MAX_TOP], fieldAt(at, "size"));
    const aggregations = bindInner(scope, fields, at, level);
    return { kind: "buckets", column, interval: undefined, top, aggregations };
  },
  numericHistogram: (scope, fields, at, level) => {
    requireKnownKeys(fields, ["column", "interval", "offset", "aggs"], { path: at });
    const column = bindColumnOf(scope, fields, NUMERIC_TYPES, at);
    const { interval, offset = 0 } = fields;
    if (typeof interval !== "number" || !(interval > 0)) {
      refuseField(at, "interval", "a number above 0", interval);
    }
    if (typeof offset !== "number") refuseField(at, "offset", "a number", offset);
    const aggregations = bindInner(scope, fields, at, level);
    const intervals = fixedIntervals(interval, -offset, false);
    return { kind: "buckets", column, interval: intervals, top: undefined, aggregations };
  },
  dateHistogram: (scope, fields, at, level) => {
    const keys = ["column", "interval", "calendarInterval", "timezone", "aggs"];
    requireKnownKeys(fields, keys, { path: at });
    const column = bindColumnOf(scope, fields, TIMES, at);
    if (isInternal(column) && scope.run.profile.storeAggregates) {
      refuseField(at, "column", "a column other than the metadata", column.path);
    }
    const interval = readIntervals(fields, at);
    const aggregations = bindInner(scope, fields, at, level);
    return { kind: "buckets", column, interval, top: undefined, aggregations };
  },
};

/** Binds aggregations; throws `invalid_request`, `unknown_column`, `invalid_filter`. */
export function bindAggregations(
  scope: Scope,
  aggregations: unknown = {},
  at: string,
  level: number,
): BoundAggregations {
  const { filterLevels } = scope.run.limits;
  if (level > filterLevels) {
    refuse("invalid_request", `aggs: at most ${filterLevels} levels`, { path: at, rule: "X-6" });
  }
  requireObject(aggregations, { path: at, rule: "X-6" });
  const bound = new Map<string, Aggregation>();
  for (const name of Object.keys(aggregations)) {
    if (aggregations[name] === undefined) continue;
    const memberAt = pointer(at, name);
    if (!isColumnName(name)) {
      const message = `aggs: ${describe(name)} cannot name an aggregation`;
      refuse("invalid_request", message, { path: memberAt, rule: "X-6" });
    }
    bound.set(name, bindAggregation(scope, aggregations[name], memberAt, level));
  }
  return bound;
}

function bindAggregation(
  scope: Scope,
  expression: unknown,
  at: string,
  level: number,
): Aggregation {
  const [kind, fields] = readChoice(expression, Object.keys(KINDS), { path: at, rule: "X-6" });
  if (kind === "count" && fields === "*") return { kind, predicate: TRUE };
  const fieldsAt = pointer(at, kind);
  requireObject(fields, { path: fieldsAt, rule: "X-6" });
  return KINDS[kind]!(scope, fields, fieldsAt, level); // one of its keys
}

function bindMeasure(
  kind: "sum" | "average" | "min" | "max" | "uniqueCount",
  types: ReadonlySet<string>,
  further: readonly string[] = [],
): Bind {
  return (scope, fields, at) => {
    requireKnownKeys(fields, ["column", ...further], { path: at });
    const column = bindColumnOf(scope, fields, types, at);
    // Counts are exact, so every threshold is met.
    const { precisionThreshold = 0 } = fields;
    readNumber(precisionThreshold, [0], fieldAt(at, "precisionThreshold"));
    return { kind, column };
  };
}

function bindColumnOf(
  scope: Scope,
  { column }: Fields,
  types: ReadonlySet<string>,
  at: string,
): ColumnRef {
  const bound = bindTypedColumn(scope, column, types, `${at}/column`);
  if (scope.run.profile.storeAggregates && isOfLink(bound)) {
    refuseField(at, "column", "a column of the table itself, not a link", bound.path);
  }
  return bound;
}

function bindInner(scope: Scope, { aggs }: Fields, at: string, level: number): BoundAggregations {
  return bindAggregations(scope, aggs, `${at}/aggs`, level + 1);
}

function readPercentiles(percentiles: unknown, at: string): readonly number[] {
  if (!isArray(percentiles) || percentiles.length > MAX_PERCENTILES) {
    refuseField(at, "percentiles", `an array of at most ${MAX_PERCENTILES} numbers`, percentiles);
  }
  return percentiles.map((value: unknown, index) =>
    readNumber(value, [0, 100], fieldAt(at, `percentiles/${index}`), "a number"),
  );
}

function readIntervals(fields: Fields, at: string): Interval {
  const { interval, calendarInterval, timezone = "+00:00" } = fields;
  const offset = typeof timezone === "string" ? parseOffset(timezone) : undefined;
  if (offset === undefined) refuseField(at, "timezone", "an offset such as +01:00", timezone);
  if (interval !== undefined && calendarInterval !== undefined) {
    refuseField(at, "calendarInterval", "it without interval", calendarInterval);
  }
  if (calendarInterval !== undefined) {
    const names = Object.keys(CALENDAR_INTERVALS);
    if (!names.includes(calendarInterval as string)) {
      refuseField(at, "calendarInterval", `one of ${names.join(", ")}`, calendarInterval);
    }
    return CALENDAR_INTERVALS[calendarInterval as string]!(offset); // one of the names
  }
  const length = typeof interval === "string" ? parseInterval(interval) : undefined;
  if (length === undefined) {
    refuseField(at, "interval", "a number and one of d, h, m, s, ms, such as 5d", interval);
  }
  return fixedIntervals(length, offset, true);
}

function fieldAt(at: string, field: string): RequestPart {
  return { what: field, path: `${at}/${field}`, rule: "X-6" };
}

function refuseField(at: string, field: string, expected: string, found: unknown): never {
  refuseValue(found, expected, fieldAt(at, field));
}
