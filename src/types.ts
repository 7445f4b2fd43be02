/** A JSON value, as a request carries it. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** The types a column can have (rules T-1 … T-13). */
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

/** How a column is declared. */
export interface ColumnDefinition {
  /** 1–255 characters of `A-Z a-z 0-9 _ - ~`, unique without regard to case (rule N-3). */
  readonly name: string;
  /** What it holds (rules T-1 to T-13). */
  readonly type: ColumnType;
  /** The target of a `link` column, by name (rule T-17). */
  readonly link?: { readonly table: string } | undefined;
  /** The sub-columns of an `object` column (rule T-10). */
  readonly columns?: readonly ColumnDefinition[] | undefined;
  /** The length of a `vector` column's values, 2–10000 (rule T-12). */
  readonly vector?: { readonly dimension: number } | undefined;
  /** No two records hold the same value; null does not count (rule T-16). */
  readonly unique?: boolean | undefined;
  /** No record holds null (rule T-16). */
  readonly notNull?: boolean | undefined;
  /** Fills a missing key on insert and replace: the JSON form, or a string that holds it (T-16). */
  readonly defaultValue?: Json | undefined;
  /** Settings of a `file` column: stored as given. */
  readonly file?: { readonly defaultPublicAccess?: boolean } | undefined;
  /** Settings of a `file[]` column: stored as given. */
  readonly "file[]"?: { readonly defaultPublicAccess?: boolean } | undefined;
}

/** A record's metadata, under `service` or `xata` as the profile says (rule R-1). */
export interface RecordMetadata {
  /** 0 on insert, one more with every write (rule R-2). */
  version: number;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** RFC 3339, UTC. */
  updatedAt: string;
}

/** A record as it is returned: `id`, the selected columns that are not null, the metadata. */
export interface AnyRecord {
  /** Unique in its table (rule R-3). */
  id: string;
  [column: string]: unknown;
}

/** The direction of a sort key; `random` goes with the column `*` only (rule S-4). */
export type SortDirection = "asc" | "desc" | "random";

/** The key of an order: one object, or an array of objects and bare names (rule S-1). */
export type Sort =
  | { readonly [column: string]: SortDirection }
  | readonly ({ readonly [column: string]: SortDirection } | string)[];

/** A filter (rules F-1 … F-30); its shape is checked when it is bound to a table. */
export interface Filter {
  readonly [key: string]: unknown;
}

/** Which records of the ordered result to give (rules G-1 … G-11). */
export interface PageRequest {
  /** At most so many records; default 20. */
  readonly size?: number | undefined;
  /** Skips so many in the direction of travel; default 0. */
  readonly offset?: number | undefined;
  /** The page after that cursor, or `"end"`. */
  readonly after?: string | undefined;
  /** The page before that cursor, or `"end"`. */
  readonly before?: string | undefined;
  /** The first page of that cursor's query. */
  readonly start?: string | undefined;
  /** The last page of that cursor's query. */
  readonly end?: string | undefined;
}

/** The records of another table that link to this one, as part of a selection (rule P-11). */
export interface ReverseLinkSelection {
  /** `<-table.link` */
  readonly name: string;
  /** The key of the list in the record; default the table's name. */
  readonly as?: string | undefined;
  /** What to select of them; default all columns. */
  readonly columns?: readonly ColumnSelection[] | undefined;
  /** In which order; default by id. */
  readonly sort?: Sort | undefined;
  /** Default 20. */
  readonly limit?: number | undefined;
  /** Skips so many; default 0. */
  readonly offset?: number | undefined;
}

/** A member of `columns` (rules P-1 … P-11). */
export type ColumnSelection = string | ReverseLinkSelection;

/** A query. All keys are optional; an unknown key is refused (rule E-3). */
export interface QueryRequest {
  /** What to select (rules P-1 to P-11); default all columns. */
  readonly columns?: readonly ColumnSelection[] | undefined;
  /** Which records (rules F-1 to F-30); default all. */
  readonly filter?: Filter | undefined;
  /** In which order (rules S-1 to S-9); default by id. */
  readonly sort?: Sort | undefined;
  /** Which of them to give (rules G-1 to G-11); default the first 20. */
  readonly page?: PageRequest | undefined;
  /** Accepted for clients that send it; changes nothing (rule E-3). */
  readonly consistency?: "strong" | "eventual" | undefined;
}

