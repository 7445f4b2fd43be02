import type { TableAddress } from "../catalog/address.js";
import { runAggregate } from "../query/aggregate/aggregate.js";
import { runSummarize } from "../query/aggregate/summarize.js";
import type { QueryRun } from "../query/query-run.js";
import { bindProject, countMatches, explainQuery, runQuery, scanRecords } from "../query/run.js";
import { describeSchema } from "../schema/declare.js";
import { partAt, readFields, readFlag } from "../shape/fields.js";
import {
  type AlterContext,
  type AlteredTable,
  putColumn,
  removeColumn,
  renameColumn,
  replaceColumns,
} from "../storage/alter.js";
import type { TableVersion } from "../storage/table.js";
import type { TableWriter, WriteConditions } from "../storage/writer.js";
import type {
  DropOptions,
  PutOptions,
  ReturnOptions,
  WhereOptions,
  WriteOptions,
} from "../typed/options.js";
import type { AnyTable } from "../typed/table.js";
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
import { isArray } from "../value/json.js";
import type { EngineContext } from "./context.js";
import { type OwnSettings, openRun } from "./query-run.js";
import { mayFollowLinks, readRecordOptions } from "./record-options.js";
import { alterTableAt, renameTableAt } from "./tables.js";
import { insertAndRead, insertRecords, readRecords, writeRecords } from "./write-records.js";
import { writeWhere } from "./write-where.js";

type AnyReturnOptions = ReturnOptions<readonly ColumnSelection[]>;
type AnyWhereOptions = WhereOptions<readonly ColumnSelection[]>;
type AnyWriteOptions = WriteOptions<readonly ColumnSelection[]>;

const ONE = { writes: "one" } as const;

/** A handle of a table: each call looks it up by name (M-4). */
export class Table implements AnyTable {
  readonly #context: EngineContext;
  #address: TableAddress;

  constructor(context: EngineContext, address: TableAddress) {
    this.#context = context;
    this.#address = address;
  }

