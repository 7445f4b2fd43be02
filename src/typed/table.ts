import type { ColumnDefinition, PlanDescription } from "../types.js";
import type {
  AggregateParts,
  Aggregates,
  Aggregations,
  CheckedAggregations,
  OfferedAggregations,
} from "./aggregate.js";
import type { CheckedFilter } from "./filter.js";
import type { QueryParts, ScanParts, TypedResult } from "./query.js";
import type { Selected } from "./record.js";
import type { IsLoose, ScopeOf } from "./scope.js";
import type { AnyColumnsOf, CheckedColumns, GivenColumns } from "./selection.js";
import type { AnyShape } from "./shape.js";
import type { CheckedSort } from "./sort.js";
import type {
  CheckedFigures,
  Figures,
  OfferedFigures,
  SummarizeParts,
  Summary,
} from "./summary.js";
import type { Several } from "./values.js";
import type { InsertOf, UpdateOf } from "./write.js";

/** What comes back of a read or write; by default all columns (P-1). */
export interface ReturnOptions<Columns> {
  /** What of the record is given back; default all columns. */
  readonly columns?: Columns | undefined;
}

/** How to write one record. */
export interface WriteOptions<Columns> extends ReturnOptions<Columns> {
  /** The version that the record must have, else `version_conflict`. */
  readonly ifVersion?: number | undefined;
}

/** How to replace or insert one record. */
export interface PutOptions<Columns> extends WriteOptions<Columns> {
  /** Whether a taken id is refused with `id_in_use`. */
  readonly createOnly?: boolean | undefined;
}

/**
 * One record or several; which of the two is inferred from what they have: a call with one signature
 * is refused at the place of the fault, one with overloads as a whole.
 */
type InsertedBy<S extends AnyShape, Id, Iterator> =
  | (InsertOf<S> & KeyedBy<S, Id>)
  | (Several<InsertOf<S>> & { readonly [Symbol.iterator]: Iterator });

/** Of a loose table nothing is asked: a column may have the name of what every object has. */
type KeyedBy<S extends AnyShape, Id> =
  IsLoose<ScopeOf<S>> extends true
    ? unknown
    : { readonly id?: Id; readonly [Symbol.iterator]?: never };

type Inserted<Found, Id, Iterator> = unknown extends Iterator
  ? Found
  : unknown extends Id
    ? Found[]
    : Found | Found[];

/**
 * A table's handle whose calls know the columns: `S` is the table's {@link TableShape}. Without
 * one, everything is loose. All calls throw `TwinbaseError`.
 */
export interface TypedTable<S extends AnyShape = AnyShape> {
  /** Its name in its branch. */
  readonly name: string;

  /**
   * Inserts a record and returns it; or several, all or none, and returns them in an array.
   *
   * @example
   * users.insert({ email: "ada@example.com", team: "blue" });
   */
  insert<const Columns extends AnyColumnsOf<S>, Id, Iterator>(
    records: InsertedBy<S, Id, Iterator>,
    options?: ReturnOptions<CheckedColumns<S, Columns>>,
  ): Inserted<SelectedBy<S, Columns>, Id, Iterator>;

  /**
   * Inserts many records, all or none, and returns how many.
   *
   * @example
   * users.load([{ id: "ada", email: "ada@example.com" }]); // 1
   */
  load(records: Iterable<InsertOf<S>>): number;

