import type {
  AggregateParts,
  Aggregations,
  ColumnDefinition,
  PlanDescription,
  QueryParts,
  SummarizeParts,
  SummaryExpressions,
} from "../types.js";
import type { Aggregates, CheckedAggregations, OfferedAggregations } from "./aggregate.js";
import type { CheckedFilter } from "./filter.js";
import type {
  DropOptions,
  PutOptions,
  ReturnOptions,
  WhereOptions,
  WriteOptions,
} from "./options.js";
import type { Selected } from "./record.js";
import type { AnyColumnsOf, CheckedColumns, GivenColumns } from "./selection.js";
import type { AnyShape } from "./shape.js";
import type { CheckedSort } from "./sort.js";
import type { CheckedSummaries, OfferedSummaries, Summary } from "./summary.js";
import type { PageOf, ScanParts, TypedResult } from "./typed-query.js";
import type { IsAny, OneOrManyBy } from "./values.js";
import type { GivenRecord, InsertOf, UpdateOf } from "./write.js";

/** Infers members of a record and of an array, and accepts nothing. */
type Members<Id, Method> = Method extends never
  ? { readonly id?: Id; readonly [Symbol.iterator]?: Method }
  : never;

type InsertResult<One, Id, Method> =
  IsAny<Method> extends true
    ? One
    : [Method] extends [never]
      ? One
      : unknown extends Id
        ? One[]
        : One | One[];

/** The columns and the name of a table. */
interface TableColumns {
  /** Returns the columns, without `id` and metadata. */
  schema(): { columns: ColumnDefinition[] };
  /** Adds a column. The type of this handle does not change with the schema. */
  addColumn(column: ColumnDefinition): void;
  /**
   * Replaces the options of a column; its values stay (K-5). A dotted name alters a sub-column. Throws
   * `column_not_found`; `invalid_schema`, also for another type, or other columns of an object;
   * `invalid_record` naming the first record that the options forbid.
   *
   * @example
   * users.alterColumn({ name: "email", type: "email", unique: true });
   */
  alterColumn(column: ColumnDefinition): void;
  /** Renames a column; throws `column_not_found`, `column_exists`. */
  renameColumn(path: string, newName: string): void;
  /** Removes a column; throws `column_not_found`. */
  removeColumn(path: string): void;
  /**
   * Replaces the columns; those of the same name and type keep their values (K-5). Throws as
   * {@link alterColumn}, and `schema_conflict` if values of another column would be lost.
   */
  setSchema(schema: { readonly columns: readonly ColumnDefinition[] }, options?: DropOptions): void;
  /** Renames the table; links to it follow. */
  rename(newName: string): void;
}

/** A table handle, typed by a {@link TableShape}. All calls throw `TwinbaseError`. */
export interface TypedTable<in out S extends AnyShape = AnyShape> extends TableColumns {
  readonly name: string;

  /**
   * Inserts a record, or several atomically, and returns the record or an array.
   *
   * @example
   * users.insert({ email: "ada@example.com", team: "blue" });
   */
  insert<
    const Columns extends AnyColumnsOf<S>,
    Id,
    Keys extends PropertyKey = never,
    Method = never,
  >(
    // Not a separate alias: TypeScript 5 would compare its instances endlessly.
    records: OneOrManyBy<InsertOf<S> & GivenRecord<S, Keys>, Method, Members<Id, Method>>,
    options?: ReturnOptions<CheckedColumns<S, Columns>>,
  ): InsertResult<SelectedBy<S, Columns>, Id, Method>;

  /**
   * Inserts many records atomically and returns their number.
   *
   * @example
   * users.load([{ id: "ada", email: "ada@example.com" }]); // 1
   */
  load(records: Iterable<InsertOf<S>>): number;

