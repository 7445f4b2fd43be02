import { isFileType } from "../../schema/files.js";
import type { TableVersion } from "../../storage/table.js";
import type { Header } from "./layout.js";
import {
  catalogLines,
  contentLines,
  type ExportedState,
  ExportWriter,
  tableLine,
} from "./write.js";

/** Where the records of the tables of a catalog are, which itself has none. */
export interface RecordSource {
  /** The number of records of a table. */
  readonly sizeOf: (table: TableVersion) => Promise<number>;
  /** Its records, some at a time, in the order of their ids. */
  readonly read: (table: TableVersion) => AsyncIterable<TableVersion>;
}

/** The text of an export, chunk by chunk, of which no more is held than some records. */
export async function* streamExport(
  header: Header,
  contents: ExportedState,
  source: RecordSource,
): AsyncGenerator<string> {
  const writer = new ExportWriter();
  const tables = new Map<TableVersion, number>();
  yield* writer.addAll(catalogLines(header, contents, tables));
  const written = new Set<string>();
  for (const table of tables.keys()) {
    if (!table.schema.leaves.some(({ type }) => isFileType(type))) continue;
    for await (const some of source.read(table))
      yield* writer.addAll(contentLines([some], written));
  }
  for (const [table, number] of tables) {
    yield* writer.addAll([tableLine(table, number, await source.sizeOf(table))]);
    for await (const some of source.read(table)) yield* writer.addRecords(some);
  }
  yield* writer.end();
}
