import { createFileStorage } from "./engine/file-storage.js";
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
 * Enables columns of the types `file` and `file[]` in an engine and its forks (section H). Without
 * it, writing to them throws `not_implemented`. Handlers, servers and imports enable files for
 * their engine. Returns the same engine.
 */
export function enableFiles<E extends AnyEngine>(engine: E): E {
  Engine.contextOf(engine).files ??= createFileStorage();
  return engine;
}

/**
 * Returns the content of a file and its metadata. Throws `file_not_found`, `record_not_found`,
 * `column_not_found` (H-3).
 */
export function downloadFile<S extends AnyShape>(
  table: TypedTable<S>,
  place: FilePlace,
): DownloadedFile {
  return readContent(anyOf(table), place);
}

/**
 * Replaces the content of a file, or creates the file; in a `file[]` a `place` without an id
 * appends one. Keeps an existing file's id and options, its name only if it had no content yet. Counts as a record write. Throws
 * `record_not_found`, `column_not_found`, `payload_too_large` above 20 MiB (H-1, H-3).
 */
export function uploadFile<S extends AnyShape>(
  table: TypedTable<S>,
  place: FilePlace,
  content: Uint8Array,
  options?: UploadOptions,
): UploadedFile {
  return writeContent(anyOf(table), place, content, options);
}

/** Deletes a file and returns its metadata; throws as {@link downloadFile} (H-3). */
export function deleteFile<S extends AnyShape>(
  table: TypedTable<S>,
  place: FilePlace,
): FileDetails {
  return removeContent(anyOf(table), place);
}

/**
 * Reads a file by the token of its `url` or `signedUrl`, in any workspace (H-4). `isMember` returns
 * whether the reader is a member of a workspace and may read files that are not public; default
 * none. Throws `file_not_found`, `forbidden` for a file that is not public or an expired token.
 */
export function downloadByToken(
  engine: AnyEngine,
  token: string,
  isMember: (workspace: string) => boolean = () => false,
): DownloadedFile {
  return readByLink(engine, token, isMember);
}

/** Writes a file by the token of its `uploadUrl`; throws as {@link downloadByToken} (H-4). */
export function uploadByToken(
  engine: AnyEngine,
  token: string,
  content: Uint8Array,
  options?: UploadOptions,
): FileDetails {
  return writeByLink(engine, token, content, options);
}

function anyOf<S extends AnyShape>(table: TypedTable<S>): AnyTable {
  return table as unknown as AnyTable; // handles don't depend on the shape
}
