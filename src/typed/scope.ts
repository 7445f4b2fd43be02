import type { ColumnDefinition } from "../types.js";
import type { AnyShape, ProfileShape, TableColumns } from "./shape.js";
import type { InheritedName } from "./values.js";

/**
 * Where a path is looked up: `table`, a record of the table asked; `link`, a record reached through a
 * link, of which everything may be missing (P-7); `object` and `link-object`, inside an object
 * column of those.
 */
export type Reach = "table" | "link" | "object" | "link-object";

/** The columns that a path can name from where it is looked up. */
export interface Scope<
  Columns extends readonly ColumnDefinition[] = readonly ColumnDefinition[],
  Tables extends TableColumns = TableColumns,
  P extends ProfileShape = ProfileShape,
  R extends Reach = Reach,
> {
  readonly columns: Columns;
  readonly tables: Tables;
  readonly profile: P;
  readonly reach: R;
}

/** The scope of a table's own records. */
export type ScopeOf<S extends AnyShape> = Scope<
  S["tables"][S["name"]],
  S["tables"],
  S["profile"],
  "table"
>;

/**
 * Whether a scope's columns are not known: no literal definitions, none at all, or a profile known
 * only when the program runs. So too where a column is named like a member of every object, which
 * the checker would take for that column in each record and filter (N-5).
 */
export type IsLoose<S extends Scope> = number extends S["columns"]["length"]
  ? true
  : string extends NameIn<S> | S["profile"]["metadataColumn"]
    ? true
    : S["columns"] extends readonly []
      ? true
      : [NameIn<S> & InheritedName] extends [never]
        ? false
        : true;

/** The names of a scope's declared columns. */
export type NameIn<S extends Scope> = S["columns"][number]["name"];

/** The names that a path can begin with in a scope. */
export type FirstName<S extends Scope> = NameIn<S> | ImplicitName<S>;

/** The `id` and the metadata column, which records have and object columns do not. */
type ImplicitName<S extends Scope> = S["reach"] extends "table" | "link"
  ? "id" | S["profile"]["metadataColumn"]
  : never;

/** A column's definition by its name in a scope, never where there is none. */
export type ColumnIn<S extends Scope, Name> =
  Name extends NameIn<S>
    ? ColumnsByName<S["columns"]>[Name]
    : Name extends ImplicitName<S>
      ? Name extends "id"
        ? IdColumn
        : MetadataColumn
      : never;

type ColumnsByName<Columns extends readonly ColumnDefinition[]> = {
  readonly [D in Columns[number] as D["name"]]: D;
};

interface IdColumn {
  readonly type: "id";
  readonly notNull: true;
}

/** The metadata column: like an object column, though not declared. */
interface MetadataColumn {
  readonly type: "object";
  readonly columns: readonly [
    { readonly name: "version"; readonly type: "int"; readonly notNull: true },
    { readonly name: "createdAt"; readonly type: "datetime"; readonly notNull: true },
    { readonly name: "updatedAt"; readonly type: "datetime"; readonly notNull: true },
  ];
}

/** The scope inside a column: an object's sub-columns, a link's target; never for others. */
export type Enter<S extends Scope, D> = D extends { readonly type: "object" }
  ? Scope<
      SubColumns<D>,
      S["tables"],
      S["profile"],
      S["reach"] extends "table" | "object" ? "object" : "link-object"
    >
  : D extends { readonly type: "link" }
    ? Scope<TargetColumns<S["tables"], D>, S["tables"], S["profile"], "link">
    : never;

type SubColumns<D> = D extends {
  readonly columns: infer Columns extends readonly ColumnDefinition[];
}
  ? Columns
  : readonly ColumnDefinition[];

/** The columns of a link's target, where the schema knows it. */
type TargetColumns<Tables extends TableColumns, D> = D extends {
  readonly link: { readonly table: infer Target extends keyof Tables };
}
  ? Tables[Target]
  : readonly ColumnDefinition[];
