import type { AnyRecord, Filter } from "../types.js";
import type { FilterOf } from "./filter.js";
import type { ColumnAt, LinkPattern, OwnPath } from "./path.js";
import type { RecordOf } from "./record.js";
import type { IsUntyped, ScopeOf } from "./scope.js";
import type { AnyShape } from "./shape.js";
import type { Flatten } from "./values.js";

/** A booster: adds to the scores of records, in the form of the service's client. */
export type BoosterParts<Column, NumberColumn, DateColumn, Filter> =
  | { readonly valueBooster: ValueBoosterParts<Column, Filter> }
  | { readonly numericBooster: NumericBoosterParts<NumberColumn, Filter> }
  | { readonly dateBooster: DateBoosterParts<DateColumn, Filter> };

/** Adds `factor` where a column has a value. */
export interface ValueBoosterParts<Column, Filter> {
  readonly column: Column;
  readonly value: string | number | boolean;
  /** The number to add. */
  readonly factor: number;
  /** Limits the booster to matching records. */
  readonly ifMatchesFilter?: Filter | undefined;
}

/** Adds a column's number, modified, times `factor`. */
export interface NumericBoosterParts<Column, Filter> {
  /** Path of a number. */
  readonly column: Column;
  /** The multiplier. */
  readonly factor: number;
  /** Default `none`; `log` and `log1p` are to the base 10. */
  readonly modifier?:
    | "none"
    | "log"
    | "log1p"
    | "ln"
    | "ln1p"
    | "square"
    | "sqrt"
    | "reciprocal"
    | undefined;
  /** Limits the booster to matching records. */
  readonly ifMatchesFilter?: Filter | undefined;
}

/** Adds `factor` at `origin`, times `decay` for each `scale` of time before or after it. */
export interface DateBoosterParts<Column, Filter> {
  /** Path of a `datetime`. */
  readonly column: Column;
  /** RFC 3339; default the engine's current time. */
  readonly origin?: string | Date | undefined;
  /** A whole number and `d`, `h`, `m`, `s` or `ms`. */
  readonly scale: string;
  /** The share of `factor` at a distance of one `scale`: any number, usually 0 to 1. */
  readonly decay: number;
  /** At least 0; default 1. */
  readonly factor?: number | undefined;
  /** Limits the booster to matching records. */
  readonly ifMatchesFilter?: Filter | undefined;
}

/** A column to search, with its weight. */
export type TargetOf<Column> =
  | Column
  | {
      readonly column: Column;
      /** 1–10, default 1. */
      readonly weight?: number | undefined;
    };

/** Settings of all searches by words. */
export interface SearchSettings {
  /** At most 2,048 characters; without a word nothing matches. */
  readonly query?: string | undefined;
  /** The edit distance allowed per word: 0, 1 (default) or 2. */
  readonly fuzziness?: 0 | 1 | 2 | undefined;
  /** `phrase`: the words are consecutive and the last is a prefix. Default `disabled`. */
  readonly prefix?: "phrase" | "disabled" | undefined;
  /** Whether to return passages (default true), encoded as HTML (default true). */
  readonly highlight?:
    | { readonly enabled?: boolean | undefined; readonly encodeHTML?: boolean | undefined }
    | undefined;
  /** `size` 1–200, default 25; `offset` 0–800, default 0. */
  readonly page?:
    | { readonly size?: number | undefined; readonly offset?: number | undefined }
    | undefined;
}

/** Options of a search for one table. */
export interface SearchParts<Target, Filter, Booster> {
  /** At least one column; default all that have text. */
  readonly target?: readonly Target[] | undefined;
  /** Limits the search to matching records; default all. */
  readonly filter?: Filter | undefined;
  /** At most 100. */
  readonly boosters?: readonly Booster[] | undefined;
}

export interface TableSearchRequest
  extends SearchSettings,
    SearchParts<TargetOf<string>, Filter, BoosterParts<string, string, string, Filter>> {}

/** A search in several tables of a branch (section Q). */
export interface BranchSearchRequest extends SearchSettings {
  readonly query: string;
  /** Default all tables. */
  readonly tables?: readonly (string | SearchedTableParts)[] | undefined;
}

export interface SearchedTableParts
  extends SearchParts<TargetOf<string>, Filter, BoosterParts<string, string, string, Filter>> {
  readonly table: string;
}

/** A search of a table with checked columns; filters follow links as {@link FilterOf} does. */
export type TableSearchOf<S extends AnyShape> =
  IsUntyped<ScopeOf<S>> extends true
    ? TableSearchRequest
    : SearchSettings &
        SearchParts<
          TargetOf<TextPath<S> | "*">,
          FilterOf<S>,
          BoosterParts<
            PathTo<S, "bool" | "int" | "float" | "string" | "text" | "email" | "id">,
            PathTo<S, "int" | "float">,
            PathTo<S, "datetime">,
            FilterOf<S>
          >
        >;

/** A vector search (V-1). */
export interface VectorSearchParts<Column, Filter> {
  readonly column: Column;
  /** As many numbers as the column's dimension. */
  readonly queryVector: readonly number[];
  /** Default `cosineSimilarity` (V-2). */
  readonly similarityFunction?: "cosineSimilarity" | "l1" | "l2" | undefined;
  /** 1–1000, default 10. */
  readonly size?: number | undefined;
  /** Limits the search to matching records; default all. */
  readonly filter?: Filter | undefined;
}

/** A vector search of a table with checked columns. */
export type VectorSearchOf<S extends AnyShape> =
  IsUntyped<ScopeOf<S>> extends true
    ? VectorSearchParts<string, Filter>
    : VectorSearchParts<OwnPathTo<S, "vector">, FilterOf<S>>;

/** A page of found records. */
export interface SearchResult<R = FoundRecord<AnyShape>> {
  /** By descending score. */
  records: R[];
  /** The number of matching records on all pages. */
  totalCount: number;
}

/** Matching passages of a record by column; sub-columns are nested. */
export interface Highlight {
  [column: string]: string[] | Highlight;
}

/** The metadata of a found record. */
export interface SearchMetadata {
  table: string;
  /** Higher is better. */
  score: number;
  /** Absent if not requested, and in vector searches. */
  highlight?: Highlight;
}

/** A whole record with the metadata of the search. */
export type FoundRecord<S extends AnyShape> =
  IsUntyped<ScopeOf<S>> extends true
    ? AnyRecord
    : Flatten<
        RecordOf<S> &
          (S["profile"]["idColumn"] extends "id"
            ? { [M in S["profile"]["metadataColumn"]]: SearchMetadata }
            : { [K in keyof SearchMetadata as `xata_${K}`]: SearchMetadata[K] })
      >;

type OwnPathTo<S extends AnyShape, Type> = {
  [P in OwnPath<ScopeOf<S>>]: ColumnAt<ScopeOf<S>, P> extends {
    readonly column: { readonly type: Type };
  }
    ? P
    : never;
}[OwnPath<ScopeOf<S>>];

type PathTo<S extends AnyShape, Type> = OwnPathTo<S, Type> | LinkPattern<ScopeOf<S>>;

type TextPath<S extends AnyShape> = OwnPathTo<
  S,
  "string" | "text" | "email" | "multiple" | "json" | "object"
>;
