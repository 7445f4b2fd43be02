import type { StoredValue } from "../../schema/columns.js";
import type { TableVersion } from "../../storage/table.js";
import { TableTransient } from "../../storage/transient.js";
import type { FilesReader } from "../export/read-files.js";
import { readRecordLine } from "../export/read-table.js";
import { refusePart, requireText } from "../export/values.js";

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

  end(): TableVersion {
    return this.#transient.persist();
  }
}
