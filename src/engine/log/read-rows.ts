import { CREATED_AT_SLOT, type StoredValue } from "../../schema/columns.js";
import type { TableVersion } from "../../storage/table.js";
import { TableTransient } from "../../storage/transient.js";
import type { Instant } from "../../value/datetime.js";
import { isRecordId } from "../../value/id.js";
import type { FilesReader } from "../export/read-files.js";
import { readRecordLine, readValue } from "../export/read-table.js";
import { refusePart, requireCount, requireInstant, requireText } from "../export/values.js";

/** Writes records to a table as lines have them: what is there in place of what was. */
export class RowsReader {
  readonly #name: string;
  readonly #files: FilesReader;
  readonly #transient: TableTransient;
  readonly #values: (StoredValue | undefined)[];

  /** @param name of the table, for messages */
  constructor(name: string, table: TableVersion, files: FilesReader) {
    this.#name = name;
    this.#files = files;
    this.#transient = new TableTransient(table);
    this.#values = new Array<StoredValue | undefined>(table.schema.slotCount).fill(null);
  }

  take(line: readonly unknown[]): void {
    const [tag, gone] = line;
    const transient = this.#transient;
    if (tag === "d") {
      const ordinal = transient.find(requireText(gone, "id"));
      if (ordinal >= 0) transient.delete(ordinal);
      return;
    }
    if (tag === "u") {
      this.#update(line);
      return;
    }
    if (tag !== "r") refusePart("line", "a record", tag);
    const { leaves } = transient.schema;
    const { id, metadata } = readRecordLine(line, this.#name, leaves, this.#values, this.#files);
    const ordinal = transient.has(id) ? transient.find(id) : -1;
    if (ordinal < 0) {
      transient.append(id, metadata, this.#values);
      return;
    }
    for (const column of leaves) {
      const value = this.#values[column.slot] ?? null;
      if (value !== transient.get(ordinal, column.slot)) transient.set(ordinal, column, value);
    }
    transient.setMetadata(ordinal, metadata);
  }

  #update([, id, version, updated, ...changes]: readonly unknown[]): void {
    const transient = this.#transient;
    const ordinal = isRecordId(id) ? transient.find(id) : -1;
    if (ordinal < 0) refusePart("record", "the id of a record that is there", id);
    for (let place = 0; place < changes.length; place += 2) {
      const column = transient.schema.leaves.find(({ slot }) => slot === changes[place]);
      if (column === undefined) refusePart("record", "the slot of a column", changes[place]);
      const value = readValue(this.#name, column, changes[place + 1], this.#files);
      transient.set(ordinal, column, value);
    }
    transient.setMetadata(ordinal, {
      version: requireCount(version, "version"),
      createdAt: transient.get(ordinal, CREATED_AT_SLOT) as Instant, // the type of the system column
      updatedAt: requireInstant(updated, "updatedAt"),
    });
  }

  end(): TableVersion {
    return this.#transient.persist();
  }
}
