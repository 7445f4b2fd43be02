import type { AnyRecord, RecordMetadata, ReverseLinkSelection } from "../types.js";
import type { FileOutput, FileType } from "./file.js";
import type {
  ColumnIn,
  Enter,
  FlatMetadata,
  IsUntyped,
  NameIn,
  ScopeOf,
  TypeScope,
} from "./scope.js";
import type { AnyShape, ProfileShape, TableShape } from "./shape.js";
import type { Flatten, IdOf, IsOptional, OutputOf } from "./values.js";

/**
 * A record as returned without `columns` (P-1). Nullable columns are optional: null is left out
 * (R-4).
 */
export type RecordOf<S extends AnyShape> = Selected<S, "*">;

/**
 * A record as returned with `columns: Columns[]` (P-2 … P-8). A linked record may not exist:
 * everything but its `id` is optional (P-7).
 */
export type Selected<S extends AnyShape, Columns = "*"> =
  IsUntyped<ScopeOf<S>> extends true
    ? AnyRecord
    : Flatten<
        IdOf<S["profile"]> &
          MetadataOf<S["profile"]> &
          Present<ScopeOf<S>, Outputs<ScopeOf<S>, Columns>> &
          ReverseRecords<S, Extract<Columns, ReverseLinkSelection>>
      >;

type MetadataOf<P extends ProfileShape> = P["idColumn"] extends "id"
  ? { [M in P["metadataColumn"]]: RecordMetadata }
  : FlatMetadata;

type LinkedRecord<S extends TypeScope, Paths> =
  IsUntyped<S> extends true
    ? AnyRecord
    : Flatten<IdOf<S["profile"]> & Partial<MetadataOf<S["profile"]>> & Partial<Outputs<S, Paths>>>;

type Outputs<S extends TypeScope, Paths> = {
  [N in SelectedName<S, Paths>]: ColumnOutput<S, ColumnIn<S, N>, PathsUnder<Paths, N>>;
};

type SelectedName<S extends TypeScope, Paths> = "*" extends Paths
  ? NameIn<S>
  : Extract<Paths extends `${infer Head}.${string}` ? Head : Paths, NameIn<S>>;

/** Remainders of paths below a name: `""` for the name itself, null for `*`. */
type PathsUnder<Paths, N extends string> = Paths extends "*"
  ? null
  : Paths extends N
    ? ""
    : Paths extends `${N}.${infer Rest}`
      ? Rest
      : never;

type ColumnOutput<S extends TypeScope, D, Paths> = D extends { readonly type: infer Type }
  ? Type extends "object"
    ? ObjectOutput<Enter<S, D>, Paths extends "" | null ? "*" : Paths>
    : Type extends "link"
      ? LinkOutput<Enter<S, D>, Exclude<"" extends Paths ? Paths | BareLink<S> : Paths, "" | null>>
      : Type extends FileType
        ? FileOutput<Type, Paths>
        : OutputOf<Type, S["profile"]>
  : never;

type ObjectOutput<S extends TypeScope, Paths> =
  IsUntyped<S> extends true
    ? { [column: string]: unknown }
    : Flatten<Present<S, Outputs<S, Paths>>>;

type LinkOutput<Target extends TypeScope, Paths> = [Paths] extends [never]
  ? IdOf<Target["profile"]>
  : LinkedRecord<Target, Paths>;

/** Columns that a bare link name selects beside the id: under `xata` all (P-6). */
type BareLink<S extends TypeScope> = S["profile"]["base"] extends "xata" ? "*" : never;

export type Present<S extends TypeScope, Columns> = {
  [N in keyof Columns as IsPresent<S, N, Columns[N]> extends true ? N : never]: Columns[N];
} & {
  [N in keyof Columns as IsPresent<S, N, Columns[N]> extends true ? never : N]?: Columns[N];
};

/** Whether every selected record has a value: the column or a selected sub-column is `notNull`. */
export type IsPresent<S extends TypeScope, N, Value> = S["reach"] extends "link" | "link-object"
  ? false
  : ColumnIn<S, N> extends infer D
    ? D extends { readonly type: "object" }
      ? IsOptional<Value> extends true
        ? D extends { readonly notNull: true }
          ? NameIn<Enter<S, D>> extends keyof Value
            ? true
            : false
          : false
        : true
      : D extends { readonly notNull: true }
        ? true
        : false
    : false;

type ReverseRecords<S extends AnyShape, R extends ReverseLinkSelection> = {
  [One in R as KeyOf<One>]: { records: RecordsBehind<S, One>[] };
};

type KeyOf<R extends ReverseLinkSelection> = R extends { readonly as: infer As extends string }
  ? As
  : R["name"];

type RecordsBehind<
  S extends AnyShape,
  R extends ReverseLinkSelection,
> = R["name"] extends `<-${infer Table extends keyof S["tables"] & string}.${string}`
  ? Selected<
      TableShape<S["tables"], Table, S["profile"]>,
      R extends { readonly columns: readonly (infer C)[] } ? C : "*"
    >
  : AnyRecord;
