import { type At, below, describe, type ErrorCode, refuseRecord } from "../errors.js";
import { decodeBase64 } from "../value/base64.js";
import { isArray, isPlainObject } from "../value/json.js";
import { suggest } from "../value/nearest.js";
import { expectationOf } from "./coerce.js";
import type { LeafColumn } from "./columns.js";
import type { KeepContent } from "./file-content.js";
import { readImageSize } from "./image-size.js";
import {
  FILE_MEMBERS,
  type FileChange,
  type FileContent,
  type FileInput,
  type ReadFile,
  type StoredFile,
  type StoredFiles,
} from "./stored-files.js";

/** Maximum bytes of a file, files of a list, and characters of texts (rule H-1). */
const MAX_CONTENT: number = 20 * 1024 * 1024;
const MAX_FILES = 50;
const NAME = /^(?:(?!["*/:<>?\\|])[ -~]){0,1024}$/;
const MAX_MEDIA_TYPE = 255;
const MEDIA_TYPE = /^\w+\/[-+.\w]+$/;
const MAX_TIMEOUT = 86_400;
const FILE_ID = /^[\w\-~:]{1,255}$/;

/** Members that a caller may set. */
type FileOptions = {
  -readonly [member in OptionName]?: StoredFile[member] | undefined;
};

type OptionName = Exclude<keyof StoredFile, "size" | "version" | "attributes">;

/** The key for raw bytes, in place of `base64Content`. */
export const BYTES: unique symbol = Symbol("bytes");

export function createFileReader(keep: KeepContent): ReadFile {
  const merge = createMerge(keep);
  return (file) => {
    const { column, value } = file;
    if (column.type === "file[]") return readList(file, keep, merge);
    const options = readOptions(file, value, file.at, keep);
    return (before) => merge(column, { ...options, id: undefined }, asList(before)[0]);
  };
}

export function asList(files: StoredFiles): readonly StoredFile[] {
  if (files === null) return [];
  return Array.isArray(files) ? (files as readonly StoredFile[]) : [files as StoredFile]; // otherwise a single file
}

function readList(input: FileInput, keep: KeepContent, merge: MergeFile): FileChange {
  const { column, value } = input;
  if (!isArray(value)) refuseKind(input);
  if (value.length > MAX_FILES) refuseMember(input, input.at, `at most ${MAX_FILES} files`, value);
  if (!Array.from(value).every(isPlainObject)) refuseKind(input); // holes count as members
  const ids = new Set<string>();
  const list = Array.from(value as readonly unknown[], (member, index) => {
    const at = below(input.at, index);
    const options = readOptions(input, member, at, keep);
    const { id } = options;
    if (id !== undefined && ids.size === ids.add(id).size) {
      refuseMember(input, below(at, "id"), "an id that no other file of the list has", id);
    }
    return options;
  });
  return (before, nextId) => {
    const filesById = new Map(asList(before).map((file) => [file.id, file]));
    const newId = (): string => {
      for (;;) {
        const id = `file_${nextId().slice(4)}`; // without the prefix of records
        if (!ids.has(id)) return id;
      }
    };
    return list.map((options) => {
      const id = options.id ?? newId();
      return merge(column, { ...options, id }, filesById.get(id));
    });
  };
}

type MergeFile = (
  column: LeafColumn,
  options: FileOptions,
  before: StoredFile | undefined,
) => StoredFile;

/** Without content, missing members are unchanged; a new file is empty (rule H-1). */
function createMerge(keep: KeepContent): MergeFile {
  return ({ type, definition }, changes, before) => {
    const base = changes.content === undefined ? before : undefined;
    const content = changes.content ?? base?.content ?? keep(new Uint8Array(0));
    const settings = definition[type as "file" | "file[]"]; // a file column
    return {
      ...(changes.id === undefined ? {} : { id: changes.id }),
      name: changes.name ?? base?.name ?? "",
      mediaType: changes.mediaType ?? base?.mediaType ?? "application/octet-stream",
      enablePublicUrl:
        changes.enablePublicUrl ?? base?.enablePublicUrl ?? settings?.defaultPublicAccess ?? false,
      signedUrlTimeout: changes.signedUrlTimeout ?? base?.signedUrlTimeout ?? 60,
      uploadUrlTimeout: changes.uploadUrlTimeout ?? base?.uploadUrlTimeout ?? 86_400,
      size: content.bytes.length,
      version: versionOf(changes.content, before?.version ?? 0),
      attributes: base?.attributes ?? { ...readImageSize(content.bytes) },
      content,
    };
  };
}

/** 0 while a file never had content, one more with each (rule H-1). */
function versionOf(content: FileContent | undefined, before: number): number {
  const isFirst = before === 0 && content?.bytes.length === 0;
  return content === undefined || isFirst ? before : before + 1;
}

/** Reads each member once; computed ones are ignored. */
function readOptions(file: FileInput, value: unknown, at: At, keep: KeepContent): FileOptions {
  if (!isPlainObject(value)) refuseKind(file);
  const options: FileOptions = {};
  const bytes = (value as { readonly [BYTES]?: Uint8Array })[BYTES];
  if (bytes !== undefined) options.content = keepContent(file, bytes, at, keep);
  for (const [name, member] of Object.entries(value)) {
    const isIgnored = name === "id" && file.column.type === "file";
    if (member == null || isIgnored) continue; // a null counts as absent
    const path = below(at, name);
    if (Object.hasOwn(CHECKS, name)) {
      const [accepts, expected] = CHECKS[name as CheckedName];
      if (!accepts(member)) refuseMember(file, path, expected, member);
      Object.assign(options, { [name]: member });
    } else if (name === "base64Content") {
      const content = typeof member === "string" ? decodeBase64(member) : undefined;
      if (content === undefined) refuseMember(file, path, "base64", member);
      options.content = keepContent(file, content, path, keep);
    } else if (!Object.hasOwn(FILE_MEMBERS, name)) {
      const hint = suggest(name, Object.keys(FILE_MEMBERS));
      refuseFile(file, path, `a file has no ${describe(name)}${hint}`);
    }
  }
  return options;
}

type CheckedName = Exclude<OptionName, "content">;

/** The check of each member, and the expected value. */
const CHECKS: Readonly<
  Record<CheckedName, readonly [accepts: (value: unknown) => boolean, expected: string]>
> = {
  id: [isFileId, "1–255 of A-Z a-z 0-9 _ - ~ :"],
  name: [isName, 'at most 1024 printable characters of ASCII without " * / : < > ? \\ |'],
  mediaType: [isMediaType, "a media type such as image/png"],
  enablePublicUrl: [(value) => typeof value === "boolean", "true or false"],
  signedUrlTimeout: [isTimeout, `whole seconds from 1 to ${MAX_TIMEOUT}`],
  uploadUrlTimeout: [isTimeout, `whole seconds from 1 to ${MAX_TIMEOUT}`],
};

function keepContent(file: FileInput, bytes: Uint8Array, path: At, keep: KeepContent): FileContent {
  if (bytes.length <= MAX_CONTENT) return keep(bytes);
  const text = `a file has at most ${MAX_CONTENT} bytes, found ${bytes.length}`;
  return refuseFile(file, path, text, "payload_too_large");
}

function isTimeout(value: unknown): boolean {
  return Number.isSafeInteger(value) && 1 <= (value as number) && (value as number) <= MAX_TIMEOUT;
}

function isFileId(value: unknown): value is string {
  return typeof value === "string" && FILE_ID.test(value);
}

/** Whether text is a media type without parameters (rule H-1). */
export function isMediaType(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_MEDIA_TYPE && MEDIA_TYPE.test(value);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && NAME.test(value);
}

function refuseKind({ table, column, value, at }: FileInput): never {
  const { rule, expected } = expectationOf(column);
  const text = `column [${column.path}]: expected ${expected}, found ${describe(value)}`;
  refuseRecord(table, "invalid_record", text, {
    path: at,
    rule,
    reason: {
      kind: "type_mismatch",
      column: column.path,
      expected: column.type,
    },
  });
}

function refuseMember(file: FileInput, path: At, expected: string, value: unknown): never {
  refuseFile(file, path, `expected ${expected}, found ${describe(value)}`);
}

function refuseFile(
  { table, column }: FileInput,
  path: At,
  text: string,
  code: ErrorCode = "invalid_record",
): never {
  refuseRecord(table, code, `column [${column.path}]: ${text}`, { path, rule: "H-1" });
}
