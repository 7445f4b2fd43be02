import type { AnyRecord } from "../../src/types.js";
import { metadataColumn } from "./catalog.js";
import { type Leaf, linkedId, valueAt } from "./columns.js";

export type FileFormat = "csv" | "json" | "ndjson";

/** Start, end and separator of each format. */
const FRAMES: Readonly<Record<FileFormat, readonly [string, string, string]>> = {
  csv: ["", "\n", "\n"],
  json: ["[\n", "\n]\n", ",\n"],
  ndjson: ["", "\n", "\n"],
};

/** Serializes records in chunks. */
export async function* writeFile(
  pages: AsyncIterable<readonly AnyRecord[]> | Iterable<readonly AnyRecord[]>,
  leaves: readonly Leaf[],
  format: FileFormat,
): AsyncGenerator<string> {
  const [start, end, between] = FRAMES[format];
  const head = leaves.map(({ path }) => csvCell(path)).join(",");
  yield format === "csv" ? `${head}\n` : start;
  let isFirst = true;
  for await (const records of pages) {
    const lines = records.map((record) =>
      format === "csv" ? csvLine(record, leaves) : JSON.stringify(plain(record)),
    );
    if (lines.length === 0) continue;
    yield `${isFirst ? "" : between}${lines.join(between)}`;
    isFirst = false;
  }
  yield end;
}

/** A record in importable form: without metadata, links as ids. */
function plain(record: AnyRecord): Record<string, unknown> {
  const { [metadataColumn.value]: _, ...values } = record;
  return values;
}

function csvLine(record: AnyRecord, leaves: readonly Leaf[]): string {
  return leaves
    .map(({ path, link }) => {
      const value = valueAt(record, path);
      return csvCell(link === undefined ? value : (linkedId(value) ?? null));
    })
    .join(",");
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A quoted empty string differs from null.
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
