import type { ColumnDefinition } from "../types.js";
import type {
  AnyShape,
  DocumentedProfile,
  LinksAmong,
  ProfileShape,
  SingleShape,
  TableColumns,
  TableShape,
} from "./shape.js";
import type { TypedTable } from "./table.js";

/** Calls of a branch that create or open typed tables. */
export interface TypedBranch<P extends ProfileShape = DocumentedProfile> {
  /** Creates a table, typed by literal or `as const` columns. Other tables are unknown. */
  createTable<
    const Name extends string,
    const Columns extends readonly ColumnDefinition[] = readonly ColumnDefinition[],
  >(name: Name, columns?: Columns): TypedTable<SingleShape<Name, Columns, P>>;

  /** Creates several tables. Their handles also check paths through links among them. */
  createTables<const Tables extends TableColumns>(
    tables: Tables | LinksAmong<NoInfer<keyof Tables & string>>,
  ): TypedTables<Tables, P>;

  /** Returns the table of that name. The caller may give its shape as a type argument. */
  table<S extends AnyShape = AnyShape>(name: string): TypedTable<S>;
}

/** The handles of created tables, by name. */
export type TypedTables<Tables extends TableColumns, P extends ProfileShape = DocumentedProfile> = {
  readonly [Name in keyof Tables & string]: TypedTable<TableShape<Tables, Name, P>>;
};
