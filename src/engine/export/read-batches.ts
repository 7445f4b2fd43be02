import { refuse, TwinbaseError } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { isFileType } from "../../schema/files.js";
import type { TableVersion } from "../../storage/table.js";
import { createFileKeeping } from "../files.js";
import { LineReader } from "./lines.js";
import { FilesReader } from "./read-files.js";
import { TableReader, VALUES_AT } from "./read-table.js";
import { requireFields } from "./values.js";

/** The content of a file: its hash, and its bytes as base64. */
export type Content = readonly [hash: string, base64: string];

/** What comes next in an export, after its catalog. */
export type Batch =
  | { readonly contents: readonly Content[] }
  | {
      /** The number of the table that the records are of. */
      readonly number: number;
      /** Of the contents that the records name. */
      readonly hashes: readonly string[];
      /** The records; throws `invalid_request` with the line of one that is no good. */
      readonly read: (contents: readonly Content[]) => TableVersion;
    };

type NumberedLine = readonly [number: number, line: readonly unknown[]];

/** Lines and characters of a batch, at most, but for the last line of one. */
const MAX_LINES = 2000;
const MAX_LENGTH = 2 ** 22;

/**
 * Reads what follows the catalog of an export, some lines at a time. What the whole of them has to be
 * like was looked at before: here it is each record.
 *
 * @param source the text of the export, or its UTF-8, in chunks
 */
export async function* readBatches(
  source: AsyncIterable<string | Uint8Array>,
  profile: Profile,
): AsyncGenerator<Batch> {
  let lines: NumberedLine[] = [];
  let table: readonly unknown[] = [];
  const ready: Batch[] = [];
  let length = 0;
  const close = (): void => {
    if (lines.length > 0) ready.push(batchOf(table, lines, profile));
    lines = [];
    length = 0;
  };
  const reader = new LineReader((line) => {
    const [tag] = line;
    if (tag === "table") {
      close();
      table = line;
    } else if (tag === "r" || tag === "file") {
      lines.push([reader.number, line]);
      // Texts are most of what is long.
      for (const part of line) length += typeof part === "string" ? part.length : 16;
      if (lines.length >= MAX_LINES || length >= MAX_LENGTH) close();
    }
  });
  for await (const chunk of source) {
    reader.write(chunk);
    yield* ready.splice(0);
  }
  reader.end();
  close();
  yield* ready;
}

function batchOf(
  [, number, details]: readonly unknown[],
  lines: readonly NumberedLine[],
  profile: Profile,
): Batch {
  if (details === undefined) {
    return { contents: lines.map(([, [, hash, base64]]) => [String(hash), String(base64)]) };
  }
  const fields = requireFields(details, "table");
  const open = (files: FilesReader): TableReader =>
    new TableReader(`number ${number}`, { ...fields, size: lines.length }, profile, files);
  const none = open(new FilesReader(createFileKeeping()));
  const places = none.leaves.flatMap(({ type }, i) => (isFileType(type) ? [i] : []));
  return {
    number: Number(number),
    hashes: places.length === 0 ? [] : [...hashesIn(lines, places)],
    read: (contents) => {
      const files = new FilesReader(createFileKeeping());
      for (const [hash, base64] of contents) files.readContent(hash, base64);
      const table = open(files);
      for (const [at, line] of lines) placed(at, () => table.readRecord(line));
      return table.end();
    },
  };
}

/** The hashes of contents that lines of records name. */
function* hashesIn(lines: readonly NumberedLine[], places: readonly number[]): Generator<string> {
  const found = new Set<unknown>();
  for (const [, line] of lines) {
    for (const place of places) {
      for (const file of [line[VALUES_AT + place]].flat()) {
        const { content } = (file ?? {}) as { readonly content?: unknown };
        if (typeof content === "string" && found.size !== found.add(content).size) yield content;
      }
    }
  }
}

function placed(line: number, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    refuse("invalid_request", `import: line ${line}: ${error.message}`);
  }
}
