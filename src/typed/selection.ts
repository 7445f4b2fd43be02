import type { ColumnSelection, ReverseLinkSelection } from "../types.js";
import type { FileMembers, FileType } from "./file.js";
import type { Invalid } from "./mistake.js";
import type { ColumnAt, LinkPath, OwnPath, SelectionsAfter, StarPath } from "./path.js";
import type { IsUntyped, ScopeOf } from "./scope.js";
import type { AnyShape, TableShape } from "./shape.js";

/** A member of `columns` declared apart from its call (P-1 … P-11). */
export type ColumnsOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> =
  IsUntyped<ScopeOf<S>> extends true
    ? ColumnSelection
    :
        | "*"
        | OwnColumns<S>
        | LinkPath<S, Links>
        | StarOf<S, OwnPath<ScopeOf<S>> | LinkPath<S, Links>>
        | ReverseSelection;

/** Any string, for inference; {@link CheckedColumns} checks it and offers completions. */
export type AnyColumnsOf<S extends AnyShape> =
  IsUntyped<ScopeOf<S>> extends true ? ColumnSelection : string | ReverseSelection;

/** The inferred `columns`; the default if none, where inference yields the constraint. */
export type GivenColumns<Columns, Otherwise = "*"> = [string] extends [Columns]
  ? Otherwise
  : Columns;

export type CheckedColumns<S extends AnyShape, C> =
  | readonly (C & CheckColumn<S, C>)[]
  | Offers<OfferedColumn<S, NoInfer<C>>>;

type Offers<Column> = [Column] extends [never] ? never : readonly Column[];

type OfferedColumn<S extends AnyShape, C> =
  IsUntyped<ScopeOf<S>> extends true
    ? never
    : string extends C
      ? never // nothing was inferred yet
      : C extends string
        ? [CheckColumn<S, C>] extends [never]
          ? SelectionsAfter<ScopeOf<S>, C>
          : C
        : C & CheckColumn<S, C>;

type OwnColumns<S extends AnyShape> = OwnPath<ScopeOf<S>> | StarPath<ScopeOf<S>>;

type StarOf<S extends AnyShape, Path> = Path extends string
  ? `${Path}.*` extends CheckColumn<S, `${Path}.*`>
    ? ColumnAt<ScopeOf<S>, Path> extends { readonly column: { readonly type: FileType } }
      ? `${Path}.*` | `${Path}.${keyof FileMembers}`
      : `${Path}.*`
    : never
  : never;

type CheckColumn<S extends AnyShape, C> =
  IsUntyped<ScopeOf<S>> extends true
    ? C
    : C extends "*"
      ? C
      : C extends ReverseLinkSelection
        ? CheckReverse<S, C>
        : C extends `${string}->${string}`
          ? never
          : C extends `${infer Parent}.*`
            ? Leads<ColumnAt<ScopeOf<S>, Parent>, Container> extends true
              ? C
              : never
            : [ColumnAt<ScopeOf<S>, C>] extends [never]
              ? UnknownAt<C>
              : C;

/** A text that is known only at run time has no type of a column. */
type UnknownAt<C> = string extends C
  ? Invalid<"one of the table's columns; declare the list `as const`, or as ColumnsOf<…>[]">
  : never;

type Leads<P, Kind> = [P] extends [never] ? false : P extends Kind ? true : false;

type Container = {
  readonly column: { readonly type: "object" | "link" | FileType | "unknown" };
};

/** A reverse link as a member of `columns` (P-11). Calls check that the link exists. */
export interface ReverseSelection extends ReverseLinkSelection {
  readonly name: `<-${string}.${string}`;
}

type CheckReverse<
  S extends AnyShape,
  C extends ReverseLinkSelection,
> = C["name"] extends `<-${infer Table}.${infer Link}`
  ? Table extends keyof S["tables"] & string
    ? Leads<ColumnAt<ScopeOf<Sibling<S, Table>>, Link>, LinkTo<S["name"]>> extends true
      ? CheckInner<Sibling<S, Table>, C>
      : UnknownReverse<C>
    : // For a table created alone, the tables that link to it are unknown.
      [keyof S["tables"]] extends [S["name"]]
      ? C
      : UnknownReverse<C>
  : UnknownReverse<C>;

type Sibling<S extends AnyShape, Table extends keyof S["tables"] & string> = TableShape<
  S["tables"],
  Table,
  S["profile"]
>;

interface LinkTo<Target extends string> {
  readonly scope: { readonly reach: "table" | "object" };
  readonly column: { readonly type: "link"; readonly link: { readonly table: Target } };
}

interface UnknownReverse<C extends ReverseLinkSelection> {
  readonly name: Invalid<`${C["name"]} is no link to this table`>;
}

type CheckInner<S extends AnyShape, C extends ReverseLinkSelection> = C extends {
  readonly columns: readonly (infer Inner)[];
}
  ? [Inner] extends [CheckColumn<S, Inner>]
    ? C
    : { readonly columns: readonly CheckColumn<S, Inner>[] }
  : C;
