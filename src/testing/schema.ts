import { readSchema } from "../history.js";
import type { Profile } from "../profile.js";
import type { TableColumns } from "../typed/shape.js";
import type { ColumnDefinition, ColumnType } from "../types.js";

/** A column from an imported JSON file, whose type the compiler knows only as a string. */
export interface GivenColumn {
  readonly name: string;
  /** `& {}` keeps the literal types in an editor's completions. */
  readonly type: ColumnType | (string & Record<never, never>);
}

/** A table in a generated client or `xata schema dump`. */
export interface GivenTable {
  readonly name: string;
  readonly columns: readonly (ColumnDefinition | GivenColumn)[];
  /** Distinguishes a table from a column. */
  readonly type?: undefined;
}

export interface GivenTables {
  readonly [table: string]: readonly (ColumnDefinition | GivenColumn)[];
}

/**
 * The tables of a double: the `tables` array of a generated client, the JSON of `xata schema dump`,
 * or columns by table name.
 */
export type GivenSchema =
  | readonly GivenTable[]
  | { readonly tables: readonly GivenTable[]; readonly formatVersion?: unknown }
  | GivenTables;

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

export type CheckedSchema<S> = [WrongType<TablesIn<S>>] extends [never]
  ? S
  : `there is no column type ${WrongType<TablesIn<S>> & string}`;

type TablesIn<S> = S extends readonly GivenTable[]
  ? S[number]["columns"]
  : S extends { readonly tables: readonly (infer Table extends GivenTable)[] }
    ? Table["columns"]
    : S[keyof S];

/** Column types that don't exist. Plain strings are validated at run time. */
type WrongType<Columns> = Columns extends readonly { readonly type: infer Type }[]
  ? string extends Type
    ? never
    : Exclude<Type, ColumnType>
  : never;

export function readSchemaTables(schema: GivenSchema, profile: Profile): TableColumns {
  const tables = listTables(schema);
  if (tables === undefined) return schema as TableColumns; // validated when the tables are created
  const read = readSchema({ tables }, profile, "/schema");
  return Object.fromEntries(read.map(({ name, columns }) => [name, columns]));
}

function listTables(schema: object): readonly unknown[] | undefined {
  if (Array.isArray(schema)) return schema;
  const { tables } = schema as { readonly tables?: unknown }; // a table named "tables" has columns
  if (!Array.isArray(tables)) return undefined;
  const isColumn = (member: unknown): boolean =>
    typeof member === "object" && member !== null && "type" in member;
  return tables.some(isColumn) ? undefined : tables;
}
