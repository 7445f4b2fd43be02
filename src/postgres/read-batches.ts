import { createFileStorage } from "../engine/file-storage.js";
import { refuse, TwinbaseError } from "../errors.js";
import { type Line, LineFault, LineReader } from "../persist/lines.js";
import { createStoredFileReader } from "../persist/records.js";
import { TableReplay } from "../persist/table-replay.js";
import type { Profile } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import { decodeBase64 } from "../value/base64.js";

/** A file's content: its hash, and its bytes as base64. */
export type Content = readonly [hash: string, base64: string];

/** The next part of an export, after its catalog. */
export type Batch =
  | { readonly kind: "content"; readonly content: Content }
  /** A table; `source` is the number of the table that it was branched from. */
  | { readonly kind: "table"; readonly number: number; readonly source: number | null }
  | {
      readonly kind: "records";
      /** The number of their table. */
      readonly number: number;
      readonly hashes: readonly string[];
      readonly deleted: readonly string[];
      /** @throws TwinbaseError `invalid_request` with the line of an invalid record */
      readonly read: (contents: readonly Content[]) => TableVersion;
    };

type NumberedLine = readonly [number: number, line: Line];

/** Maximum lines and characters of a batch; its last line may exceed them. */
const MAX_LINES = 2000;
const MAX_LENGTH = 2 ** 22;

/** Reads the records of an export in batches of lines. Its catalog was validated before. */
export async function* readBatches(
  source: AsyncIterable<string | Uint8Array>,
  profile: Profile,
): AsyncGenerator<Batch> {
  const tables = new Map<unknown, unknown>();
  const ready: Batch[] = [];
  let lines: NumberedLine[] = [];
  let length = 0;
  const close = (): void => {
    const [, first] = lines[0] ?? [];
    if (first !== undefined) ready.push(batchOf(lines, tables.get(first[1]), profile));
    lines = [];
    length = 0;
  };
  const reader = new LineReader((line, number) => {
    const [tag, first, second, third] = line;
    if (tag === "file") {
      ready.push({ kind: "content", content: [String(first), String(second)] });
    } else if (tag === "table") {
      close();
      if (tables.has(first)) refuse("invalid_request", "it is the log of an engine, not an export");
      tables.set(first, second ?? tables.get(third)); // null: equal columns
      const from = third as number | null; // validated before
      ready.push({ kind: "table", number: first as number, source: from });
    } else if (tag === "r" || tag === "d") {
      if (lines[0]?.[1][1] !== first) close();
      lines.push([number, line]);
      // Long lines are mostly text.
      for (const part of line) length += typeof part === "string" ? part.length : 16;
      if (lines.length >= MAX_LINES || length >= MAX_LENGTH) close();
    }
  });
  for await (const chunk of source) {
    reader.write(chunk);
    yield* ready.splice(0);
  }
  reader.end(close);
  yield* ready;
}

function batchOf(lines: readonly NumberedLine[], table: unknown, profile: Profile): Batch {
  const [, [, number] = ["r"]] = lines[0] ?? [];
  const records = lines.filter(([, [tag]]) => tag === "r");
  return {
    kind: "records",
    number: number as number, // of a validated table
    hashes: [...hashesIn(records)],
    deleted: lines.flatMap(([, [tag, , id]]) => (tag === "d" ? [id as string] : [])), // the same
    read: (contents) => {
      const storage = createFileStorage();
      const files = new Map(
        contents.map(([hash, base64]) => {
          const content = storage.store(decodeBase64(base64) ?? new Uint8Array());
          if (content.hash !== hash)
            refuse("invalid_request", `file ${hash}: expected its content`);
          return [hash, content];
        }),
      );
      const readFile = createStoredFileReader(storage.read, (hash) => files.get(hash as string));
      const replay = new TableReplay(table, undefined, { profile, readFile, name: `${number}` });
      for (const [at, line] of records) placed(at, () => replay.set(line, at));
      placed(0, () => replay.checkUniques());
      return replay.version();
    },
  };
}

function* hashesIn(lines: readonly NumberedLine[]): Generator<string> {
  const found = new Set<unknown>();
  for (const [, [, , , , ...values]] of lines) {
    for (const file of values.flat()) {
      const { content } = (file ?? {}) as { readonly content?: unknown };
      if (typeof content === "string" && found.size !== found.add(content).size) yield content;
    }
  }
}

function placed(line: number, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof TwinbaseError || error instanceof LineFault)) throw error;
    const at = error instanceof LineFault ? error.line : line;
    refuse("invalid_request", `import: line ${at}: ${error.message}`);
  }
}
