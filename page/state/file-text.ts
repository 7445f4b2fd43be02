import { csvCell } from "../../src/fixtures/write-csv.js";
import { recordNames } from "../../src/schema/record-names.js";
import type { AnyRecord } from "../../src/types.js";
import { profile } from "./catalog.js";
import { type Leaf, linkedId, valueAt } from "./columns.js";

export type FileFormat = "csv" | "json" | "ndjson";

/** Start, end and separator of each format. */
const FRAMES: Readonly<Record<FileFormat, readonly [string, string, string]>> = {
  csv: ["", "\n", "\n"],
  json: ["[\n", "\n]\n", ",\n"],
  ndjson: ["", "\n", "\n"],
};

/** Serializes records in chunks. `escapesFormulas` prefixes texts in CSV that look like formulas. */
export async function* writeFile(
  pages: AsyncIterable<readonly AnyRecord[]> | Iterable<readonly AnyRecord[]>,
  leaves: readonly Leaf[],
  format: FileFormat,
  escapesFormulas = false,
): AsyncGenerator<string> {
  const [start, end, between] = FRAMES[format];
  const csvLine = (record: AnyRecord): string =>
    leaves
      .map(({ path, link }) => {
        const value = valueAt(record, path);
        return csvCell(link === undefined ? value : linkedId(value), escapesFormulas);
      })
      .join(",");
  const head = leaves.map(({ path }) => csvCell(path, escapesFormulas)).join(",");
  yield format === "csv" ? `${head}\n` : start;
  let isFirst = true;
  for await (const records of pages) {
    const lines = records.map((record) =>
      format === "csv" ? csvLine(record) : JSON.stringify(plain(record)),
    );
    if (lines.length === 0) continue;
    yield `${isFirst ? "" : between}${lines.join(between)}`;
    isFirst = false;
  }
  yield end;
}

/** A record in importable form: without metadata, links as ids. */
function plain(record: AnyRecord): Record<string, unknown> {
  const [, ...metadata] = recordNames(profile.value);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !metadata.includes(name)));
}

/** Downloads a text as a file. */
export function saveFile(name: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies a text; returns false where the browser forbids it, as without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
