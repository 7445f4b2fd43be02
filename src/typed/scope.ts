import type { ColumnDefinition } from "../types.js";
import type { AnyShape, ProfileShape, TableColumns } from "./shape.js";
import type { InheritedName } from "./values.js";

/** How the columns are reached. Linked records may not exist (P-7). */
export type Reach = "table" | "link" | "object" | "link-object";

export interface TypeScope<
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

export type ScopeOf<S extends AnyShape> = TypeScope<
  S["tables"][S["name"]],
  S["tables"],
  S["profile"],
  "table"
>;

/**
 * Whether a scope is untyped: unknown columns or profile, or a column named like a member of
 * `Object.prototype`, which would change the type of each record (N-5).
 */
export type IsUntyped<S extends TypeScope> = number extends S["columns"]["length"]
  ? true
  : string extends NameIn<S> | S["profile"]["metadataColumn"]
    ? true
    : S["columns"] extends readonly []
      ? true
      : [NameIn<S> & InheritedName] extends [never]
        ? false
        : true;

export type NameIn<S extends TypeScope> = S["columns"][number]["name"];

export type FirstName<S extends TypeScope> = NameIn<S> | ImplicitName<S>;

/** Id and metadata, which records have and object columns do not. */
type ImplicitName<S extends TypeScope> = S["reach"] extends "table" | "link"
  ? S["profile"]["idColumn"] | MetadataName<S["profile"]>
  : never;

/** The columns of the metadata. */
export type MetadataName<P extends ProfileShape> = P["idColumn"] extends "id"
  ? P["metadataColumn"]
  : keyof FlatMetadata;

/** The metadata of a record under `xata-next`. */
export interface FlatMetadata {
  xata_version: number;
  xata_createdat: string;
  xata_updatedat: string;
}

export type ColumnIn<S extends TypeScope, Name> =
  Name extends NameIn<S>
    ? ColumnsByName<S["columns"]>[Name]
    : Name extends ImplicitName<S>
      ? Name extends "id" | "xata_id"
        ? IdColumn
        : Name extends keyof FlatColumns
          ? FlatColumns[Name]
          : MetadataColumn
      : never;

type ColumnsByName<Columns extends readonly ColumnDefinition[]> = {
  readonly [D in Columns[number] as D["name"]]: D;
};

interface IdColumn {
  readonly type: "id";
  readonly notNull: true;
}

interface FlatColumns {
  readonly xata_version: { readonly type: "int"; readonly notNull: true };
  readonly xata_createdat: { readonly type: "datetime"; readonly notNull: true };
  readonly xata_updatedat: { readonly type: "datetime"; readonly notNull: true };
}

interface MetadataColumn {
  readonly type: "object";
  readonly columns: readonly [
    { readonly name: "version"; readonly type: "int"; readonly notNull: true },
    { readonly name: "createdAt"; readonly type: "datetime"; readonly notNull: true },
    { readonly name: "updatedAt"; readonly type: "datetime"; readonly notNull: true },
  ];
}

/** The scope inside a column: an object's sub-columns or a link's target; never for others. */
export type Enter<S extends TypeScope, D> = D extends { readonly type: "object" }
  ? TypeScope<
      SubColumns<D>,
      S["tables"],
      S["profile"],
      S["reach"] extends "table" | "object" ? "object" : "link-object"
    >
  : D extends { readonly type: "link" }
    ? TypeScope<TargetColumns<S["tables"], D>, S["tables"], S["profile"], "link">
    : never;

type SubColumns<D> = D extends {
  readonly columns: infer Columns extends readonly ColumnDefinition[];
}
  ? Columns
  : readonly ColumnDefinition[];

type TargetColumns<Tables extends TableColumns, D> = D extends {
  readonly link: { readonly table: infer Target extends keyof Tables };
}
  ? Tables[Target]
  : readonly ColumnDefinition[];
