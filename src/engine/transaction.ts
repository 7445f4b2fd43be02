import { type BranchAddress, tableAt } from "../catalog/address.js";
import { describe, pointer, refuse, refuseRecord, TwinbaseError } from "../errors.js";
import type { Rows } from "../query/project/projection.js";
import { bindProject } from "../query/run.js";
import { requireRecordId } from "../schema/record.js";
import { type RecordNames, recordNames } from "../schema/record-names.js";
import { partAt, refuseValue } from "../shape/fields.js";
import type { TableWriter } from "../storage/writer.js";
import type { AnyRecord } from "../types.js";
import { compareStrings } from "../value/compare.js";
import { isArray, isPlainObject } from "../value/json.js";
import { BranchWrite } from "./branch-write.js";
import type { EngineContext } from "./context.js";
import {
  placeRefusal,
  type RecordOperation,
  readOperationHead,
  readRecordOperation,
} from "./operation.js";
import { openRun } from "./query-run.js";
import { batchOptions, tryEach } from "./write-records.js";

/** The result of one operation (rule X-3). */
export type OperationResult =
  | { operation: "insert" | "update"; id: string; rows: 1; columns?: Record<string, unknown> }
  | { operation: "delete"; rows: 0 | 1; columns?: Record<string, unknown> }
  | { operation: "get"; columns: Record<string, unknown> };

const MAX_OPERATIONS = 1000;

/** Runs operations in order, all or none; throws with `errors` and status 400 (rule X-3). */
export function runTransaction(
  context: EngineContext,
  address: BranchAddress,
  operations: unknown,
): OperationResult[] {
  if (!isArray(operations)) {
    refuseValue(operations, "an array", partAt("operations", "X-3"));
  }
  if (operations.length > MAX_OPERATIONS) {
    refuse("invalid_request", `operations: at most ${MAX_OPERATIONS}, found ${operations.length}`, {
      path: "/operations",
      rule: "X-3",
    });
  }
  return context.write(() => {
    context.readBranch(address);
    const transaction = new Transaction(context, address);
    const results: OperationResult[] = [];
    const run = (operation: unknown, index: number): void => {
      results.push(transaction.run(operation, pointer("/operations", index)));
    };
    tryEach(operations as readonly unknown[], run, context, "operations");
    transaction.commit();
    return results;
  });
}

class Transaction {
  readonly #context: EngineContext;
  readonly #address: BranchAddress;
  readonly #reserved: RecordNames;
  readonly #write: BranchWrite;

  constructor(context: EngineContext, address: BranchAddress) {
    this.#context = context;
    this.#address = address;
    this.#reserved = recordNames(context.profile);
    this.#write = new BranchWrite(context, address, batchOptions(context).readFile);
  }

  run(request: unknown, at: string): OperationResult {
    const head = readOperationHead(request, at);
    try {
      return this.#run(readRecordOperation(head));
    } catch (error) {
      throw error instanceof TwinbaseError ? placeRefusal(error, head) : error;
    }
  }

  commit(): void {
    this.#write.commit();
  }

  #run(operation: RecordOperation): OperationResult {
    const { kind, table, columns } = operation;
    const writer = this.#write.writer(table);
    if (kind !== "delete" || columns !== undefined) this.#write.settle();
    if (columns !== undefined) this.#project(operation);
    switch (kind) {
      case "insert":
        return this.#insert(writer, operation);
      case "update":
        return this.#update(writer, operation);
      case "delete":
        return this.#delete(writer, operation);
      case "get":
        return { operation: "get", columns: this.#columnsOf(operation) ?? {} };
    }
  }

  /** Replaces an existing record, unless `createOnly` (rule X-3). */
  #insert(writer: TableWriter, operation: RecordOperation): OperationResult {
    const { table, record, at, ifVersion, createOnly, columns } = operation;
    const { idColumn } = this.#context.profile;
    const path = pointer(at, "record");
    const chosenId = isPlainObject(record) ? record[idColumn] : undefined;
    if (chosenId === undefined) {
      if (ifVersion !== undefined && isPlainObject(record)) {
        refuseRecord(table, "version_conflict", "ifVersion needs the id of a record", {
          path: at,
          rule: "X-3",
          reason: { kind: "version" },
        });
      }
      const id = writer.insert(record, path);
      return { operation: "insert", id, rows: 1, ...this.#named({ ...operation, id }) };
    }
    const id = requireRecordId(table, chosenId, pointer(path, idColumn));
    writer.put(id, record, { ifVersion, createOnly }, path);
    const isPlain = isEmptySelection(columns) && createOnly !== true;
    const named = isPlain ? { columns: {} } : this.#named({ ...operation, id });
    return { operation: "insert", id, rows: 1, ...named };
  }

  #update(writer: TableWriter, operation: RecordOperation): OperationResult {
    const { id, record, at, ifVersion, upsert, columns } = operation;
    writer[upsert ? "upsert" : "update"](id, record, { ifVersion }, pointer(at, "fields"));
    const named = isEmptySelection(columns) ? { columns: {} } : this.#named(operation);
    return { operation: "update", id, rows: 1, ...named };
  }

  #delete(writer: TableWriter, operation: RecordOperation): OperationResult {
    const { table, id, at, failIfMissing } = operation;
    const named = this.#named(operation);
    const wasThere = writer.delete(id);
    if (!wasThere && failIfMissing === true) {
      refuseRecord(table, "record_not_found", `record ${describe(id)} not found`, {
        path: pointer(at, "id"),
        rule: "X-3",
        reason: { kind: "record", text: "no rows deleted" },
      });
    }
    return wasThere ? { operation: "delete", rows: 1, ...named } : { operation: "delete", rows: 0 };
  }

  /** Returns the selected columns; no columns without a selection. */
  #named(operation: RecordOperation): { columns?: Record<string, unknown> } {
    if (isEmptySelection(operation.columns)) return {};
    const columns = this.#columnsOf(operation);
    return columns === undefined ? {} : { columns };
  }

  /** Returns exactly the named columns: id and metadata only if named (rule X-3). */
  #columnsOf(operation: RecordOperation): Record<string, unknown> | undefined {
    const { kind, table, id, columns } = operation;
    const ordinal = this.#write.version(table).find(id);
    if (ordinal < 0) return undefined;
    const record = this.#project(operation)([ordinal])[0]!;
    if (columns === undefined) return record;
    const { sortedResults } = this.#context.profile;
    const names = (columns as readonly unknown[]).filter((name) => typeof name === "string"); // `#project` has bound them
    if (sortedResults && kind === "get" && names.length === 0) return record; // id and metadata
    const selected = Object.entries(record).filter(
      ([key]) =>
        !this.#reserved.includes(key) ||
        names.some((name) => name === key || name.startsWith(`${key}.`)),
    );
    return Object.fromEntries(
      sortedResults ? selected.sort(([a], [b]) => compareStrings(a, b)) : selected,
    );
  }

  #project({ table, columns, at }: RecordOperation): (rows: Rows) => AnyRecord[] {
    const run = openRun(this.#context, tableAt(this.#address, table), {
      uncommitted: (name) => this.#write.written(name),
    });
    return bindProject(run, columns, pointer(at, "columns"));
  }
}

function isEmptySelection(columns: unknown): boolean {
  return columns === undefined || (isArray(columns) && columns.length === 0);
}