/** Where a page lies in its result (rule G-3). */
export interface PageMeta {
  /** Names this page; text of `A-Z a-z 0-9 - _`. */
  cursor: string;
  /** Whether another record lies beyond this page in the direction of travel. */
  more: boolean;
  /** The effective page size. */
  size: number;
}

/** One page of a query's answer. */
export interface QueryResult<R = AnyRecord> {
  /** In the order asked for. */
  records: R[];
  /** Where the page lies in its result (rule G-3). */
  meta: { page: PageMeta };
}

/** One figure of each group: how many records, or values of a column, and what they come to. */
export interface SummaryExpression {
  /** Records with `"*"`, else values of a column that are not null. */
  readonly count?: string | undefined;
  /** The least value of a column. */
  readonly min?: string | undefined;
  /** The greatest value of a column. */
  readonly max?: string | undefined;
  /** The exact sum of a column's numbers, rounded once. */
  readonly sum?: string | undefined;
  /** The exact sum over the count, rounded once. */
  readonly average?: string | undefined;
}

/** Which groups to make, and what to tell of each (rule X-6). */
export interface SummarizeRequest {
  /** Each combination of their values is a group; without any, all records are one. */
  readonly columns?: readonly string[] | undefined;
  /** Which records are counted; default all. */
  readonly filter?: Filter | undefined;
  /** By the name that the figure goes under. */
  readonly summaries?: Readonly<Record<string, SummaryExpression>> | undefined;
  /** A filter over the groups: their columns and figures. */
  readonly summariesFilter?: Filter | undefined;
  /** The order of the groups, by their columns and figures. */
  readonly sort?: Sort | undefined;
  /** At most so many groups; default 20. */
  readonly page?: { readonly size?: number | undefined } | undefined;
  /** Accepted for clients that send it; changes nothing (rule E-3). */
  readonly consistency?: "strong" | "eventual" | undefined;
}

/** The groups, each with its columns and figures; a figure without a value is null. */
export interface SummarizeResult {
  /** The groups, in the order asked for. */
  summaries: Record<string, unknown>[];
}

/** Figures by buckets of a column, inside other buckets or alone (rule X-6). */
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

/** A figure of one column. */
export interface ColumnAggregation {
  /** Its path. */
  readonly column: string;
}

/** Buckets of the values of one column. */
export interface BucketAggregation extends ColumnAggregation {
  /** Figures of each bucket, by the name that they go under. */
  readonly aggs?: Readonly<Record<string, AggregationExpression>> | undefined;
}

/** Which figures to compute (rule X-6). */
export interface AggregateRequest {
  /** Which records are counted; default all. */
  readonly filter?: Filter | undefined;
  /** By the name that the result goes under. */
  readonly aggs?: Readonly<Record<string, AggregationExpression>> | undefined;
}

/** A figure, null where there is none, or `{"values": […]}` of buckets or percentiles. */
export interface AggregateResult {
  /** By the names that were asked for. */
  aggs: Record<string, Json>;
}

/** How a query is answered, as plain data. */
export interface PlanDescription {
  /** How its records are found. */
  readonly access: {
    readonly kind: "ids" | "unique-index" | "link-index" | "order-index" | "storage-order" | "scan";
    /** How many ids or values are looked up, or of how many records the links are. */
    readonly ids?: number;
    readonly backward?: boolean;
    /** The link or the `unique` column whose index is used. */
    readonly column?: string;
    /** Whether the records of each link are in the order wanted. */
    readonly sorted?: boolean;
  };
  /** What is left to be tested for each record. */
  readonly residual: Json;
  /** The keys of the order, such as `name asc`. */
  readonly order: readonly string[];
  /** Records wanted: the offset, the page and one to know whether there is more. */
  readonly limit: number;
  /** How many records are looked at, and how many are given. */
  readonly estimate: PlanEstimate;
}

/** How many records a query looks at and gives: exact for a table of up to 1,024, else by a sample. */
export interface PlanEstimate {
  /** Records that are looked at. */
  readonly examined: number;
  /** Records that are given, `limit` at most. */
  readonly rows: number;
}
