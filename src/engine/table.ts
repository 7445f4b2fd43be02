import type { TableAddress } from "../catalog/address.js";
import { runAggregate } from "../query/aggregate/aggregate.js";
import { runSummarize } from "../query/aggregate/summarize.js";
import type { QueryEnvironment } from "../query/environment.js";
import { bindProject, countMatches, explainQuery, runQuery, scanRecords } from "../query/run.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { describeSchema } from "../schema/declare.js";
import {
  type AlterContext,
  addColumn,
  removeColumn,
  renameColumn,
  replaceColumns,
} from "../storage/alter.js";
import type { TableVersion } from "../storage/table.js";
import type { TableWriter, WriteConditions } from "../storage/writer.js";
import type { AnyTable, PutOptions, ReturnOptions, WriteOptions } from "../typed/table.js";
import type { AnyInput } from "../typed/write.js";
import type {
  AggregateRequest,
  AggregateResult,
  AnyRecord,
  ColumnDefinition,
  ColumnSelection,
  Filter,
  PlanDescription,
  QueryRequest,
  QueryResult,
  SummarizeRequest,
  SummarizeResult,
} from "../types.js";
import { refuseValue, requireKnownKeys } from "../value/fields.js";
import { isPlainObject } from "../value/json.js";
import type { EngineContext } from "./context.js";
import { branchEnvironment, queryEnvironment } from "./query-environment.js";
import { followsLinks, readRecordOptions, requireColumnPath } from "./record-options.js";
import { openSource, type TableSource } from "./table-source.js";
import { alterTableAt, renameTableAt } from "./tables.js";
import { findRecord, insertRecords, writeRecord } from "./write-records.js";

/** The address of a table: every call finds anew what is there, or fails (rule M-4). */
export class Table implements AnyTable {
  readonly #context: EngineContext;
  #address: TableAddress;

  constructor(context: EngineContext, address: TableAddress) {
    this.#context = context;
    this.#address = address;
  }

  /** What a query of a table runs on, for an entry that gives its answer another form. */
  static sourceOf(table: AnyTable, isQuery = true): TableSource {
    const own = table as Table; // the one class there is; the private names below tell any other
    return openSource(own.#context, own.#address, isQuery);
  }

  get name(): string {
    return this.#address.table;
  }

  /**
   * Inserts a record, or several of which all or none are written (rule R-5).
   *
   * @returns the records as they are stored
   * @throws TwinbaseError `invalid_record`, `id_in_use`; of a batch with `errors` and status 400
   */
  insert(record: AnyInput, options?: ReturnOptions<readonly ColumnSelection[]>): AnyRecord;
  insert(
    records: readonly AnyInput[],
    options?: ReturnOptions<readonly ColumnSelection[]>,
  ): AnyRecord[];
  insert(
    given: unknown,
    options?: ReturnOptions<readonly ColumnSelection[]>,
  ): AnyRecord | AnyRecord[] {
    const { columns } = readRecordOptions(options, ["columns"]);
    this.#checkColumns(columns);
    if (!Array.isArray(given)) {
      return this.#writeAndRead(columns, () =>
        writeRecord(this.#context, this.#address, (writer) => writer.insert(given)),
      );
    }
    return this.#context.atomic(() => {
      const ids: string[] = [];
      insertRecords(this.#context, this.#address, given, (id) => ids.push(id));
      const table = this.#read();
      const project = bindProject(this.#environment(), table, columns, "/columns");
      return project(ids.map((id) => table.find(id)));
    });
  }

  /**
   * Inserts records in bulk, all or none, and gives their number; none is given back.
   *
   * @throws TwinbaseError as {@link insert}
   */
  load(records: Iterable<AnyInput>): number {
    let count = 0;
    insertRecords(this.#context, this.#address, records, () => count++);
    return count;
  }

  /** The record with an id, or null. */
  get(id: string, options?: ReturnOptions<readonly ColumnSelection[]>): AnyRecord | null {
    const { columns } = readRecordOptions(options, ["columns"]);
    return this.#context.read(() => {
      const table = this.#read();
      const project = bindProject(this.#environment(), table, columns, "/columns");
      const ordinal = findRecord(this.#context, this.#address, table, id);
      return ordinal < 0 ? null : project([ordinal])[0]!;
    });
  }

  /**
   * Changes the columns that are given; the others stay (rule R-7).
   *
   * @throws TwinbaseError `record_not_found`, `invalid_record`, `version_conflict`
   */
  update(
    id: string,
    changes: AnyInput,
    options?: WriteOptions<readonly ColumnSelection[]>,
  ): AnyRecord {
    return this.#writeOne(id, options, ["columns", "ifVersion"], (writer, conditions) => {
      writer.update(id, changes, conditions);
    });
  }

