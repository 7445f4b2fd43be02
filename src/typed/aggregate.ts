import type { AnyType, TypeWith } from "../schema/traits.js";
import type { AggregateResult } from "../types.js";
import type { CheckedFilter } from "./filter.js";
import type { Invalid } from "./mistake.js";
import type { ColumnAt } from "./path.js";
import type { IsUntyped, ScopeOf } from "./scope.js";
import type { AnyShape } from "./shape.js";
import type { CheckData, CheckTyped, Numeric, TypeAt } from "./summary.js";
import type { Flatten, IsAny, OutputOf } from "./values.js";

/** Aggregations of a call: each column and filter is looked up. */
export type CheckedAggregations<S extends AnyShape, A> =
  IsUntyped<ScopeOf<S>> extends true ? A : A & CheckAll<S, A>;

export type OfferedAggregations<S extends AnyShape, A> =
  IsUntyped<ScopeOf<S>> extends true ? A : CheckAll<S, A>;

type CheckAll<S extends AnyShape, A> = {
  readonly [N in keyof A]: {
    readonly [Kind in keyof A[N]]: Kind extends "count"
      ? CheckCount<S, A[N][Kind]>
      : Kind extends keyof TypesByKind
        ? CheckSettings<S, A[N][Kind], TypesIn<S>[Kind]>
        : never;
  };
};

interface TypesByKind {
  sum: Numeric;
  average: Numeric;
  min: Numeric;
  max: Numeric;
  percentiles: Numeric;
  numericHistogram: Numeric;
  dateHistogram: Instants;
  topValues: Exclude<TypeWith<{ sortable: true }>, Instants>;
  uniqueCount: Exclude<AnyType, "object" | TypeWith<{ operators: "none" }>>;
}

/** Under `xata`, `topValues` takes no text. */
type TypesIn<S extends AnyShape> = S["profile"] extends { readonly base: "xata" }
  ? Omit<TypesByKind, "topValues"> & { topValues: Exclude<TypesByKind["topValues"], "text"> }
  : TypesByKind;

type Instants = TypeWith<{ stored: "instant" }>;

type CheckSettings<S extends AnyShape, F, Types> = {
  readonly [K in keyof F]: K extends "column"
    ? CheckStored<
        S,
        F[K],
        [Types] extends [Instants]
          ? CheckData<S, F[K], CheckTyped<S, F[K], Types>>
          : CheckTyped<S, F[K], Types>
      >
    : K extends "aggs"
      ? CheckAll<S, F[K]>
      : K extends Setting
        ? F[K]
        : never;
};

/** Under `xata`, aggregations have no links nor columns behind them. */
type CheckStored<S extends AnyShape, Path, Checked> = S["profile"] extends { readonly base: "xata" }
  ? ColumnAt<ScopeOf<S>, Path> extends
      | { readonly column: { readonly type: "link" } }
      | { readonly scope: { readonly reach: "link" | "link-object" } }
    ? [ColumnAt<ScopeOf<S>, Path>] extends [never]
      ? Checked
      : Invalid<`${Path & string} is a link, or leads through one`>
    : Checked
  : Checked;

type Setting =
  | "size"
  | "interval"
  | "offset"
  | "calendarInterval"
  | "timezone"
  | "percentiles"
  | "precisionThreshold";

type CheckCount<S extends AnyShape, F> = F extends { readonly filter: infer Where }
  ? { readonly filter: CheckedFilter<S, KeysIn<Where>, ExistsIn<Where>, unknown> }
  : F;

type KeysIn<F> = F extends readonly (infer Member)[]
  ? KeysIn<Member>
  : F extends object
    ? keyof F | KeysIn<F[keyof F]>
    : never;

/** Paths under a filter's `$exists` and its negations, at any level. */
type ExistsIn<F> = F extends readonly (infer Member)[]
  ? ExistsIn<Member>
  : F extends object
    ? {
        [K in keyof F]: K extends "$exists" | "$notExists" | "$existsNot"
          ? TextIn<F[K]>
          : ExistsIn<F[K]>;
      }[keyof F]
    : never;

type TextIn<Paths> = Paths extends string
  ? Paths
  : Paths extends readonly (infer Path)[]
    ? Extract<Path, string>
    : never;

export type Aggregates<S extends AnyShape, A> =
  IsUntyped<ScopeOf<S>> extends true ? AggregateResult : { aggs: Results<S, A> };

type Results<S extends AnyShape, A> = {
  -readonly [N in keyof A]: IsAny<A[N]> extends true ? never : ResultOf<S, A[N]>;
};

type ResultOf<S extends AnyShape, E> = E extends
  | { readonly count: unknown }
  | { readonly uniqueCount: unknown }
  ? number
  : E extends { readonly percentiles: unknown }
    ? { values: { [percentile: string]: number | null } }
    : E extends { readonly topValues: infer F }
      ? BucketsOf<S, F, KeyAt<S, F>>
      : E extends { readonly numericHistogram: infer F }
        ? BucketsOf<S, F, number>
        : E extends { readonly dateHistogram: infer F }
          ? BucketsOf<S, F, string>
          : number | null;

interface BucketsOf<S extends AnyShape, F, Key> {
  values: Flatten<
    { $key: Key; $count: number } & (F extends { readonly aggs: infer A } ? Results<S, A> : unknown)
  >[];
}

/** The type of a bucket key: a link's is its id. */
type KeyAt<S extends AnyShape, F> = F extends { readonly column: infer Path }
  ? TypeAt<S, Path> extends "link"
    ? string
    : OutputOf<TypeAt<S, Path>, S["profile"]>
  : never;
