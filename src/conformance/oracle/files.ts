import type { ColumnDefinition, Json } from "../../types.js";
import type { JsonObject } from "./model.js";

export type FileChange =
  | { readonly kind: "set"; readonly file: JsonObject | null }
  | { readonly kind: "list"; readonly files: readonly JsonObject[] | null }
  | { readonly kind: "put" | "delete"; readonly id: string | undefined; readonly raw: string };

/** A file in a record, without its address. */
interface ModelFile {
  readonly id?: string;
  readonly name: string;
  readonly mediaType: string;
  readonly enablePublicUrl: boolean;
  readonly signedUrlTimeout: number;
  readonly uploadUrlTimeout: number;
  readonly size: number;
  readonly version: number;
  readonly attributes: JsonObject;
  readonly base64Content: string;
}

const NEW: ModelFile = {
  name: "",
  mediaType: "application/octet-stream",
  enablePublicUrl: false,
  signedUrlTimeout: 60,
  uploadUrlTimeout: 86_400,
  size: 0,
  version: 0,
  attributes: {},
  base64Content: "",
};

export class OracleFiles {
  #photo: ModelFile | undefined;
  #papers: readonly ModelFile[] | undefined;
  version = 0;

  /** Applies a change; returns the status. */
  play(change: FileChange): number {
    const status = this.#change(change);
    if (status < 400) this.version++;
    return status;
  }

  /** The non-null columns of the record. */
  show(): JsonObject {
    return {
      ...(this.#photo === undefined ? {} : { photo: asJson(this.#photo) }),
      ...(this.#papers === undefined ? {} : { papers: this.#papers.map(asJson) }),
    };
  }

  #change(change: FileChange): number {
    if (change.kind === "set") {
      this.#photo = change.file === null ? undefined : settle(change.file, this.#photo);
      return 200;
    }
    if (change.kind === "list") {
      const before = this.#papers ?? [];
      this.#papers = change.files?.map((file) =>
        settle(
          file,
          before.find(({ id }) => id === file.id),
        ),
      );
      return 200;
    }
    const { kind, id, raw } = change;
    const files = (id === undefined ? this.#photo && [this.#photo] : this.#papers) ?? [];
    const at = files.findIndex((file) => file.id === id);
    const before = files[at];
    if (kind === "delete") {
      if (before === undefined) return 404;
      this.#put(id, files.toSpliced(at, 1));
      return 200;
    }
    const { length: size } = new TextEncoder().encode(raw);
    const version = nextVersion(before, size);
    const content = { name: "", mediaType: "a/raw", size, version, base64Content: base64Of(raw) };
    if (before === undefined) {
      this.#put(id, [...files, { ...NEW, ...(id === undefined ? {} : { id }), ...content }]);
      return 201;
    }
    this.#put(id, files.with(at, { ...before, ...content }));
    return 200;
  }

  #put(id: string | undefined, files: readonly ModelFile[]): void {
    if (id === undefined) this.#photo = files[0];
    else this.#papers = files;
  }
}

/** Without content, missing members of an existing file are unchanged (H-1). */
function settle(given: JsonObject, before: ModelFile | undefined): ModelFile {
  const isContent = given.base64Content !== undefined;
  const base = isContent || before === undefined ? NEW : before;
  const merged = { ...base, ...given } as ModelFile; // members have equal names
  const { length: size } = atob(merged.base64Content);
  return { ...merged, size, version: isContent ? nextVersion(before, size) : base.version };
}

/** 0 while a file never had content (H-1). */
function nextVersion({ version }: ModelFile = NEW, size: number): number {
  return version === 0 && size === 0 ? 0 : version + 1;
}

/** Base64 of bytes or UTF-8 text. */
export function base64Of(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return btoa(String.fromCharCode(...bytes));
}

function asJson(file: ModelFile): JsonObject {
  return { ...file };
}

/** Whether a column is for files, or has such sub-columns. */
export function hasFiles({ type, columns = [] }: ColumnDefinition): boolean {
  return type === "file" || type === "file[]" || columns.some(hasFiles);
}

/** The members of a new file that are columns (F-18). */
export const FILE_MEMBERS: readonly ColumnDefinition[] = [
  { name: "name", type: "string" },
  { name: "mediaType", type: "string" },
  { name: "base64Content", type: "text" },
  { name: "size", type: "int" },
  { name: "version", type: "int" },
];

/** The values of {@link FILE_MEMBERS}. */
export function membersOf(file: Json): JsonObject {
  return asJson(settle(file as JsonObject, undefined)); // a stored file
}