  /** Internal: for other entry points. The address follows renames by the handle. */
  static locate(table: AnyTable): { context: EngineContext; address: TableAddress } {
    const own = table as Table; // the only implementation; private names reject others
    return { context: own.#context, address: own.#address };
  }

  get name(): string {
    return this.#address.table;
  }

  insert(record: AnyInput, options?: AnyReturnOptions): AnyRecord;
  insert(records: readonly AnyInput[], options?: AnyReturnOptions): AnyRecord[];
  insert(records: unknown, options?: AnyReturnOptions): AnyRecord | AnyRecord[] {
    const { columns } = readRecordOptions(options, ["columns"]);
    this.#checkColumns(columns);
    if (!isArray(records)) {
      return this.#writeAndRead(columns, (writer) => writer.insert(records));
    }
    return insertAndRead(this.#context, this.#address, records, columns);
  }

  load(records: Iterable<AnyInput>): number {
    let count = 0;
    insertRecords(this.#context, this.#address, records, { onInsert: () => count++ });
    return count;
  }

  get(id: string, options?: AnyReturnOptions): AnyRecord | null {
    const { columns } = readRecordOptions(options, ["columns"]);
    return this.#context.read(() => {
      const run = this.#run();
      const project = bindProject(run, columns, "/columns");
      const ordinal = run.table.find(id);
      return ordinal < 0 ? null : project([ordinal])[0]!;
    });
  }

  update(id: string, changes: AnyInput, options?: AnyWriteOptions): AnyRecord {
    return this.#writeOne("update", id, changes, options);
  }

  replace(id: string, record: AnyInput, options?: AnyWriteOptions): AnyRecord {
    return this.#writeOne("replace", id, record, options);
  }

  upsert(id: string, record: AnyInput, options?: AnyWriteOptions): AnyRecord {
    return this.#writeOne("upsert", id, record, options);
  }

  put(id: string, record: AnyInput, options?: PutOptions<readonly ColumnSelection[]>): AnyRecord {
    return this.#writeOne("put", id, record, options, ["columns", "ifVersion", "createOnly"]);
  }

  delete(id: string, options?: Pick<WriteConditions, "ifVersion">): boolean {
    const conditions = readRecordOptions(options, ["ifVersion"]);
    if (this.#read().find(id) < 0) return false;
    const remove = (writer: TableWriter): boolean => writer.delete(id, conditions);
    return writeRecords(this.#context, this.#address, remove, ONE);
  }

  updateWhere(filter: Filter, changes: AnyInput, options: AnyWhereOptions): AnyRecord[];
  updateWhere(filter: Filter, changes: AnyInput): number;
  updateWhere(filter: Filter, changes: AnyInput, options?: unknown): number | AnyRecord[] {
    return writeWhere(this.#context, this.#address, [filter, changes ?? null, options]);
  }

  deleteWhere(filter: Filter, options: AnyWhereOptions): AnyRecord[];
  deleteWhere(filter: Filter): number;
  deleteWhere(filter: Filter, options?: unknown): number | AnyRecord[] {
    return writeWhere(this.#context, this.#address, [filter, undefined, options]);
  }

  query(request?: QueryRequest): QueryResult {
    return this.#context.query(() => runQuery(this.#run(), request));
  }

  scan(request?: Omit<QueryRequest, "page">): IterableIterator<AnyRecord> {
    return this.#context.query(() => {
      this.#context.share(); // records are created lazily
      return scanRecords(this.#run(), request, (act) => this.#context.read(act));
    });
  }

  count(filter?: Filter): number {
    return this.#context.query(() => countMatches(this.#run(), filter));
  }

  summarize(request?: SummarizeRequest): SummarizeResult {
    return this.#context.query(() => ({ summaries: runSummarize(this.#run(), request) }));
  }

  aggregate(request?: AggregateRequest): AggregateResult {
    return this.#context.query(() => ({ aggs: runAggregate(this.#run(), request) }));
  }

  explain(request?: QueryRequest): PlanDescription {
    return this.#context.query(() => explainQuery(this.#run({ drawSeed: () => 0 }), request));
  }

  schema(): { columns: ColumnDefinition[] } {
    return { columns: describeSchema(this.#read().schema) };
  }

  addColumn(definition: ColumnDefinition): void {
    this.#alter((table, context) => putColumn("addColumn", table, definition, context));
  }

  alterColumn(definition: ColumnDefinition): void {
    this.#alter((table, context) => putColumn("alterColumn", table, definition, context));
  }

  renameColumn(path: string, newName: string): void {
    this.#alter((table, context) => renameColumn(table, path, newName, context));
  }

  removeColumn(path: string): void {
    this.#alter((table, context) => removeColumn(table, path, context));
  }

  setSchema(
    schema: { readonly columns: readonly ColumnDefinition[] },
    options?: DropOptions,
  ): void {
    const about = { what: "schema", rule: "E-3" };
    const { columns } = readFields(schema ?? null, ["columns"], about);
    const { dropValues } = readFields(options, ["dropValues"], about);
    const mayDrop = readFlag(dropValues, partAt("dropValues"));
    this.#alter((table, context) => replaceColumns(table, columns, mayDrop, context));
  }

  rename(newName: string): void {
    const before = this.#address;
    this.#address = { ...before, table: newName }; // listeners use the new name
    try {
      renameTableAt(this.#context, before, newName);
    } catch (error) {
      this.#address = before;
      throw error;
    }
  }

  #read(): TableVersion {
    return this.#context.readTable(this.#address);
  }

  #run(settings?: OwnSettings): QueryRun {
    return openRun(this.#context, this.#address, settings);
  }

  /** Validates the selection before writing. */
  #checkColumns(columns: unknown): void {
    if (columns !== undefined) readRecords(this.#context, this.#address, columns, []);
  }

  /** Writes a record and reads it back: in place unless the answer may be refused, as through links. */
  #writeAndRead(columns: unknown, write: (writer: TableWriter) => string): AnyRecord {
    const writes = mayFollowLinks(columns) ? "many" : "one";
    return this.#context.call(() => {
      const id = writeRecords(this.#context, this.#address, write, ONE);
      return readRecords(this.#context, this.#address, columns, [id])[0]!;
    }, writes);
  }

  /** Like above, but validates options first. */
  #writeOne(
    call: "update" | "replace" | "upsert" | "put",
    id: string,
    record: AnyInput,
    options: unknown,
    known: Parameters<typeof readRecordOptions>[1] = ["columns", "ifVersion"],
  ): AnyRecord {
    const conditions = readRecordOptions(options, known);
    const { columns } = conditions;
    this.#checkColumns(columns);
    return this.#writeAndRead(columns, (writer) => {
      writer[call](id, record, conditions);
      return id;
    });
  }

  #alter(change: (table: TableVersion, context: AlterContext) => AlteredTable): void {
    alterTableAt(this.#context, this.#address, change);
  }
}