  /**
   * Gives a record other columns; those absent become null or their default (rule R-7).
   *
   * @throws TwinbaseError `record_not_found`, `invalid_record`, `version_conflict`
   */
  replace(
    id: string,
    record: AnyInput,
    options?: WriteOptions<readonly ColumnSelection[]>,
  ): AnyRecord {
    return this.#writeOne(id, options, ["columns", "ifVersion"], (writer, conditions) => {
      writer.replace(id, record, conditions);
    });
  }

  /**
   * Updates the record with that id, or inserts it.
   *
   * @throws TwinbaseError `invalid_record`, `version_conflict`
   */
  upsert(
    id: string,
    record: AnyInput,
    options?: WriteOptions<readonly ColumnSelection[]>,
  ): AnyRecord {
    return this.#writeOne(id, options, ["columns", "ifVersion"], (writer, conditions) => {
      writer.upsert(id, record, conditions);
    });
  }

  /**
   * Replaces the record with that id, or inserts it (rule X-1).
   *
   * @throws TwinbaseError `invalid_record`, `version_conflict`, `id_in_use` with `createOnly`
   */
  put(id: string, record: AnyInput, options?: PutOptions<readonly ColumnSelection[]>): AnyRecord {
    const known = ["columns", "ifVersion", "createOnly"] as const;
    return this.#writeOne(id, options, known, (writer, conditions) => {
      writer.put(id, record, conditions);
    });
  }

  /**
   * Deletes a record; whether it was there (rule R-9).
   *
   * @throws TwinbaseError `version_conflict`
   */
  delete(id: string, options?: Pick<WriteConditions, "ifVersion">): boolean {
    const conditions = readRecordOptions(options, ["ifVersion"]);
    if (findRecord(this.#context, this.#address, this.#read(), id) < 0) return false;
    return writeRecord(this.#context, this.#address, (writer) => writer.delete(id, conditions));
  }

  /**
   * One page of the records that match a filter, in an order.
   *
   * @throws TwinbaseError as sections P, F, S and G of the rules say
   */
  query(request?: QueryRequest): QueryResult {
    return this.#context.query(() => runQuery(this.#environment(), this.#read(), request));
  }

  /** Every record of a query, one after the other, as the table is at this call. */
  scan(request?: Omit<QueryRequest, "page">): IterableIterator<AnyRecord> {
    this.#context.observer?.onQuery?.();
    this.#context.share(); // records are made as they are taken
    const environment = branchEnvironment(this.#context, this.#address);
    return scanRecords(environment, this.#read(), request);
  }

  /** How many records match a filter; without one, all. */
  count(filter?: Filter): number {
    return this.#context.query(() => countMatches(this.#environment(), this.#read(), filter));
  }

  /**
   * Puts the records that match into groups by some columns, and gives a summary of each.
   *
   * @throws TwinbaseError `invalid_request`, `invalid_page`, `unknown_column`, `invalid_filter`,
   * `invalid_sort` (rule X-6)
   */
  summarize(request?: SummarizeRequest): SummarizeResult {
    return this.#context.query(() => ({
      summaries: runSummarize(this.#environment(), this.#read(), request),
    }));
  }

  /**
   * Computes aggregates over the records that match, by buckets where asked for.
   *
   * @throws TwinbaseError `invalid_request`, `unknown_column`, `invalid_filter` (rule X-6)
   */
  aggregate(request?: AggregateRequest): AggregateResult {
    return this.#context.query(() => ({
      aggs: runAggregate(this.#environment(), this.#read(), request),
    }));
  }

  /** How a query would be answered, as plain data. */
  explain(request?: QueryRequest): PlanDescription {
    const environment = { ...this.#environment(), drawSeed: () => 0 };
    return this.#context.query(() => explainQuery(environment, this.#read(), request));
  }

  /** The columns as they would be declared. */
  schema(): { columns: ColumnDefinition[] } {
    return { columns: describeSchema(this.#read().schema) };
  }

  /**
   * Adds a column, with a dotted name inside an object column; its default fills the records.
   *
   * @throws TwinbaseError `invalid_schema`, `column_exists`, `column_not_found`
   */
  addColumn(definition: ColumnDefinition): void {
    this.#alter((table, context) => addColumn(table, definition, context));
  }

  /** Gives a column another name; throws `column_not_found`, `invalid_schema`, `column_exists`. */
  renameColumn(path: string, newName: string): void {
    requireColumnPath(this.name, path);
    this.#alter((table, context) => renameColumn(table, path, newName, context), {
      renameColumn: { table: this.name, oldName: path, newName },
    });
  }

  /** Removes a column and its values; throws `column_not_found`. */
  removeColumn(path: string): void {
    requireColumnPath(this.name, path);
    this.#alter((table, context) => removeColumn(table, path, context));
  }

  /** Gives the table other columns; those alike in path and type keep their values. */
  setSchema(schema: { readonly columns: readonly ColumnDefinition[] }): void {
    if (!isPlainObject(schema)) refuseValue(schema, '{ "columns": […] }', { rule: "E-3" });
    requireKnownKeys(schema, ["columns"]);
    this.#alter((table, context) => replaceColumns(table, schema.columns, context, "/columns"));
  }

  /** Gives the table another name, this handle with it; links to it follow (rules M-3, T-17). */
  rename(newName: string): void {
    renameTableAt(this.#context, this.#address, newName);
    this.#address = { ...this.#address, table: newName };
  }

  #read(): TableVersion {
    return this.#context.readTable(this.#address);
  }

  #environment(): QueryEnvironment {
    return queryEnvironment(this.#context, this.#address);
  }

  /** Refuses a bad selection before anything is written. */
  #checkColumns(columns: unknown): void {
    if (columns !== undefined) bindProject(this.#environment(), this.#read(), columns, "/columns");
  }

  /** Writes a record and reads it back, together where that can fail: links may lead anywhere. */
  #writeAndRead(columns: unknown, write: () => string): AnyRecord {
    const run = (): AnyRecord => {
      const id = write();
      const table = this.#read();
      return bindProject(this.#environment(), table, columns, "/columns")([table.find(id)])[0]!;
    };
    return followsLinks(columns) ? this.#context.atomic(run) : run();
  }

  /** Writes a record and reads it back; a bad selection is refused before anything is written. */
  #writeOne(
    id: string,
    options: unknown,
    known: Parameters<typeof readRecordOptions>[1],
    act: (writer: TableWriter, conditions: WriteConditions) => void,
  ): AnyRecord {
    const { columns, ...conditions } = readRecordOptions(options, known);
    this.#checkColumns(columns);
    return this.#writeAndRead(columns, () => {
      writeRecord(this.#context, this.#address, (writer) => act(writer, conditions));
      return id;
    });
  }

  #alter(
    change: (table: TableVersion, context: AlterContext) => TableVersion,
    operation?: SchemaEdit,
  ): void {
    alterTableAt(this.#context, this.#address, change, operation);
  }
}
