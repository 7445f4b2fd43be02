import {
  type At,
  below,
  describe,
  type ErrorCode,
  type Reason,
  ROOT,
  refuseRecord,
} from "../errors.js";
import type { Profile } from "../profile.js";
import {
  type Constraints,
  type LinkColumn,
  type StoredValue,
  VERSION_SLOT,
} from "../schema/columns.js";
import { applyOperation } from "../schema/number-operation.js";
import {
  type ParsedRecord,
  RecordReader,
  requireRecordId,
  requireValue,
  TAKEN,
  type ValueSink,
} from "../schema/record.js";
import { requireRecordSize } from "../schema/record-size.js";
import { applyFileChanges, type ReadFile } from "../schema/stored-files.js";
import type { Instant } from "../value/datetime.js";
import type { RowMetadata } from "./metadata.js";
import { requireConstraints, type ValueAt } from "./require-constraints.js";
import type { TableVersion } from "./table.js";
import { type Noted, TableTransient, type WrittenRecords } from "./transient.js";
import { type Mark, NULL_CODE } from "./vectors.js";

/** Observes links and deletions; absent if links are not checked (rule T-18). */
export interface LinkObserver {
  /** Called before a link is written; may throw. Returns whether the linked record exists. */
  readonly onLink: (column: LinkColumn, link: string, record: string, at: At) => boolean;
  /** Called before a record is deleted; may throw. */
  readonly onDelete?: ((id: string) => void) | undefined;
}

export interface WriteContext {
  readonly table: string;
  readonly profile: Profile;
  readonly now: Instant;
  /** Returns the next generated id (rule R-3). */
  readonly nextId: () => string;
  /** Maximum bytes of a record's JSON (rule L-13). */
  readonly recordBytes: number;
  readonly readFile?: ReadFile | undefined;
  readonly noted?: Noted | undefined;
  readonly links?: LinkObserver | undefined;
  /** Permits a single write in place; absent for a draft. */
  readonly owner?: Mark | undefined;
  /** Throws if a getter wrote to the table while a record was read. */
  readonly requireCurrent?: (() => void) | undefined;
}

export interface WriteConditions {
  /** The required version; an update of a missing record fails, too (rule X-1). */
  readonly ifVersion?: number | undefined;
  /** Fails if the id exists (rule X-1). */
  readonly createOnly?: boolean | undefined;
}

const UPDATE = { update: true, inserts: false } as const;
const REPLACE = { update: false, inserts: false } as const;
const UPSERT = { update: true, inserts: true } as const;
const PUT = { update: false, inserts: true } as const;

/** Writes records, each atomically; `persist` returns the next table. */
export class TableWriter {
  readonly #context: WriteContext;
  readonly #transient: TableTransient;
  readonly #constraints: Constraints;
  readonly #reader: RecordReader;
  readonly #metadata: RowMetadata;
  /** By slot: 1 for each code whose linked record exists. */
  #knownLinks: Uint8Array[] = [];

  readonly #openValue = (slot: number): StoredValue => this.#transient.openValue(slot);

  constructor(table: TableVersion, context: WriteContext) {
    const { schema } = table;
    const { now, profile, owner, noted, readFile } = context;
    this.#context = context;
    this.#transient = new TableTransient(table, owner, noted);
    this.#constraints = schema.constraints;
    this.#reader = new RecordReader({ table: context.table, schema, profile, readFile });
    this.#metadata = { version: 0, createdAt: now, updatedAt: now };
  }

  persist(): TableVersion {
    return this.#transient.persist();
  }

  written(): WrittenRecords | undefined {
    return this.#transient.written();
  }

