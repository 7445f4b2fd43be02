import { type BranchAddress, type TableAddress, tableAt } from "../catalog/address.js";
import { changeBranchMetadata } from "../catalog/branches.js";
import type { BranchMetadata } from "../catalog/state.js";
import { listTables, type TableSummary } from "../catalog/tables.js";
import type { TypedBranch, TypedTables } from "../typed/branch.js";
import type { OperationOf } from "../typed/operation.js";
import type {
  AnyShape,
  DocumentedProfile,
  LinksAmong,
  ProfileShape,
  SingleShape,
  TableColumns,
} from "../typed/shape.js";
import type { AnyTable, TypedTable } from "../typed/table.js";
import type { ColumnDefinition } from "../types.js";
import type { EngineContext } from "./context.js";
import { Table } from "./table.js";
import { createTableAt, createTablesAt, deleteTableAt, renameTableAt } from "./tables.js";
import { type OperationResult, runTransaction } from "./transaction.js";

/** A handle of a branch: each call looks it up by name (M-4). */
export class Branch<P extends ProfileShape = DocumentedProfile> implements TypedBranch<P> {
  readonly name: string;
  readonly database: string;
  readonly #context: EngineContext;
  readonly #address: BranchAddress;

  constructor(context: EngineContext, address: BranchAddress) {
    this.#context = context;
    this.#address = address;
    this.name = address.branch;
    this.database = address.database;
  }

  /** Internal: for the package's other entries. */
  static sourceOf(branch: AnyBranch): { context: EngineContext; address: BranchAddress } {
    const own = branch as unknown as Branch; // as in `Table.locate`
    return { context: own.#context, address: own.#address };
  }

  /**
   * Creates an empty table (M-1). The handle has the types of columns given literally or `as
   * const`, but not those behind links. Throws `invalid_name`, `table_exists`, `invalid_schema`.
   *
   * @example
   * main.createTable("teams", [{ name: "name", type: "string" }]);
   */
  createTable<
    const Name extends string,
    const Columns extends readonly ColumnDefinition[] = readonly ColumnDefinition[],
  >(name: Name, columns?: Columns): TypedTable<SingleShape<Name, Columns, P>> {
    const address = tableAt(this.#address, name);
    createTableAt(this.#context, address, columns);
    return this.#open(address);
  }

  /**
   * Creates several empty tables, all or none, and returns their handles by name. Their types
   * include the columns behind links. Throws as {@link createTable}.
   *
   * @example
   * const { teams, users } = main.createTables({
   *   teams: [{ name: "name", type: "string" }],
   *   users: [{ name: "team", type: "link", link: { table: "teams" } }],
   * });
   */
  createTables<const Tables extends TableColumns>(
    tables: Tables | LinksAmong<NoInfer<keyof Tables & string>>,
  ): TypedTables<Tables, P> {
    const names = createTablesAt(this.#context, this.#address, tables);
    const handles: { readonly [table: string]: unknown } = Object.fromEntries(
      names.map((name) => [name, this.#open(tableAt(this.#address, name))]),
    );
    return handles as TypedTables<Tables, P>; // the names are table names; see `open`
  }

  /** Returns a table's handle; its shape is not checked. Throws `table_not_found` (M-4). */
  table<S extends AnyShape = AnyShape>(name: string): TypedTable<S> {
    const address = tableAt(this.#address, name);
    this.#context.readTable(address);
    return this.#open(address);
  }

  /** Lists the tables in creation order. */
  tables(): TableSummary[] {
    return listTables(this.#context.state, this.#address);
  }

  /** Renames a table; links to it follow (rules M-3, T-17). */
  renameTable(name: string, newName: string): void {
    renameTableAt(this.#context, tableAt(this.#address, name), newName);
  }

  /** Deletes a table (rule M-2). */
  deleteTable(name: string): void {
    deleteTableAt(this.#context, tableAt(this.#address, name));
  }

  /**
   * Runs operations on records in order, all or none. The error's `errors` lists every
   * invalid operation, with status 400. A type argument checks operations by columns.
   *
   * @example
   * main.transaction<typeof schema>([
   *   { insert: { table: "teams", record: { id: "red" } } },
   *   { update: { table: "users", id: "ada", fields: { team: "red" } } },
   * ]);
   */
  transaction<Tables extends TableColumns = TableColumns>(
    operations: readonly OperationOf<Tables, P>[],
  ): OperationResult[] {
    return runTransaction(this.#context, this.#address, operations);
  }

  /** Returns the branch's metadata (rule X-5). */
  metadata(): BranchMetadata {
    return structuredClone(this.#context.readBranch(this.#address).metadata);
  }

  /** Replaces the metadata (rule X-5); throws `invalid_request`. */
  setMetadata(metadata: BranchMetadata): BranchMetadata {
    this.#context.change((state) => changeBranchMetadata(state, this.#address, metadata));
    return this.metadata();
  }

  /** Shapes are types only, unchecked at run time. */
  #open<S extends AnyShape>(address: TableAddress): TypedTable<S> {
    const table: AnyTable = new Table(this.#context, address);
    return table as TypedTable<S>;
  }
}

/** A branch of any profile; its tables are untyped. */
export interface AnyBranch extends Omit<Branch, keyof TypedBranch> {
  // Type inference is much faster with this interface than with `AnyTable`.
  createTable(name: string, columns?: readonly ColumnDefinition[]): TypedTable;
  createTables(tables: TableColumns): { readonly [table: string]: AnyTable };
  table(name: string): TypedTable;
}
