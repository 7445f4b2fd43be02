import { BYTES } from "../schema/read-files.js";
import type { StoredFile } from "../schema/stored-files.js";
import { readFields, refuseValue } from "../shape/fields.js";
import type { AnyTable } from "../typed/table.js";
import type { AnyInput } from "../typed/write.js";
import type { AnyRecord } from "../types.js";
import {
  type FilePlace,
  type FoundFiles,
  findFiles,
  refuseMissing,
  requireFile,
} from "./places.js";

/** Metadata of a file, as selected by `file.*` (H-2). */
export interface FileDetails {
  /** The id of a file in a `file[]`. */
  id?: string;
  name: string;
  mediaType: string;
  enablePublicUrl: boolean;
  /** In seconds. */
  signedUrlTimeout: number;
  /** In seconds. */
  uploadUrlTimeout: number;
  /** In bytes. */
  size: number;
  version: number;
  url: string;
  /** Width and height of an image in a known format; otherwise empty. */
  attributes: { width?: number; height?: number };
}

/** A file with its content, which the caller owns. */
export interface DownloadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** An uploaded file; `isNew` if it did not exist before. */
export interface UploadedFile {
  readonly file: FileDetails;
  readonly isNew: boolean;
}

/** Options of {@link uploadFile}. */
export interface UploadOptions {
  /** Default: the existing file's, or `application/octet-stream`. */
  readonly mediaType?: string | undefined;
}

export function readContent(table: AnyTable, place: FilePlace): DownloadedFile {
  return copyFile(requireFile(table, place, findFiles(table, place)));
}

export function copyFile({ name, mediaType, content }: StoredFile): DownloadedFile {
  return { name, mediaType, content: content.bytes.slice() };
}

export function writeContent(
  table: AnyTable,
  place: FilePlace,
  bytes: Uint8Array,
  options?: UploadOptions,
): UploadedFile {
  if (!(bytes instanceof Uint8Array)) {
    refuseValue(bytes, "bytes (a Uint8Array)", { what: "content", rule: "H-3" });
  }
  const { mediaType } = readFields(options, ["mediaType"], { what: "upload", rule: "H-3" });
  const { column, files } = findFiles(table, place);
  const isList = column.type === "file[]";
  if (!isList && place.file !== undefined) refuseMissing(table, place);
  const former =
    isList && place.file === undefined ? undefined : files.find(({ id }) => id === place.file);
  const details = { ...optionsOf(former), ...(mediaType === undefined ? {} : { mediaType }) };
  const file = { ...details, ...(isList ? { id: place.file } : {}), [BYTES]: bytes };
  const value = isList ? replaceIn(files, former, file) : file;
  const after = filesAfter(table, place, value);
  const index = former === undefined ? -1 : files.indexOf(former);
  return { file: after.at(index)!, isNew: former === undefined }; // new files are appended
}

export function removeContent(table: AnyTable, place: FilePlace): FileDetails {
  const found = findFiles(table, place);
  const file = requireFile(table, place, found);
  const before = filesOf(table.get(place.record, { columns: [`${place.column}.*`] }), place);
  const isList = found.column.type === "file[]";
  filesAfter(table, place, isList ? found.files.filter((other) => other !== file).map(keep) : null);
  return before[found.files.indexOf(file)]!; // as many as were found
}

/** Properties that new content does not change; only the first one leaves the name (H-3). */
function optionsOf(file: StoredFile | undefined): Partial<StoredFile> {
  if (file === undefined) return {};
  const { name, version, mediaType, enablePublicUrl, signedUrlTimeout, uploadUrlTimeout } = file;
  const options = { mediaType, enablePublicUrl, signedUrlTimeout, uploadUrlTimeout };
  return version === 0 ? { name, ...options } : options;
}

function replaceIn(
  files: FoundFiles["files"],
  known: StoredFile | undefined,
  file: object,
): readonly object[] {
  const others = files.map((other) => (other === known ? file : keep(other)));
  return known === undefined ? [...others, file] : others;
}

function keep({ id }: StoredFile): { readonly id: string | undefined } {
  return { id };
}

function filesAfter(table: AnyTable, place: FilePlace, value: unknown): readonly FileDetails[] {
  const columns = [`${place.column}.*`];
  const changes = { [place.column]: value } as AnyInput; // validated by the update
  return filesOf(table.update(place.record, changes, { columns }), place);
}

function filesOf(record: AnyRecord | null, { column }: FilePlace): readonly FileDetails[] {
  let value: unknown = record;
  for (const name of column.split(".")) {
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
  }
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as readonly FileDetails[]; // by the column's type
}
