import { closeSync, fstatSync, openAsBlob, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { refuse } from "../errors.js";
import { gunzip, holdChunks, isGzip } from "../fixtures/decode.js";

const EXPORT_BEGINNING = '["twinbase",';
const CHUNK_BYTES = 1 << 18;

/** Standard input. */
const STDIN = "-";

/** A file of records. */
export interface OpenedFile {
  readonly name: string;
  readonly text: () => Iterable<Uint8Array>;
  /** The part of the last reading that is done, from 0 to 1; undefined if it is not known. */
  readonly part: () => number | undefined;
}

/**
 * The records in a file, read in chunks and possibly several times. Standard input and compressed
 * files are held in memory.
 */
export async function openFixture(path: string): Promise<OpenedFile> {
  if (path === STDIN) {
    const held = await holdChunks(readChunks(0), `${path}: write it to a file: more`);
    const isPacked = held[0] !== undefined && isGzip(held[0]);
    return openHeld(path, isPacked ? await gunzip(new Blob(held as BlobPart[]), path) : held);
  }
  const [first = new Uint8Array()] = readChunks(openFile(path));
  if (isGzip(first)) return openHeld(path, await gunzip(await openAsBlob(path), path));
  let [done, size] = [0, 0];
  function* text(): Generator<Uint8Array> {
    const file = openFile(path);
    [done, size] = [0, fstatSync(file).size];
    for (const chunk of readChunks(file)) {
      done += chunk.length;
      yield chunk;
    }
  }
  return { name: path, text, part: () => (size > 0 ? done / size : undefined) };
}

function openHeld(name: string, held: readonly Uint8Array[]): OpenedFile {
  return { name, text: () => held, part: () => undefined };
}

/** The table for a file: its name without the extension. */
export function tableNameOf(path: string): string {
  const name = basename(path === STDIN ? "" : path).replace(/\.\w+(?:\.gz)?$/, "");
  return name.replaceAll(/[^\w~-]+/g, "_") || "records";
}

/** Whether a file begins like an export. */
export function isExport(path: string): boolean {
  if (path === STDIN) return false;
  const [first] = readChunks(openFile(path));
  return new TextDecoder().decode(first).startsWith(EXPORT_BEGINNING);
}

function openFile(path: string): number {
  const file = openSync(path, "r");
  if (!fstatSync(file).isDirectory()) return file;
  closeSync(file);
  return refuse("invalid_request", `${path}: expected a file, found a folder`);
}

/** Reads a file and closes it, unless it is standard input. */
function* readChunks(file: number): Generator<Uint8Array> {
  try {
    for (;;) {
      const bytes = new Uint8Array(CHUNK_BYTES);
      const count = readSync(file, bytes);
      if (count === 0) return;
      yield bytes.subarray(0, count);
    }
  } finally {
    if (file !== 0) closeSync(file);
  }
}
