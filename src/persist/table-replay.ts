import { refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { leavesOf } from "../schema/columns.js";
import type { ReadFile } from "../schema/files.js";
import { withSchema } from "../storage/alter.js";
import { createTableVersion, ordinalsOf, TableVersion } from "../storage/table.js";
import { TableTransient } from "../storage/transient.js";
import { refusePart } from "./codec.js";
import type { Line } from "./lines.js";
import { RecordDecoder } from "./records.js";
import { canFollow, decodeTable } from "./tables.js";

/** What tables are replayed with. */
export interface TableReading {
  readonly profile: Profile;
  readonly readFile: ReadFile;
  /** For messages. */
  readonly name: string;
}

/** A table that the lines of a file write to. */
export class TableReplay {
  readonly #name: string;
  readonly #transient: TableTransient;
  readonly #decoder: RecordDecoder;
  /** Whether records are there that were written under another schema. */
  #isAltered: boolean;

  /**
   * @param value identity and schema
   * @param base has the records that the table begins with
   */
  constructor(value: unknown, base: TableVersion | undefined, reading: TableReading) {
    const { profile, readFile, name } = reading;
    const { identity, schema } = value === null && base ? base : decodeTable(value, profile);
    if (base !== undefined && !canFollow(base.schema, schema)) {
      refusePart("table", "columns that can follow those of the records", value);
    }
    this.#name = name;
    this.#isAltered = base !== undefined;
    const context = { table: name, profile, now: { ms: 0, micros: 0 }, checkTime: () => {} };
    const table =
      base === undefined
        ? createTableVersion(identity, schema)
        : new TableVersion({ ...withSchema(base, schema, context), identity });
    this.#transient = new TableTransient(table);
    this.#decoder = new RecordDecoder(this.#transient, name, profile, readFile);
  }

  /** Writes the record of a line. */
  set(line: Line, number: number): void {
    this.#decoder.set(line, number);
  }

  delete(id: unknown): void {
    this.#decoder.delete(id);
  }

  /** Checks what holds for records together, once all of a change were written. */
  check(): void {
    if (this.#isAltered) this.#requireNotNull();
    this.#isAltered = false;
    this.#decoder.check();
  }

  version(): TableVersion {
    return this.#transient.persist();
  }

  #requireNotNull(): void {
    const { notNulls } = this.#transient.schema.constraints;
    if (notNulls.length === 0) return;
    const table = this.version();
    for (const column of notNulls) {
      const leaves = leavesOf(column);
      for (const ordinal of ordinalsOf(table.chunks)) {
        if (leaves.some(({ slot }) => table.get(ordinal, slot) !== null)) continue;
        refuse(
          "invalid_request",
          `table [${this.#name}]: column [${column.path}] must not be null`,
        );
      }
    }
  }
}
