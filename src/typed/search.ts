import type { AnyRecord, Filter } from "../types.js";
import type { FilterOf } from "./filter.js";
import type { ColumnAt, LinkPattern, OwnPath } from "./path.js";
import type { RecordOf } from "./record.js";
import type { IsLoose, ScopeOf } from "./scope.js";
import type { AnyShape } from "./shape.js";
import type { Flatten } from "./values.js";

/** What is added to the scores of records, after the types of the service's client (rule Q-5). */
export type BoosterParts<Column, NumberColumn, DateColumn, Filter> =
  | { readonly valueBooster: ValueBoosterParts<Column, Filter> }
  | { readonly numericBooster: NumericBoosterParts<NumberColumn, Filter> }
  | { readonly dateBooster: DateBoosterParts<DateColumn, Filter> };

/** Adds `factor` where a column has a value. */
export interface ValueBoosterParts<Column, Filter> {
  /** A path to a value. */
  readonly column: Column;
  /** What it has to be. */
  readonly value: string | number | boolean;
  /** What is added. */
  readonly factor: number;
  /** Only for the records that match. */
  readonly ifMatchesFilter?: Filter | undefined;
}

/** Adds a column's number, modified, times `factor`. */
export interface NumericBoosterParts<Column, Filter> {
  /** A path to a number. */
  readonly column: Column;
  /** What the number is multiplied by. */
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
  /** Only for the records that match. */
  readonly ifMatchesFilter?: Filter | undefined;
}

/** Adds `factor` at `origin`, times `decay` for each `scale` of time before or after it. */
export interface DateBoosterParts<Column, Filter> {
  /** A path to a `datetime`. */
  readonly column: Column;
  /** RFC 3339; default the engine's present time. */
  readonly origin?: string | Date | undefined;
  /** A whole number and `d`, `h`, `m`, `s` or `ms`. */
  readonly scale: string;
  /** What is left of `factor` at one `scale` of time away: any number, most often from 0 to 1. */
  readonly decay: number;
  /** From 0 up; default 1. */
  readonly factor?: number | undefined;
  /** Only for the records that match. */
  readonly ifMatchesFilter?: Filter | undefined;
}

/** A column to search, and how much it counts. */
export type TargetOf<Column> =
  | Column
  | {
      readonly column: Column;
      /** 1–10, default 1. */
      readonly weight?: number | undefined;
    };

/** What to search for, in one table or several. */
export interface SearchSettings {
  /** At most 2,048 characters; without a word it matches nothing (rule Q-2). */
  readonly query?: string | undefined;
  /** How far a word may be off: 0, 1 (the default) or 2 (rule Q-3). */
  readonly fuzziness?: 0 | 1 | 2 | undefined;
  /** `phrase`: the words follow one another, the last may go on (rule Q-4); default `disabled`. */
  readonly prefix?: "phrase" | "disabled" | undefined;
  /** Whether passages are given (default) and encoded for HTML (default). */
  readonly highlight?:
    | { readonly enabled?: boolean | undefined; readonly encodeHTML?: boolean | undefined }
    | undefined;
  /** `size` 1–200, default 25; `offset` 0–800, default 0 (rule Q-7). */
  readonly page?:
    | { readonly size?: number | undefined; readonly offset?: number | undefined }
    | undefined;
}

/** Where to search in a table, and what else counts. */
export interface SearchParts<Target, Filter, Booster> {
  /** One column at least; default all with text (rule Q-1). */
  readonly target?: readonly Target[] | undefined;
  /** Which records are searched; default all. */
  readonly filter?: Filter | undefined;
  /** At most 100. */
  readonly boosters?: readonly Booster[] | undefined;
}

/** A search of a table whose columns are not known. */
export interface TableSearchRequest
  extends SearchSettings,
    SearchParts<TargetOf<string>, Filter, BoosterParts<string, string, string, Filter>> {}

/** A search of a branch. */
export interface BranchSearchRequest extends SearchSettings {
  readonly query: string;
  /** Default all of them. */
  readonly tables?: readonly (string | SearchedTableParts)[] | undefined;
}

/** A table of a branch to search, with what is particular to it. */
export interface SearchedTableParts
  extends SearchParts<TargetOf<string>, Filter, BoosterParts<string, string, string, Filter>> {
  /** Its name in the branch. */
  readonly table: string;
}

/** A search of a table, its columns checked; filters follow links as {@link FilterOf} does. */
export type TableSearchOf<S extends AnyShape> =
  IsLoose<ScopeOf<S>> extends true
    ? TableSearchRequest
    : SearchSettings &
        SearchParts<
          TargetOf<TextPath<S>>,
          FilterOf<S>,
          BoosterParts<
            PathTo<S, "bool" | "int" | "float" | "string" | "text" | "email" | "id">,
            PathTo<S, "int" | "float">,
            PathTo<S, "datetime">,
            FilterOf<S>
          >
        >;

/** A search for vectors (rule V-1). */
export interface VectorSearchParts<Column, Filter> {
  /** A column of the type `vector`. */
  readonly column: Column;
  /** As many numbers as the column's have. */
  readonly queryVector: readonly number[];
  /** Default `cosineSimilarity` (rule V-2). */
  readonly similarityFunction?: "cosineSimilarity" | "l1" | "l2" | undefined;
  /** 1–1000, default 10. */
  readonly size?: number | undefined;
  /** Which records are compared; default all. */
  readonly filter?: Filter | undefined;
}

/** A search for vectors in a table, its columns checked. */
export type VectorSearchOf<S extends AnyShape> =
  IsLoose<ScopeOf<S>> extends true
    ? VectorSearchParts<string, Filter>
    : VectorSearchParts<OwnPathTo<S, "vector">, FilterOf<S>>;

/** What searches found: at most a page, and how many there are. */
export interface SearchResult<R = FoundRecord<AnyShape>> {
  /** The best first. */
  records: R[];
  /** How many records match, beyond this page too. */
  totalCount: number;
}

/** The passages of a record that match, by column, those of sub-columns nested (rule Q-6). */
export interface Highlight {
  [column: string]: string[] | Highlight;
}

/** What a search adds to the metadata of a record. */
export interface SearchMetadata {
  /** The table the record is in. */
  table: string;
  /** How well it fits; more is better (rule Q-5). */
  score: number;
  /** Unless it is not wanted, and in searches for vectors. */
  highlight?: Highlight;
}

/** A whole record with what a search has found of it. */
export type FoundRecord<S extends AnyShape> =
  IsLoose<ScopeOf<S>> extends true
    ? AnyRecord
    : Flatten<
        RecordOf<S> & {
          [M in S["profile"]["metadataColumn"]]: SearchMetadata;
        }
      >;

/** The paths of a table's own columns of some types. */
type OwnPathTo<S extends AnyShape, Type> = {
  [P in OwnPath<ScopeOf<S>>]: ColumnAt<ScopeOf<S>, P> extends {
    readonly column: { readonly type: Type };
  }
    ? P
    : never;
}[OwnPath<ScopeOf<S>>];

/** The same, and paths through links, which calls look up. */
type PathTo<S extends AnyShape, Type> = OwnPathTo<S, Type> | LinkPattern<ScopeOf<S>>;

/** The paths of columns with text, and of objects, which may have some. */
type TextPath<S extends AnyShape> = OwnPathTo<
  S,
  "string" | "text" | "email" | "multiple" | "object"
>;
