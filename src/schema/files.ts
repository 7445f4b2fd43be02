import type { At } from "../errors.js";
import type { Json } from "../types.js";
import type { LeafColumn, LeafType, StoredValue } from "./columns.js";

/** The content of a file. Records, versions and branches that hold the same share it (rule H-5). */
export interface FileContent {
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A file as a record stores it (rule H-1). */
export interface StoredFile {
  /** Of a file in a list. */
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

/** What a file column stores, null included. */
export type StoredFiles = StoredFile | readonly StoredFile[] | null;

/** Makes what is stored of what was given, of what the record had before, and of new ids. */
export type FileChange = (before: StoredFiles, nextId: () => string) => StoredFiles;

/** What was given for a file column, and where. */
export interface GivenFile {
  readonly column: LeafColumn;
  readonly value: unknown;
  /** The table and the column, for messages. */
  readonly what: string;
  readonly at: At;
}

/** Checks what is given for a file column; throws `invalid_record`, `payload_too_large`. */
export type ReadFile = (given: GivenFile) => FileChange;

/**
 * What there is of each file, in the order that it is given in: it is stored, or made when it is
 * asked for, or that and given only where it is named itself (rule H-2).
 */
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

/** Members that are made when they are asked for. */
export type MadeMember = "base64Content" | "url" | "signedUrl" | "uploadUrl";

/** Makes a member of a file, of the record with an id in the table of that identity. */
export type MakeMember = (
  place: { readonly table: string; readonly column: LeafColumn; readonly id: string },
  file: StoredFile,
  member: MadeMember,
) => Json | undefined;

/**
 * Gives what records show of a column of files: the chosen members, in one order (rule H-2).
 *
 * @param table the identity of the table
 */
export type ShowFiles = (
  column: LeafColumn,
  chosen: ReadonlySet<FileMember>,
  table: string,
) => (files: Json, id: string) => Json | undefined;

/** Members that are given where the file is not named (rule H-2). */
export const BRIEF_MEMBERS: readonly FileMember[] = ["id", "name", "mediaType"];

/** Members of a single file that can be compared, with the types they then have (rule F-18). */
export const COMPARED_MEMBERS: Readonly<Record<string, LeafType>> = {
  name: "string",
  mediaType: "string",
  size: "int",
  version: "int",
};

export function isFileType(type: string): type is "file" | "file[]" {
  return type === "file" || type === "file[]";
}

/** A file as the line of a record has it: with the hash of its content. */
export function encodeFile({ content, ...file }: StoredFile): object {
  return { ...file, content: content.hash };
}

/** Makes the values of file columns that were given, by what the record had before. */
export function settleFiles(
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
    values[slot] = change(before(slot) as unknown as StoredFiles, nextId); // of such a column
  }
}
