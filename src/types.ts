/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** The types of columns (T-1 … T-13). */
export type ColumnType =
  | "bool"
  | "int"
  | "float"
  | "string"
  | "text"
  | "email"
  | "datetime"
  | "multiple"
  | "link"
  | "object"
  | "json"
  | "vector"
  | "file"
  | "file[]";

/** A column of a schema. */
export interface ColumnDefinition {
  /** 1–255 characters of `A-Z a-z 0-9 _ - ~`, unique case-insensitively (N-3). */
  readonly name: string;
  readonly type: ColumnType;
  /** The target of a `link` column (T-17). */
  readonly link?: { readonly table: string } | undefined;
  /** The sub-columns of an `object` column (T-10). */
  readonly columns?: readonly ColumnDefinition[] | undefined;
  /** The dimension of a `vector` column, 2–10000 (T-12). */
  readonly vector?: { readonly dimension: number } | undefined;
  /** Whether values are unique; null does not count (T-16). Not for files (T-19). */
  readonly unique?: boolean | undefined;
  /** Whether null is invalid (T-16). Not for files (T-19). */
  readonly notNull?: boolean | undefined;
  /**
   * Value of a missing key on insert and replace: JSON, or a string that contains it (T-16). Not
   * for files (T-19).
   */
  readonly defaultValue?: Json | undefined;
  /** Settings of a `file` column: stored unchanged. */
  readonly file?: { readonly defaultPublicAccess?: boolean } | undefined;
  /** Settings of a `file[]` column: stored unchanged. */
  readonly "file[]"?: { readonly defaultPublicAccess?: boolean } | undefined;
}

/** A record's metadata, under `service` or `xata` by profile. */
export interface RecordMetadata {
  /** 0 on insert, incremented by every write. */
  version: number;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  updatedAt: string;
}

/** A returned record: `id`, the selected non-null columns and the metadata. */
export interface AnyRecord {
  /** Unique in its table. */
  id: string;
  [column: string]: unknown;
}

/** The direction of a sort key; `random` requires the column `*` (S-4). */
export type SortDirection = "asc" | "desc" | "random";

/** A sort: an object, or an array of objects and column names (S-1). */
export type Sort =
  | { readonly [column: string]: SortDirection }
  | readonly ({ readonly [column: string]: SortDirection } | string)[];

/** A filter (F-1 … F-30), validated against the table when a call uses it. */
export interface Filter {
  readonly [key: string]: unknown;
}

/** The page of the ordered result to return (G-1 … G-11). */
export interface PageRequest {
  /** Maximum number of records; default 20. */
  readonly size?: number | undefined;
  /** Records to skip in the direction of travel; default 0. */
  readonly offset?: number | undefined;
  /** Returns the page after this cursor, or after `"end"`. */
  readonly after?: string | undefined;
  /** Returns the page before this cursor, or before `"end"`. */
  readonly before?: string | undefined;
  /** Returns the first page of this cursor's query. */
  readonly start?: string | undefined;
  /** Returns the last page of this cursor's query. */
  readonly end?: string | undefined;
}

/** A reverse link in a selection: the records of another table that link to this one (P-11). */
export interface ReverseLinkSelection {
  /** `<-table.link` */
  readonly name: string;
  /** The key of the list in the record; default the table's name. */
  readonly as?: string | undefined;
  /** Their selection; default all columns. */
  readonly columns?: readonly ColumnSelection[] | undefined;
  /** Default by id. */
  readonly sort?: Sort | undefined;
  /** Default 20. */
  readonly limit?: number | undefined;
  /** Records to skip; default 0. */
  readonly offset?: number | undefined;
}

/** A member of `columns` (P-1 … P-11). */
export type ColumnSelection = string | ReverseLinkSelection;

/** The parts of a query by their types. */
export interface QueryParts<Columns, Where, Order, Page = PageRequest> {
  /** The selection (P-1 … P-11); default all columns. */
  readonly columns?: Columns | undefined;
  /** The filter (F-1 … F-30); default all records. */
  readonly filter?: Where | undefined;
  /** The sort (S-1 … S-9); default by id. */
  readonly sort?: Order | undefined;
  /** The page (G-1 … G-11); default the first 20 records. */
  readonly page?: Page | undefined;
  /** Accepted for compatibility; no effect (E-3). */
  readonly consistency?: "strong" | "eventual" | undefined;
}

/** A query. All keys are optional; an unknown key throws `invalid_request` (E-3). */
export interface QueryRequest extends QueryParts<readonly ColumnSelection[], Filter, Sort> {}

/** The position of a page in its result (G-3). */
export interface PageMeta {
  /** Identifies this page; text of `A-Z a-z 0-9 - _`. */
  cursor: string;
  /** Whether more records follow in the direction of travel. */
  more: boolean;
  /** The effective page size. */
  size: number;
}

/** One page of a query's result. */
export interface QueryResult<R = AnyRecord> {
  /** In the order of the sort. */
  records: R[];
  /** The page's position (G-3). */
  meta: { page: PageMeta };
}

