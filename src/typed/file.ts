/** A file as it is given for a `file` column, or as a member of a `file[]` (H-1). */
export interface FileValue {
  /** Of a file in a list: 1–255 of `A-Z a-z 0-9 _ - ~ :`; made where there is none. */
  readonly id?: string | null | undefined;
  /** The file's name; default `""`. */
  readonly name?: string | null | undefined;
  /** Such as `image/png`; default `application/octet-stream`. */
  readonly mediaType?: string | null | undefined;
  /** The content in base64. */
  readonly base64Content?: string | null | undefined;
  /** Whether `url` is open to all. */
  readonly enablePublicUrl?: boolean | null | undefined;
  /** In seconds; default 60. */
  readonly signedUrlTimeout?: number | null | undefined;
  /** In seconds; default 86,400. */
  readonly uploadUrlTimeout?: number | null | undefined;
  /** What the engine says of a file is not read. */
  readonly size?: unknown;
  /** Not read, as `size`. */
  readonly version?: unknown;
  /** Not read, as `size`. */
  readonly attributes?: unknown;
  /** Not read, as `size`. */
  readonly url?: unknown;
  /** Not read, as `size`. */
  readonly signedUrl?: unknown;
  /** Not read, as `size`. */
  readonly uploadUrl?: unknown;
}

/** All that a record can give of a file (H-2). */
export interface FileMembers {
  id: string;
  name: string;
  mediaType: string;
  base64Content: string;
  enablePublicUrl: boolean;
  signedUrlTimeout: number;
  uploadUrlTimeout: number;
  size: number;
  version: number;
  url: string;
  signedUrl: string;
  uploadUrl: string;
  attributes: { width?: number; height?: number };
}

/** The types of columns that hold files. */
export type FileType = "file" | "file[]";

/** What a column of files gives; `Paths` are what of it was selected, as in a record. */
export type FileOutput<Type, Paths> = Type extends "file[]"
  ? { [M in MembersOf<Paths>]: FileMembers[M] }[]
  : // A single file has no id.
    { [M in Exclude<MembersOf<Paths>, "id">]: FileMembers[M] };

type MembersOf<Paths> = Paths extends null
  ? "id" | "name" | "mediaType"
  : Paths extends "" | "*"
    ? Exclude<keyof FileMembers, "base64Content" | "signedUrl" | "uploadUrl">
    : Extract<Paths, keyof FileMembers>;

/** A member of a file that cannot be compared: it is only there or not (F-18). */
interface MemberColumn {
  readonly type: "file member";
}

/** A member of files as a column: of a single file, some have a type (F-18). */
export type FileColumn<D, Name> = D extends { readonly type: FileType }
  ? Name extends keyof FileMembers
    ? D extends { readonly type: "file" }
      ? Name extends keyof ComparedMembers
        ? ComparedMembers[Name]
        : MemberColumn
      : MemberColumn
    : never
  : never;

/** The members of a `file` that can be filtered, sorted and grouped by (F-18). */
export interface ComparedMembers {
  name: { readonly type: "string" };
  mediaType: { readonly type: "string" };
  size: { readonly type: "int" };
  version: { readonly type: "int" };
}
