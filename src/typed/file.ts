/** A file to write into a `file` column, or a member of a `file[]` (H-1). */
export interface FileValue {
  /** In a list: 1–255 of `A-Z a-z 0-9 _ - ~ :`. Default: generated. */
  readonly id?: string | null | undefined;
  /** Default `""`. */
  readonly name?: string | null | undefined;
  /** Default `application/octet-stream`. */
  readonly mediaType?: string | null | undefined;
  readonly base64Content?: string | null | undefined;
  /** Whether anyone may read `url`. */
  readonly enablePublicUrl?: boolean | null | undefined;
  /** In seconds; default 60. */
  readonly signedUrlTimeout?: number | null | undefined;
  /** In seconds; default 86,400. */
  readonly uploadUrlTimeout?: number | null | undefined;
  /** Ignored, as are the other members that the engine computes. */
  readonly size?: unknown;
  readonly version?: unknown;
  readonly attributes?: unknown;
  readonly url?: unknown;
  readonly signedUrl?: unknown;
  readonly uploadUrl?: unknown;
}

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

export type FileType = "file" | "file[]";

export type FileOutput<Type, Paths> = Type extends "file[]"
  ? { [M in MembersOf<Paths>]: FileMembers[M] }[]
  : // A single file has no id.
    { [M in Exclude<MembersOf<Paths>, "id">]: FileMembers[M] };

type MembersOf<Paths> = Paths extends null
  ? "id" | "name" | "mediaType"
  : Paths extends "" | "*"
    ? Exclude<keyof FileMembers, "base64Content" | "signedUrl" | "uploadUrl">
    : Extract<Paths, keyof FileMembers>;

interface MemberColumn {
  readonly type: "file member";
}

/** A file member as a column; some members of a single file have a type (F-18). */
export type FileColumn<D, Name> = D extends { readonly type: FileType }
  ? Name extends keyof FileMembers
    ? D extends { readonly type: "file" }
      ? Name extends keyof ComparedMembers
        ? ComparedMembers[Name]
        : MemberColumn
      : MemberColumn
    : never
  : never;

/** Members of a `file` that can be filtered, sorted and grouped by (F-18). */
export interface ComparedMembers {
  name: { readonly type: "string" };
  mediaType: { readonly type: "string" };
  enablePublicUrl: { readonly type: "bool" };
  signedUrlTimeout: { readonly type: "int" };
  uploadUrlTimeout: { readonly type: "int" };
  size: { readonly type: "int" };
  version: { readonly type: "int" };
}
