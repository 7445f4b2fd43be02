import type { At } from "../errors.js";
import type { Json } from "../types.js";
import type { LeafColumn, LeafType, StoredValue } from "./columns.js";

/** File content, shared by records, versions and branches (rule H-5). */
export interface FileContent {
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A stored file (rule H-1). */
export interface StoredFile {
  readonly id?: string | undefined;
  readonly name: string;
  readonly mediaType: string;
  readonly enablePublicUrl: boolean;
  readonly signedUrlTimeout: number;
  readonly uploadUrlTimeout: number;
  readonly size: number;
  readonly version: number;
  readonly attributes: Json;
  readonly content: FileContent;
}

export type StoredFiles = StoredFile | readonly StoredFile[] | null;

/** Computes the new stored files from the former ones. */
export type FileChange = (before: StoredFiles, nextId: () => string) => StoredFiles;

export interface FileInput {
  readonly column: LeafColumn;
  readonly value: unknown;
  readonly table: string;
  readonly at: At;
}

/** Throws `invalid_record`, `payload_too_large`. */
export type ReadFile = (input: FileInput) => FileChange;

/** Members of a file in order: stored, computed, or computed only if named (rule H-2). */
export const FILE_MEMBERS = {
  id: "stored",
  name: "stored",
  mediaType: "stored",
  base64Content: "apart",
  enablePublicUrl: "stored",
  signedUrlTimeout: "stored",
  uploadUrlTimeout: "stored",
  size: "stored",
  version: "stored",
  url: "made",
  signedUrl: "apart",
  uploadUrl: "apart",
  attributes: "stored",
} as const;

export type FileMember = keyof typeof FILE_MEMBERS;

export type MadeMember = "base64Content" | "url" | "signedUrl" | "uploadUrl";

export type MakeMember = (
  owner: { readonly table: string; readonly column: LeafColumn; readonly id: string },
  file: StoredFile,
  member: MadeMember,
) => Json | undefined;

/** Returns selected members of files, in order (rule H-2); `table` is an identity. */
export type ShowFiles = (
  column: LeafColumn,
  chosen: ReadonlySet<FileMember>,
  table: string,
) => (files: Json, id: string) => Json | undefined;

/** Default members of a file (rule H-2). */
export const BRIEF_MEMBERS: readonly FileMember[] = ["id", "name", "mediaType"];

/** Comparable members of a single file (rule F-18). */
export const COMPARED_MEMBERS: Readonly<Record<string, LeafType>> = {
  name: "string",
  mediaType: "string",
  enablePublicUrl: "bool",
  signedUrlTimeout: "int",
  uploadUrlTimeout: "int",
  size: "int",
  version: "int",
};

export function isFileType(type: string): type is "file" | "file[]" {
  return type === "file" || type === "file[]";
}

/** A file with its content's hash. */
export function encodeFile({ content, ...file }: StoredFile): object {
  return { ...file, content: content.hash };
}

/** Computes the new files from the record's former ones. */
export function applyFileChanges(
  {
    files,
    values,
  }: {
    readonly files: readonly { readonly column: LeafColumn; readonly change: FileChange }[];
    readonly values: unknown[];
  },
  before: (slot: number) => StoredValue,
  nextId: () => string,
): void {
  for (const { column, change } of files) {
    const { slot } = column;
    values[slot] = change(before(slot) as unknown as StoredFiles, nextId); // a file column
  }
}
