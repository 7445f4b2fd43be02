import type { Profile, ProfileName, ProfileOption } from "../profile.js";
import type { ColumnDefinition } from "../types.js";

/** Column lists by the name of their table: a schema, as `createTables` takes it. */
export interface TableColumns {
  readonly [table: string]: readonly ColumnDefinition[];
}

/** Columns whose links an editor completes with the names of those tables; others may be there too. */
export interface LinksAmong<Tables extends string> {
  readonly [table: string]: readonly LinkAmong<Tables>[];
}

interface LinkAmong<Tables extends string> extends ColumnDefinition {
  readonly link?: { readonly table: Tables | (string & Record<never, never>) } | undefined;
}

/** What of a profile decides types: the name of the metadata column, and the base's own rules. */
export interface ProfileShape {
  /** The profile it is made of. */
  readonly base: ProfileName;
  /** The key of a record's metadata. */
  readonly metadataColumn: string;
}

/** The default profile, `documented`. */
export interface DocumentedProfile extends ProfileShape {
  /** The profile it is made of. */
  readonly base: "documented";
  /** The key of a record's metadata. */
  readonly metadataColumn: "service";
}

/** The profile `xata`. */
export interface XataProfile extends ProfileShape {
  /** The profile it is made of. */
  readonly base: "xata";
  /** The key of a record's metadata. */
  readonly metadataColumn: "xata";
}

/** The shape of the profile that an option of `createEngine` means. */
export type ProfileShapeOf<Option extends ProfileOption | undefined> = [Option] extends [
  ProfileName | undefined,
]
  ? BaseShape<Option>
  : [Option] extends [Partial<Profile>]
    ? ChangedShape<BaseShape<Field<Option, "base">>, Field<Option, "metadataColumn">>
    : ProfileShape;

/** The shape of a base; where only the program knows which one, tables are loose. */
type BaseShape<Name> = [Name] extends ["documented" | undefined]
  ? DocumentedProfile
  : [Name] extends ["xata"]
    ? XataProfile
    : ProfileShape;

type Field<Option, Key> = Key extends keyof Option ? Option[Key] : undefined;

interface ChangedShape<Base extends ProfileShape, Name> extends ProfileShape {
  readonly base: Base["base"];
  readonly metadataColumn: Name extends string ? Name : Base["metadataColumn"];
}

/**
 * A table as the type checker knows it: the columns of a schema's tables, the name of this one
 * among them, and the profile.
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
  /** The columns of the schema's tables. */
  readonly tables: Tables;
  /** The name of this one. */
  readonly name: Name;
  /** What of the engine's profile decides types. */
  readonly profile: P;
}

/**
 * Any table: the constraint of what is generic over a {@link TableShape}, and by itself a table of
 * which nothing is known, so that everything about it is loose.
 */
export interface AnyShape {
  /** The columns of the schema's tables. */
  readonly tables: TableColumns;
  /** The name of this one. */
  readonly name: string;
  /** What of the engine's profile decides types. */
  readonly profile: ProfileShape;
}

/** The shape of a table made alone: its links know no target but the table itself. */
export type SingleShape<
  Name extends string,
  Columns extends readonly ColumnDefinition[],
  P extends ProfileShape = DocumentedProfile,
> = number extends Columns["length"]
  ? AnyShape
  : Columns extends readonly []
    ? AnyShape
    : string extends Name
      ? // No table is named "" (N-1), so no link can point to it by mistake.
        TableShape<{ readonly "": Columns }, "", P>
      : TableShape<{ readonly [N in Name]: Columns }, Name, P>;
