import type { ProfileName, ProfileOption, ProfileSettings } from "../profile.js";
import type { ColumnDefinition } from "../types.js";

/** Column lists by table name, as `createTables` takes them. */
export interface TableColumns {
  readonly [table: string]: readonly ColumnDefinition[];
}

/** Columns whose links complete to those tables' names, without excluding others. */
export interface LinksAmong<Tables extends string> {
  readonly [table: string]: readonly LinkAmong<Tables>[];
}

interface LinkAmong<Tables extends string> extends ColumnDefinition {
  readonly link?: { readonly table: Tables | (string & Record<never, never>) } | undefined;
}

/** The parts of a profile that affect types. */
export interface ProfileShape {
  /** The base whose types columns and filters have. */
  readonly base: ProfileName;
  readonly metadataColumn: string;
  /** Name of the id; if not `id`, the metadata are columns such as `xata_createdat`. */
  readonly idColumn: "id" | "xata_id";
}

export interface DocumentedProfile extends ProfileShape {
  readonly base: "documented";
  readonly metadataColumn: "service";
  readonly idColumn: "id";
}

export interface XataProfile extends ProfileShape {
  readonly base: "xata";
  readonly metadataColumn: "xata";
  readonly idColumn: "id";
}

export interface XataNextProfile extends ProfileShape {
  readonly base: "xata";
  readonly metadataColumn: "xata";
  readonly idColumn: "xata_id";
}

/** The shape of a profile option. */
export type ProfileShapeOf<Option extends ProfileOption | undefined> = [Option] extends [
  ProfileName | undefined,
]
  ? BaseShape<Option>
  : [Option] extends [Partial<ProfileSettings>]
    ? ChangedShape<BaseShape<Field<Option, "base">>, Field<Option, "metadataColumn">>
    : ProfileShape;

/** The shape of a base; untyped if the base is known only at run time. */
type BaseShape<Name> = [Name] extends ["documented" | undefined]
  ? DocumentedProfile
  : [Name] extends ["xata"]
    ? XataProfile
    : [Name] extends ["xata-next"]
      ? XataNextProfile
      : ProfileShape;

type Field<Option, Key> = Key extends keyof Option ? Option[Key] : undefined;

interface ChangedShape<Base extends ProfileShape, Name> extends ProfileShape {
  readonly base: Base["base"];
  readonly metadataColumn: Name extends string ? Name : Base["metadataColumn"];
  readonly idColumn: Base["idColumn"];
}

/**
 * A table's type: the columns of all tables in the schema, its own name and the profile.
 *
 * @example
 * const schema = { users: [{ name: "email", type: "email" }] } as const;
 * type User = RecordOf<TableShape<typeof schema, "users">>;
 */
export interface TableShape<
  Tables extends TableColumns,
  Name extends keyof Tables & string,
  P extends ProfileShape = DocumentedProfile,
> {
  readonly tables: Tables;
  readonly name: Name;
  readonly profile: P;
}

/** Any table: the constraint of generic code over a {@link TableShape}, untyped by itself. */
export interface AnyShape {
  readonly tables: TableColumns;
  readonly name: string;
  readonly profile: ProfileShape;
}

/** The shape of a table created alone: links to other tables are unknown. */
export type SingleShape<
  Name extends string,
  Columns extends readonly ColumnDefinition[],
  P extends ProfileShape = DocumentedProfile,
> = number extends Columns["length"]
  ? AnyShape
  : Columns extends readonly []
    ? AnyShape
    : string extends Name
      ? // No table is named "" (N-1), so no link points to it.
        TableShape<{ readonly "": Columns }, "", P>
      : TableShape<{ readonly [N in Name]: Columns }, Name, P>;