  /**
   * Returns a record, or null if there is none.
   *
   * @example
   * users.get("ada", { columns: ["email", "team.name"] })?.team?.name;
   */
  get<const Columns extends AnyColumnsOf<S>>(
    id: string,
    options?: ReturnOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns> | null;

  /**
   * Updates the given columns of a record and returns it. Throws `record_not_found`.
   *
   * @example
   * users.update("ada", { visits: { $increment: 1 } }, { ifVersion: 3 });
   */
  update<const Columns extends AnyColumnsOf<S>, Keys extends PropertyKey = never>(
    id: string,
    changes: UpdateOf<S> & GivenRecord<S, Keys>,
    options?: WriteOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Replaces a record; missing columns become null or their default. Throws
   * `record_not_found`.
   *
   * @example
   * users.replace("ada", { email: "ada@example.org" });
   */
  replace<const Columns extends AnyColumnsOf<S>, Keys extends PropertyKey = never>(
    id: string,
    record: InsertOf<S> & GivenRecord<S, Keys>,
    options?: WriteOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Updates the record, or inserts it.
   *
   * @example
   * users.upsert("ada", { email: "ada@example.org" });
   */
  upsert<const Columns extends AnyColumnsOf<S>, Keys extends PropertyKey = never>(
    id: string,
    record: InsertOf<S> & GivenRecord<S, Keys>,
    options?: WriteOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Replaces the record, or inserts it.
   *
   * @example
   * users.put("ada", { email: "ada@example.com" }, { createOnly: true });
   */
  put<const Columns extends AnyColumnsOf<S>, Keys extends PropertyKey = never>(
    id: string,
    record: InsertOf<S> & GivenRecord<S, Keys>,
    options?: PutOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Deletes a record. Returns false if there is none.
   *
   * @example
   * users.delete("ada"); // true
   */
  delete(id: string, options?: { readonly ifVersion?: number | undefined }): boolean;

  /**
   * Updates all records that match a filter (F-1), as `update` does, in the order of their ids and
   * atomically. Returns their number, or with `columns` the records. The `errors` of an error list
   * records that refuse; their paths begin with the id.
   *
   * @example
   * users.updateWhere({ team: "blue" }, { visits: { $increment: 1 } }, { limit: 1000 }); // 2
   */
  updateWhere<
    const Columns extends AnyColumnsOf<S> = never,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
    ChangeKeys extends PropertyKey = never,
  >(
    filter: CheckedFilter<S, Keys, Exists, Method>,
    changes: UpdateOf<S> & GivenRecord<S, ChangeKeys>,
    options?: WhereOptions<CheckedColumns<S, Columns>>,
  ): CountOr<SelectedBy<S, Columns>, Columns>;

  /**
   * Deletes all records that match a filter (F-1), in the order of their ids and atomically. Returns
   * their number, or with `columns` the records before the call.
   *
   * @example
   * users.deleteWhere({ $notExists: "email" }); // 0
   */
  deleteWhere<
    const Columns extends AnyColumnsOf<S> = never,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
  >(
    filter: CheckedFilter<S, Keys, Exists, Method>,
    options?: WhereOptions<CheckedColumns<S, Columns>>,
  ): CountOr<SelectedBy<S, Columns>, Columns>;

  /**
   * Returns one page of the matching records (sections P, F, S, G).
   *
   * @example
   * const { records, meta } = users.query({
   * columns: ["email", "team.name"],
   * filter: { "team.name": { $startsWith: "B" } },
   * sort: { email: "asc" },
   * page: { size: 50 },
   * });
   * const next = users.query({ page: { after: meta.page.cursor } });
   */
  query<
    const Columns extends AnyColumnsOf<S>,
    Carried extends AnyColumnsOf<S> = "*",
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
    SortKeys extends PropertyKey = never,
    const SortNames extends string = never,
    SortElement = never,
  >(
    request?: QueryParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists, Method>,
      CheckedSort<S, SortKeys, SortNames, SortElement>,
      PageOf<Carried>
    >,
  ): TypedResult<SelectedBy<S, Columns, Carried>, GivenColumns<Columns, Carried>>;

  /**
   * Iterates over all matching records of the table's current state, in order. A time limit
   * (`limits.queryMs`) holds for finding them, and for each step.
   *
   * @example
   * for (const { id, email } of users.scan({ sort: { email: "asc" } })) console.log(id, email);
   */
  scan<
    const Columns extends AnyColumnsOf<S>,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
    SortKeys extends PropertyKey = never,
    const SortNames extends string = never,
    SortElement = never,
  >(
    request?: ScanParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists, Method>,
      CheckedSort<S, SortKeys, SortNames, SortElement>
    >,
  ): IterableIterator<SelectedBy<S, Columns>>;

  /**
   * Returns the number of matching records.
   *
   * @example
   * users.count({ labels: { $includes: "vip" } });
   */
  count<Keys extends PropertyKey = never, const Exists extends string = never, Method = never>(
    filter?: CheckedFilter<S, Keys, Exists, Method>,
  ): number;

  /**
   * Groups the matching records by columns and computes aggregates of each group.
   *
   * @example
   * users.summarize({ columns: ["team.name"], summaries: { users: { count: "*" } } });
   */
  summarize<
    const Columns extends string,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
    const Summaries extends SummaryExpressions = Record<never, never>,
  >(
    request?: SummarizeParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists, Method>,
      OfferedSummaries<S, NoInfer<Summaries>> | CheckedSummaries<S, Summaries>
    >,
  ): Summary<S, GivenColumns<Columns, never>, Summaries>;

  /**
   * Computes aggregates over the matching records, optionally by buckets.
   *
   * @example
   * users.aggregate({ aggs: { age: { average: { column: "age" } } } }).aggs.age;
   */
  aggregate<
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
    const Aggs extends Aggregations = Record<never, never>,
  >(
    request?: AggregateParts<
      CheckedFilter<S, Keys, Exists, Method>,
      OfferedAggregations<S, NoInfer<Aggs>> | CheckedAggregations<S, Aggs>
    >,
  ): Aggregates<S, Aggs>;

  /**
   * Returns the query plan as plain data.
   *
   * @example
   * users.explain({ filter: { email: "ada@example.com" } }).access;
   */
  explain<
    const Columns extends AnyColumnsOf<S>,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    Method = never,
    SortKeys extends PropertyKey = never,
    const SortNames extends string = never,
    SortElement = never,
  >(
    request?: QueryParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists, Method>,
      CheckedSort<S, SortKeys, SortNames, SortElement>,
      PageOf
    >,
  ): PlanDescription;
}

/** Records if columns were inferred, otherwise their number. */
type CountOr<Record, Columns> = [Columns] extends [never] ? number : Record[];

type SelectedBy<S extends AnyShape, Columns, Otherwise = "*"> = Selected<
  S,
  GivenColumns<Columns, Otherwise>
>;

/** The shape of a typed table, to name its records' type: `RecordOf<ShapeOf<typeof t>>`. */
export type ShapeOf<Table> = Table extends TypedTable<infer S> ? S : never;

/** Any table's handle, untyped: the parameter type of functions that accept every table. */
export interface AnyTable extends TypedTable<AnyShape> {
  // An own member: otherwise the compiler compares the shapes of this type and its base.
  readonly name: string;
}
