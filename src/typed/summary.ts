import type { TypeWith } from "../schema/traits.js";
import type { SummarizeResult } from "../types.js";
import type { FileMembers, FileType } from "./file.js";
import type { Invalid } from "./mistake.js";
import type { ColumnAt, PathsAfter, UnknownColumn } from "./path.js";
import type { IsPresent } from "./record.js";
import type {
  ColumnIn,
  Enter,
  FirstName,
  FlatMetadata,
  IsUntyped,
  NameIn,
  ScopeOf,
  TypeScope,
} from "./scope.js";
import type { AnyShape } from "./shape.js";
import type { Flatten, IdOf, OutputOf } from "./values.js";

export type CheckedSummaries<S extends AnyShape, F> =
  IsUntyped<ScopeOf<S>> extends true
    ? F
    : F & {
        readonly [N in keyof F]: { readonly [Kind in keyof TypesByAggregate]?: unknown } & {
          readonly [K in keyof F[N]]: CheckAggregate<S, K, F[N][K]>;
        };
      };

export type OfferedSummaries<S extends AnyShape, F> =
  IsUntyped<ScopeOf<S>> extends true
    ? F
    : { readonly [N in keyof F]: { readonly [K in keyof F[N]]: CheckAggregate<S, K, F[N][K]> } };

type CheckAggregate<S extends AnyShape, Kind, Path> = Kind extends keyof TypesByAggregate
  ? Path extends TypesByAggregate[Kind]["plain"]
    ? Path
    : CheckData<S, Path, CheckTyped<S, Path, TypesByAggregate[Kind]["column"]>>
  : never;

/** Under `xata`, some operands are neither ids nor metadata. */
export type CheckData<S extends AnyShape, Path, Checked> = S["profile"] extends {
  readonly base: "xata";
  readonly metadataColumn: infer Metadata extends string;
  readonly idColumn: infer Id extends string;
}
  ? Path extends Internal<Id, Metadata> | `${string}.${Internal<Id, Metadata>}`
    ? Invalid<`${Path} is an id or metadata`>
    : Checked
  : Checked;

type Internal<Id extends string, Metadata extends string> = Id extends "id"
  ? Id | `${Metadata}.${string}`
  : Id | keyof FlatMetadata;

interface TypesByAggregate {
  count: { plain: "*" | undefined; column: unknown };
  sum: { plain: undefined; column: Numeric };
  average: { plain: undefined; column: Numeric };
  min: { plain: undefined; column: Ordered };
  max: { plain: undefined; column: Ordered };
}

export type Numeric = TypeWith<{ stored: "number" }>;
type Ordered = TypeWith<{ operators: "text" | "range" }>;

export type CheckTyped<S extends AnyShape, Path, Types> = [ColumnAt<ScopeOf<S>, Path>] extends [
  never,
]
  ? PathTo<S, PathsAfter<ScopeOf<S>, Path>, Types> | UnknownColumn<ScopeOf<S>, Path>
  : TypeAt<S, Path> extends Types | "unknown"
    ? Path
    : Invalid<`${Path & string} has type ${TypeAt<S, Path> & string}`>;

type PathTo<S extends AnyShape, Path, Types> = Path extends string
  ? TypeAt<S, Path> extends Types
    ? Path
    : never
  : never;

export type TypeAt<S extends AnyShape, Path> =
  ColumnAt<ScopeOf<S>, Path> extends { readonly column: { readonly type: infer Type } }
    ? Type
    : never;

/** The groups of a summary: their columns as in a record, and every aggregate. */
export type Summary<S extends AnyShape, Columns, F> =
  IsUntyped<ScopeOf<S>> extends true
    ? SummarizeResult
    : { summaries: Flatten<GroupColumns<ScopeOf<S>, Columns> & AggregateValues<S, F>>[] };

type AggregateValues<S extends AnyShape, F> = {
  -readonly [N in keyof F]: F[N] extends { readonly count: unknown }
    ? number
    : F[N] extends { readonly min: infer Path } | { readonly max: infer Path }
      ? OutputOf<TypeAt<S, Path>, S["profile"]> | null
      : number | null;
};

/** The columns to group by; missing values are null. Linked records have no metadata here. */
type GroupColumns<S extends TypeScope, Paths> = {
  [N in GroupName<S, Paths>]: GroupValue<S, N, ColumnIn<S, N>, PathsUnder<Paths, N>>;
};

type GroupName<S extends TypeScope, Paths> = "*" extends Paths
  ? NameIn<S> | GroupName<S, Exclude<Paths, "*">>
  : Extract<Paths extends `${infer Head}.${string}` ? Head : Paths, FirstName<S>>;

type PathsUnder<Paths, N extends string> = Paths extends "*" | N
  ? ""
  : Paths extends `${N}.${infer Rest}`
    ? Rest
    : never;

type GroupValue<S extends TypeScope, N, D, Paths> = D extends { readonly type: infer Type }
  ? Type extends "object"
    ? GroupsIn<Enter<S, D>, Paths extends "" ? "*" : Paths>
    : Type extends "link"
      ? LinkGroups<S, N, Enter<S, D>, Paths>
      : Type extends FileType
        ? { [M in Extract<Paths, keyof FileMembers>]: FileMembers[M] | null }
        : OrNull<S, N, OutputOf<Type, S["profile"]>>
  : never;

type LinkGroups<S extends TypeScope, N, Target extends TypeScope, Paths> = [
  Exclude<Paths, "">,
] extends [never]
  ? OrNull<S, N, IdOf<S["profile"]>>
  : Flatten<
      ("" extends Paths ? { [K in S["profile"]["idColumn"]]: string | null } : unknown) &
        GroupsIn<Target, Exclude<Paths, "">>
    >;

/** Values behind a null link are null. */
type OrNull<S extends TypeScope, N, Value> = S["reach"] extends "link" | "link-object"
  ? Value | null
  : IsPresent<S, N, Value> extends true
    ? Value
    : Value | null;

type GroupsIn<S extends TypeScope, Paths> =
  IsUntyped<S> extends true ? { [column: string]: unknown } : Flatten<GroupColumns<S, Paths>>;
