import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { refuse } from "../errors.js";
import { guessFormat } from "../fixtures/guess-format.js";
import type { Fixture, LoadedFixture } from "../fixtures.js";

const EXPORT_BEGINNING = '["twinbase",';
/** Maximum characters of a value in a message. */
const MAX_SHOWN = 60;
const CHUNK_BYTES = 1 << 18;

/** Standard input. */
const STDIN = "-";

/** The records in a file, read in chunks and possibly twice; standard input is held in memory. */
export function openFixture(path: string): Fixture {
  if (path !== STDIN) return { name: path, text: () => readChunks(path, path) };
  const chunks = [...readChunks(0, path)];
  return { name: path, text: () => chunks, format: guessFormat(chunks.join("")) };
}

/** The table for a file: its name without the extension. */
export function tableNameOf(path: string): string {
  const name = basename(path === STDIN ? "" : path).replace(/\.\w+$/, "");
  return name.replaceAll(/[^\w~-]+/g, "_") || "records";
}

/** Reports renamed columns, and types that a few values decided. */
export function sayColumns(
  path: string,
  { renamed, widened }: LoadedFixture,
  say: (line: string) => void,
): void {
  for (const { from, to } of renamed) {
    say(`${path}: the column ${JSON.stringify(from)} is named ${to}`);
  }
  for (const { column, type, narrower, values } of widened) {
    const told = values.map(({ line, value }) => `line ${line} ${describeValue(value)}`);
    const because = told.join(" and ");
    say(`${path}: column ${column} is ${type} and not ${narrower}, because of ${because}`);
  }
}

function describeValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Whether a file begins like an export. */
export function isExport(path: string): boolean {
  if (path === STDIN) return false;
  const beginning = new Uint8Array(EXPORT_BEGINNING.length);
  const file = openFile(path);
  try {
    readSync(file, beginning);
  } finally {
    closeSync(file);
  }
  return new TextDecoder().decode(beginning) === EXPORT_BEGINNING;
}

function openFile(path: string): number {
  const file = openSync(path, "r");
  if (!fstatSync(file).isDirectory()) return file;
  closeSync(file);
  return refuse("invalid_request", `${path}: expected a file, found a folder`);
}

function* readChunks(from: string | 0, path: string): Generator<string> {
  const file = from === 0 ? 0 : openFile(from);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const bytes = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const count = readSync(file, bytes);
      const isLast = count === 0;
      yield decode(path, () => decoder.decode(bytes.subarray(0, count), { stream: !isLast }));
      if (isLast) return;
    }
  } finally {
    if (from !== 0) closeSync(file);
  }
}

function decode(path: string, read: () => string): string {
  try {
    return read();
  } catch {
    return refuse("invalid_request", `${path}: expected UTF-8`);
  }
}