/** An aggregate of each group. */
export interface SummaryExpression {
  /** With `"*"` the number of records, otherwise of a column's non-null values. */
  readonly count?: string | undefined;
  /** The least value of a column. */
  readonly min?: string | undefined;
  /** The greatest value of a column. */
  readonly max?: string | undefined;
  /** The exact sum of a column's numbers, rounded once. */
  readonly sum?: string | undefined;
  /** The exact sum divided by the count, rounded once. */
  readonly average?: string | undefined;
}

/** Aggregates of each group by result name. */
export interface SummaryExpressions {
  readonly [name: string]: SummaryExpression;
}

/** The parts of a summary by their types. */
export interface SummarizeParts<Columns, Where, Summaries> {
  /** Columns to group by; without any, all records are one group. */
  readonly columns?: Columns | undefined;
  /** Limits the summary to matching records; default all. */
  readonly filter?: Where | undefined;
  /** Aggregates by result name. */
  readonly summaries?: Summaries | undefined;
  /** A filter of the groups by their columns and aggregates. */
  readonly summariesFilter?: Filter | undefined;
  /** The order of the groups, by their columns and aggregates. */
  readonly sort?: Sort | undefined;
  /** Maximum number of groups; default 20. */
  readonly page?: { readonly size?: number | undefined } | undefined;
  /** Accepted for compatibility; no effect (E-3). */
  readonly consistency?: "strong" | "eventual" | undefined;
}

/** A summary: groups of records with aggregates. */
export interface SummarizeRequest
  extends SummarizeParts<readonly string[], Filter, SummaryExpressions> {}

/** Groups with their columns and aggregates; an aggregate without a value is null. */
export interface SummarizeResult {
  summaries: Record<string, unknown>[];
}

/** An aggregate, or buckets of a column, which can contain further aggregates. */
export type AggregationExpression =
  | { readonly count: "*" | { readonly filter?: Filter | undefined } }
  | { readonly sum: ColumnAggregation }
  | { readonly average: ColumnAggregation }
  | { readonly min: ColumnAggregation }
  | { readonly max: ColumnAggregation }
  | { readonly uniqueCount: ColumnAggregation & { readonly precisionThreshold?: number } }
  | { readonly percentiles: ColumnAggregation & { readonly percentiles: readonly number[] } }
  | { readonly topValues: BucketAggregation & { readonly size?: number | undefined } }
  | {
      readonly numericHistogram: BucketAggregation & {
        readonly interval: number;
        readonly offset?: number | undefined;
      };
    }
  | {
      readonly dateHistogram: BucketAggregation & {
        /** A number and `d`, `h`, `m`, `s` or `ms`. */
        readonly interval?: string | undefined;
        readonly calendarInterval?:
          | "minute"
          | "hour"
          | "day"
          | "week"
          | "month"
          | "quarter"
          | "year"
          | undefined;
        /** An offset such as `+01:00`; default UTC. */
        readonly timezone?: string | undefined;
      };
    };

/** An aggregate of one column. */
export interface ColumnAggregation {
  readonly column: string;
}

/** Buckets of the values of one column. */
export interface BucketAggregation extends ColumnAggregation {
  /** Aggregates of each bucket, by result name. */
  readonly aggs?: Aggregations | undefined;
}

/** Aggregations by result name. */
export interface Aggregations {
  readonly [name: string]: AggregationExpression;
}

/** The parts of an aggregation by their types. */
export interface AggregateParts<Where, Aggs> {
  /** Limits the aggregation to matching records; default all. */
  readonly filter?: Where | undefined;
  /** Aggregations by result name. */
  readonly aggs?: Aggs | undefined;
}

/** Aggregations. */
export interface AggregateRequest extends AggregateParts<Filter, Aggregations> {}

/** The values, null if there is none, or `{"values": […]}` for buckets and percentiles. */
export interface AggregateResult {
  /** By the names in the request. */
  aggs: Record<string, Json>;
}

/** A query plan as plain data. */
export interface PlanDescription {
  /** The access path. */
  readonly access: {
    readonly kind: "ids" | "unique-index" | "link-index" | "order-index" | "storage-order" | "scan";
    /** The number of ids or values to look up, or of records whose links are followed. */
    readonly ids?: number;
    readonly backward?: boolean;
    /** The link or the `unique` column whose index is used. */
    readonly column?: string;
    /** Whether the index returns each link's records in the order of the sort. */
    readonly sorted?: boolean;
  };
  /** The residual filter, tested for each record. */
  readonly residual: Json;
  /** The sort keys, such as `name asc`. */
  readonly order: readonly string[];
  /** Offset plus page size plus one, to find out whether more records follow. */
  readonly limit: number;
  /** The number of records examined and returned. */
  readonly estimate: PlanEstimate;
}

/** Estimated numbers of records: exact for tables up to 1,024 records, otherwise from a sample. */
export interface PlanEstimate {
  /** Records that are read. */
  readonly examined: number;
  /** Records that are returned, at most `limit`. */
  readonly rows: number;
}
