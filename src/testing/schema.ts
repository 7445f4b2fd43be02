import { readSchema } from "../history.js";
import type { Profile } from "../profile.js";
import type { TableColumns } from "../typed/shape.js";
import type { ColumnDefinition, ColumnType } from "../types.js";

/** A column as a file holds it: an import of JSON knows its type only as a string. */
export interface GivenColumn {
  /** As in a {@link ColumnDefinition}. */
  readonly name: string;
  /** As in a {@link ColumnDefinition}. `& {}` keeps the known types beside it for editors. */
  readonly type: ColumnType | (string & Record<never, never>);
}

/** A table as a generated client and `xata schema dump` hold it. */
export interface GivenTable {
  /** Unique among the tables. */
  readonly name: string;
  /** Its columns. */
  readonly columns: readonly (ColumnDefinition | GivenColumn)[];
  /** A column has one, a table does not. */
  readonly type?: undefined;
}

/** Columns by the name of their table. */
export interface GivenTables {
  readonly [table: string]: readonly (ColumnDefinition | GivenColumn)[];
}

/**
 * The tables of a double: the `tables` array of a generated client, the JSON of `xata schema dump`,
 * or columns by the name of their table.
 */
export type GivenSchema =
  | readonly GivenTable[]
  | { readonly tables: readonly GivenTable[]; readonly formatVersion?: unknown }
  | GivenTables;

/** The columns of a schema by the name of their table, as far as its type tells. */
export type TablesOf<S> = S extends readonly GivenTable[]
  ? ByName<S[number]>
  : S extends { readonly tables: readonly (infer Table extends GivenTable)[] }
    ? ByName<Table>
    : { readonly [Name in keyof S & string]: ColumnsOf<S[Name]> };

type ByName<Table extends GivenTable> = {
  readonly [One in Table as One["name"]]: ColumnsOf<One["columns"]>;
};

type ColumnsOf<Columns> = Columns extends readonly ColumnDefinition[]
  ? Columns
  : readonly ColumnDefinition[];

/** A schema as it was given; an error message in its place where a type of a column does not exist. */
export type CheckedSchema<S> = [WrongType<TablesIn<S>>] extends [never]
  ? S
  : `there is no column type ${WrongType<TablesIn<S>> & string}`;

/** Lists of columns. */
type TablesIn<S> = S extends readonly GivenTable[]
  ? S[number]["columns"]
  : S extends { readonly tables: readonly (infer Table extends GivenTable)[] }
    ? Table["columns"]
    : S[keyof S];

/** Types of columns that do not exist. A string that the compiler does not know is checked later. */
type WrongType<Columns> = Columns extends readonly { readonly type: infer Type }[]
  ? string extends Type
    ? never
    : Exclude<Type, ColumnType>
  : never;

/** The columns of a schema by the name of their table; throws for what is no schema. */
export function readTables(schema: GivenSchema, profile: Profile): TableColumns {
  const tables = listTables(schema);
  if (tables === undefined) return schema as TableColumns; // checked as tables are made
  const read = readSchema({ tables }, profile, "/schema");
  return Object.fromEntries(read.map(({ name, columns }) => [name, columns]));
}

/** The list of tables that a schema is or has; undefined where it has columns by table. */
function listTables(schema: object): readonly unknown[] | undefined {
  if (Array.isArray(schema)) return schema;
  const { tables } = schema as { readonly tables?: unknown }; // a table of that name has columns
  if (!Array.isArray(tables)) return undefined;
  const isColumn = (member: unknown): boolean =>
    typeof member === "object" && member !== null && "type" in member;
  return tables.some(isColumn) ? undefined : tables;
}