  /** Inserts a record and returns its id; throws `invalid_record`, `id_in_use`. */
  insert(record: unknown, at: At = ROOT, expected = 1, metadata?: Partial<RowMetadata>): string {
    const parsed = this.#read(record, at, false, undefined, this.#transient.openRow(expected));
    if (parsed.id !== undefined && this.#transient.has(parsed.id))
      this.#refuseTaken(parsed.id, below(at, this.#context.profile.idColumn));
    this.#complete(parsed, -1, at);
    const id = parsed.id ?? this.#freeId();
    this.#observeLinks(parsed, id, at);
    const rowMetadata =
      metadata === undefined ? this.#metadata : { ...this.#metadata, ...metadata };
    this.#transient.append(id, rowMetadata, parsed.values, expected);
    return id;
  }

  /** Updates the given columns (rule R-7). */
  update(id: string, changes: unknown, conditions?: WriteConditions, at?: At): void {
    this.#put(id, changes, conditions, at, UPDATE);
  }

  /** Replaces a record; absent columns become null or their default (rule R-7). */
  replace(id: string, record: unknown, conditions?: WriteConditions, at?: At): void {
    this.#put(id, record, conditions, at, REPLACE);
  }

  /** Updates or inserts a record; returns whether it existed. */
  upsert(id: string, record: unknown, conditions?: WriteConditions, at?: At): boolean {
    return this.#put(id, record, conditions, at, UPSERT);
  }

  /** Replaces or inserts a record; returns whether it existed. */
  put(id: string, record: unknown, conditions?: WriteConditions, at?: At): boolean {
    return this.#put(id, record, conditions, at, PUT);
  }

  /** Deletes a record; returns whether it existed. */
  delete(id: string, conditions: WriteConditions = {}): boolean {
    const ordinal = this.#transient.find(id);
    if (ordinal < 0) return false;
    this.#requireVersion(id, ordinal, conditions);
    this.#context.links?.onDelete?.(id);
    this.#transient.delete(ordinal);
    return true;
  }

  has(id: string): boolean {
    return this.#transient.find(id) >= 0;
  }

  get(ordinal: number, slot: number): StoredValue {
    return this.#transient.get(ordinal, slot);
  }

  /** Forgets which linked records exist, because records were deleted. */
  forgetLinks(): void {
    this.#knownLinks = [];
  }

  /** Sets links of a record to null; counts as one write of it (rule T-18). */
  unlink(ordinal: number, columns: readonly LinkColumn[]): void {
    this.#transient.touch(ordinal, this.#context.now);
    for (const column of columns) this.#transient.set(ordinal, column, null);
  }

  #put(
    id: string,
    record: unknown,
    conditions: WriteConditions = {},
    at: At = ROOT,
    { update, inserts }: { readonly update: boolean; readonly inserts: boolean },
  ): boolean {
    const ordinal = this.#transient.find(id);
    if (ordinal < 0 && !inserts) {
      this.#refuse("record_not_found", `record ${describe(id)} not found`, "R-9");
    }
    if (ordinal < 0) requireRecordId(this.#context.table, id);
    const parsed = this.#read(record, at, update && ordinal >= 0, id);
    if (ordinal >= 0 && conditions.createOnly === true) this.#refuseTaken(id, undefined);
    // A replacement of a missing record inserts it, whatever version it requires (rule X-1).
    if (update || ordinal >= 0) this.#requireVersion(id, ordinal, conditions);
    if (ordinal < 0) {
      this.#complete(parsed, -1, at);
      this.#observeLinks(parsed, id, at);
      this.#transient.append(id, this.#metadata, parsed.values);
    } else if (update) this.#update(ordinal, parsed, at);
    else this.#replace(ordinal, parsed, at);
    return ordinal >= 0;
  }

  #read(
    record: unknown,
    at: At,
    allowOperations: boolean,
    id?: string,
    sink?: ValueSink,
  ): ParsedRecord {
    const parsed = this.#reader.read(record, at, allowOperations, sink);
    this.#context.requireCurrent?.();
    if (id !== undefined && parsed.id !== undefined && parsed.id !== id) {
      const message = `id: expected ${describe(id)} as addressed, found ${describe(parsed.id)}`;
      this.#refuse("invalid_record", message, "R-8", below(at, this.#context.profile.idColumn));
    }
    return parsed;
  }