  /**
   * The record of that id, or null.
   *
   * @example
   * users.get("ada", { columns: ["email", "team.name"] })?.team?.name;
   */
  get<const Columns extends AnyColumnsOf<S>>(
    id: string,
    options?: ReturnOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns> | null;

  /**
   * Changes the columns given of an existing record.
   *
   * @example
   * users.update("ada", { visits: { $increment: 1 } }, { ifVersion: 3 });
   */
  update<const Columns extends AnyColumnsOf<S>>(
    id: string,
    changes: UpdateOf<S>,
    options?: WriteOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Replaces an existing record: columns not given become null or their default.
   *
   * @example
   * users.replace("ada", { email: "ada@example.org" });
   */
  replace<const Columns extends AnyColumnsOf<S>>(
    id: string,
    record: InsertOf<S>,
    options?: WriteOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Updates the record of that id, or inserts it.
   *
   * @example
   * users.upsert("ada", { email: "ada@example.org" });
   */
  upsert<const Columns extends AnyColumnsOf<S>>(
    id: string,
    record: InsertOf<S>,
    options?: WriteOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Replaces the record of that id, or inserts it.
   *
   * @example
   * users.put("ada", { email: "ada@example.com" }, { createOnly: true });
   */
  put<const Columns extends AnyColumnsOf<S>>(
    id: string,
    record: InsertOf<S>,
    options?: PutOptions<CheckedColumns<S, Columns>>,
  ): SelectedBy<S, Columns>;

  /**
   * Deletes a record; false when there is none.
   *
   * @example
   * users.delete("ada"); // true
   */
  delete(id: string, options?: { readonly ifVersion?: number | undefined }): boolean;

  /**
   * One page of the records that match, in order (sections P, F, S, G).
   *
   * @example
   * const { records, meta } = users.query({
   *   columns: ["email", "team.name"],
   *   filter: { "team.name": { $startsWith: "B" } },
   *   sort: { email: "asc" },
   *   page: { size: 50 },
   * });
   * const next = users.query({ page: { after: meta.page.cursor } });
   */
  query<
    const Columns extends AnyColumnsOf<S>,
    Carried extends AnyColumnsOf<S> = "*",
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    SortKeys extends PropertyKey = never,
    const SortNames extends string = never,
  >(
    request?: QueryParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists>,
      CheckedSort<S, SortKeys, SortNames>,
      Carried
    >,
  ): TypedResult<SelectedBy<S, Columns, Carried>, GivenColumns<Columns, Carried>>;

  /**
   * Every record that matches, in order, of the table as it is now.
   *
   * @example
   * for (const { id, email } of users.scan({ sort: { email: "asc" } })) console.log(id, email);
   */
  scan<
    const Columns extends AnyColumnsOf<S>,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    SortKeys extends PropertyKey = never,
    const SortNames extends string = never,
  >(
    request?: ScanParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists>,
      CheckedSort<S, SortKeys, SortNames>
    >,
  ): IterableIterator<SelectedBy<S, Columns>>;

  /**
   * How many records match.
   *
   * @example
   * users.count({ labels: { $includes: "vip" } });
   */
  count<Keys extends PropertyKey = never, const Exists extends string = never>(
    filter?: CheckedFilter<S, Keys, Exists>,
  ): number;

  /**
   * Groups of the records that match, by some columns, with figures of each.
   *
   * @example
   * users.summarize({ columns: ["team.name"], summaries: { users: { count: "*" } } });
   */
  summarize<
    const Columns extends string,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    const Summaries extends Figures = Record<never, never>,
  >(
    request?: SummarizeParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists>,
      OfferedFigures<S, NoInfer<Summaries>> | CheckedFigures<S, Summaries>
    >,
  ): Summary<S, GivenColumns<Columns, never>, Summaries>;

  /**
   * Figures over the records that match, by buckets where asked for.
   *
   * @example
   * users.aggregate({ aggs: { age: { average: { column: "age" } } } }).aggs.age;
   */
  aggregate<
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    const Aggs extends Aggregations = Record<never, never>,
  >(
    request?: AggregateParts<
      CheckedFilter<S, Keys, Exists>,
      OfferedAggregations<S, NoInfer<Aggs>> | CheckedAggregations<S, Aggs>
    >,
  ): Aggregates<S, Aggs>;

  /**
   * How a query would be answered, as plain data.
   *
   * @example
   * users.explain({ filter: { email: "ada@example.com" } }).access;
   */
  explain<
    const Columns extends AnyColumnsOf<S>,
    Keys extends PropertyKey = never,
    const Exists extends string = never,
    SortKeys extends PropertyKey = never,
    const SortNames extends string = never,
  >(
    request?: QueryParts<
      CheckedColumns<S, Columns>,
      CheckedFilter<S, Keys, Exists>,
      CheckedSort<S, SortKeys, SortNames>,
      unknown
    >,
  ): PlanDescription;

  /** The columns as they are now. */
  schema(): { columns: ColumnDefinition[] };
  /** Adds a column. This handle's type does not learn of it, nor of the changes below. */
  addColumn(column: ColumnDefinition): void;
  /** Gives a column another name; values stay. */
  renameColumn(path: string, newName: string): void;
  /** Removes a column with its values. */
  removeColumn(path: string): void;
  /** Replaces the columns; those of the same name and type keep their values. */
  setSchema(schema: { readonly columns: readonly ColumnDefinition[] }): void;
  /** Gives the table another name; links to it follow. */
  rename(newName: string): void;
}

/** The record that a call returns, whose `columns` were found to be those. */
type SelectedBy<S extends AnyShape, Columns, Otherwise = "*"> = Selected<
  S,
  GivenColumns<Columns, Otherwise>
>;

/** The shape of a typed table, for naming the types of its records: `RecordOf<ShapeOf<typeof t>>`. */
export type ShapeOf<Table> = Table extends TypedTable<infer S> ? S : never;

/** Any table's handle, loosely typed: what takes a table without knowing its columns takes this. */
export interface AnyTable extends TypedTable<AnyShape> {
  // A member of its own: else the checker takes it for the type it extends, and compares shapes.
  readonly name: string;
}
