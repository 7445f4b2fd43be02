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

/** The calls of a branch that give tables their types. */
export interface TypedBranch<P extends ProfileShape = DocumentedProfile> {
  /**
   * Makes a table. Its handle knows the columns, if they are written out in the call or `as const`;
   * paths through its links to other tables are not checked, see {@link TypedBranch.createTables}.
   */
  createTable<
    const Name extends string,
    const Columns extends readonly ColumnDefinition[] = readonly ColumnDefinition[],
  >(name: Name, columns?: Columns): TypedTable<SingleShape<Name, Columns, P>>;

  /** Makes several tables, whose handles know all of them, so that links are checked too. */
  createTables<const Tables extends TableColumns>(
    tables: Tables | LinksAmong<NoInfer<keyof Tables & string>>,
  ): TypedTables<Tables, P>;

  /** The table of that name; its shape, if it is known, is for the caller to say. */
  table<S extends AnyShape = AnyShape>(name: string): TypedTable<S>;
}

/** The handles of a schema's tables, by name. */
export type TypedTables<Tables extends TableColumns, P extends ProfileShape = DocumentedProfile> = {
  readonly [Name in keyof Tables & string]: TypedTable<TableShape<Tables, Name, P>>;
};