  #replace(ordinal: number, parsed: ParsedRecord, at: At): void {
    this.#complete(parsed, ordinal, at);
    this.#observeLinks(parsed, this.#transient.idAt(ordinal), at);
    this.#transient.touch(ordinal, this.#context.now);
    for (const column of this.#transient.schema.leaves) {
      const value = requireValue(parsed.values[column.slot]);
      if (value !== null || this.#transient.get(ordinal, column.slot) !== null) {
        this.#transient.set(ordinal, column, value);
      }
    }
  }

  /** Fills in defaults and checks constraints (rule T-16). */
  #complete(parsed: ParsedRecord, ordinal: number, at: At): void {
    const { values } = parsed;
    const { defaults, objectDefaults, notNulls, uniques } = this.#constraints;
    if (defaults.length > 0 || objectDefaults.length > 0)
      this.#reader.fillDefaults(parsed, this.#context.now, at);
    if (parsed.files.length > 0) this.#applyFileChanges(parsed, ordinal);
    requireRecordSize(this.#context, this.#transient.schema, values, this.#openValue, at);
    if (notNulls.length > 0 || uniques.length > 0)
      this.#requireConstraints(this.#constraints, (slot) => values[slot] ?? null, ordinal, at);
  }

  #update(ordinal: number, parsed: ParsedRecord, at: At): void {
    const { values } = parsed;
    for (const { column, operation, path } of parsed.operations) {
      const before = this.#transient.get(ordinal, column.slot);
      const after = before === null ? null : applyOperation(column, before as number, operation); // a number column's
      if (after === undefined) {
        const done = `${operation.operator} ${operation.operand} on ${before}`;
        const message = `column [${column.path}]: ${done} has no result that the column can hold`;
        this.#refuse("invalid_record", message, "X-2", path);
      }
      values[column.slot] = after;
    }
    this.#applyFileChanges(parsed, ordinal);
    const valueAt: ValueAt = (slot) => {
      const value = values[slot];
      return value === undefined ? this.#transient.get(ordinal, slot) : value;
    };
    const storedAt = (slot: number): StoredValue => this.#transient.get(ordinal, slot);
    requireRecordSize(this.#context, this.#transient.schema, values, storedAt, at);
    const { notNulls, uniques } = this.#constraints;
    const changed = uniques.filter(({ slot }) => values[slot] !== undefined);
    this.#requireConstraints({ notNulls, uniques: changed }, valueAt, ordinal, at);
    this.#observeLinks(parsed, this.#transient.idAt(ordinal), at);
    this.#transient.touch(ordinal, this.#context.now);
    for (const column of this.#transient.schema.leaves) {
      const value = values[column.slot];
      if (value !== undefined) this.#transient.set(ordinal, column, requireValue(value));
    }
  }

  #observeLinks({ values }: ParsedRecord, id: string, at: At): void {
    const { links: observer } = this.#context;
    if (observer === undefined) return;
    for (const column of this.#constraints.links) {
      const { slot } = column;
      const value = values[slot];
      if (value === TAKEN) {
        // Bulk loads repeat links: each id is observed until it is known.
        const code = this.#transient.openCode(slot);
        const checkedLinks = this.#knownLinks[slot];
        if (code === NULL_CODE || checkedLinks?.[code] === 1) continue;
        const link = this.#transient.openValue(slot) as string; // a link's type
        if (observer.onLink(column, link, id, at)) this.#know(slot, code);
      } else if (typeof value === "string") observer.onLink(column, value, id, at);
    }
  }

  #know(slot: number, code: number): void {
    let known = this.#knownLinks[slot] ?? new Uint8Array(0);
    if (code >= known.length) {
      const longer = new Uint8Array(Math.max(64, code * 2));
      longer.set(known);
      known = longer;
    }
    known[code] = 1;
    this.#knownLinks[slot] = known;
  }

  #applyFileChanges(parsed: ParsedRecord, ordinal: number): void {
    const before = (slot: number) => (ordinal < 0 ? null : this.#transient.get(ordinal, slot));
    applyFileChanges(parsed, before, this.#context.nextId);
  }

  #requireConstraints(
    of: Pick<Constraints, "notNulls" | "uniques">,
    valueAt: ValueAt,
    ordinal: number,
    at: At,
  ): void {
    requireConstraints(this.#transient, this.#context.table, of, valueAt, ordinal, at);
  }

  #requireVersion(id: string, ordinal: number, { ifVersion }: WriteConditions): void {
    if (ifVersion === undefined) return;
    const version = ordinal < 0 ? "none" : this.#transient.get(ordinal, VERSION_SLOT);
    if (version === ifVersion) return;
    const message = `record [${id}]: expected version ${ifVersion}, found ${String(version)}`;
    this.#refuse("version_conflict", message, "X-1", undefined, { reason: { kind: "version" } });
  }

  #freeId(): string {
    for (;;) {
      const id = this.#context.nextId();
      if (!this.#transient.has(id)) return id;
    }
  }

  #refuseTaken(id: string, path: At | undefined): never {
    this.#refuse("id_in_use", `record ${describe(id)} already exists`, "R-3", path);
  }

  #refuse(
    code: ErrorCode,
    text: string,
    rule: string,
    path?: At,
    details: { readonly reason?: Reason } = {},
  ): never {
    refuseRecord(this.#context.table, code, text, { path, rule, ...details });
  }
}
