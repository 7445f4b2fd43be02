import { createFileStorage } from "./engine/files.js";
import { type AnyEngine, Engine } from "./engine.js";
import {
  type DownloadedFile,
  type FileDetails,
  readContent,
  removeContent,
  type UploadedFile,
  type UploadOptions,
  writeContent,
} from "./files/content.js";
import { readByLink, writeByLink } from "./files/links.js";
import type { FilePlace } from "./files/places.js";
import type { AnyShape } from "./typed/shape.js";
import type { AnyTable, TypedTable } from "./typed/table.js";

export type {
  DownloadedFile,
  FileDetails,
  UploadedFile,
  UploadOptions,
} from "./files/content.js";
export type { FilePlace } from "./files/places.js";

/**
 * Lets an engine and its forks keep files, in columns of the types `file` and `file[]` (section H):
 * without it what is given for such a column is refused with `not_implemented`. Handlers and servers
 * do so for the engine they are given, and an import for the one it makes.
 *
 * @returns the same engine
 */
export function enableFiles<E extends AnyEngine>(engine: E): E {
  Engine.contextOf(engine).files ??= createFileStorage();
  return engine;
}

/**
 * The content of a file, and what it is.
 *
 * @throws TwinbaseError `file_not_found`, `record_not_found`, `column_not_found` (rule H-3)
 */
export function downloadFile<S extends AnyShape>(
  table: TypedTable<S>,
  place: FilePlace,
): DownloadedFile {
  return readContent(anyOf(table), place);
}

/**
 * Gives a file another content, or makes one: in a `file[]` one more where `place` names none. Its
 * id, name and options stay. It is a write of the record.
 *
 * @throws TwinbaseError `record_not_found`, `column_not_found`, `payload_too_large` beyond 20 MiB
 *   (rules H-1, H-3)
 */
export function uploadFile<S extends AnyShape>(
  table: TypedTable<S>,
  place: FilePlace,
  content: Uint8Array,
  options?: UploadOptions,
): UploadedFile {
  return writeContent(anyOf(table), place, content, options);
}

/** Removes a file, and tells what it was; throws as {@link downloadFile} (rule H-3). */
export function deleteFile<S extends AnyShape>(
  table: TypedTable<S>,
  place: FilePlace,
): FileDetails {
  return removeContent(anyOf(table), place);
}

/**
 * Reads a file by the token of its `url` or `signedUrl`, whatever workspace it is in (rule H-4).
 *
 * @throws TwinbaseError `file_not_found`, `forbidden` where it is not public, or its time is over
 */
export function downloadByToken(engine: AnyEngine, token: string): DownloadedFile {
  return readByLink(engine, token);
}

/** Writes a file by the token of its `uploadUrl`; throws as {@link downloadByToken} (rule H-4). */
export function uploadByToken(
  engine: AnyEngine,
  token: string,
  content: Uint8Array,
  options?: UploadOptions,
): FileDetails {
  return writeByLink(engine, token, content, options);
}

function anyOf<S extends AnyShape>(table: TypedTable<S>): AnyTable {
  return table as unknown as AnyTable; // a handle is the same whatever its shape
}
