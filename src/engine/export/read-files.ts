import type { LeafColumn, StoredValue } from "../../schema/columns.js";
import type { FileContent, StoredFile } from "../../schema/files.js";
import { asList } from "../../schema/read-files.js";
import type { Json } from "../../types.js";
import { decodeBase64 } from "../../value/base64.js";
import type { FileKeeping } from "../setup.js";
import { refusePart, requireCount, requireFields, requireText } from "./values.js";

/** Puts the files of an export together with their contents, each there once (rule H-5). */
export class FilesReader {
  readonly #keeping: FileKeeping;
  readonly #contents: Map<string, FileContent> = new Map();

  constructor(keeping: FileKeeping) {
    this.#keeping = keeping;
  }

  readContent(hash: unknown, base64: unknown): void {
    const bytes = decodeBase64(requireText(base64, "file"));
    const content = bytes === undefined ? undefined : this.#keeping.keep(bytes);
    if (content === undefined || content.hash !== hash) refusePart("file", "its content", hash);
    this.#contents.set(content.hash, content);
  }

  /** The value of a column of files; throws for what no record could hold. */
  readFiles(column: LeafColumn, given: unknown, what: string): StoredValue {
    const isOld = asList(given as never).every((file) => !hasContent(file));
    const bare = isOld ? given : mapFiles(given, withoutContent);
    const read = this.#keeping.read({ column, value: bare, what, at: "" });
    let made = 0;
    const files = read(null, () => `rec_${String(made++).padStart(20, "0")}`);
    const restored = asList(files).map((file, index) => {
      return isOld ? file : this.#restore(file, asList(given as never)[index]);
    });
    return (column.type === "file" ? restored[0] : restored) as unknown as Json;
  }

  /** A content by its hash, or with the file. */
  #contentOf(given: unknown): FileContent | undefined {
    if (typeof given === "string") return this.#contents.get(given);
    const { hash, base64 } = requireFields(given, "content");
    this.readContent(hash, base64);
    return this.#contents.get(requireText(hash, "content"));
  }

  /** What the engine adds, as it was. */
  #restore(file: StoredFile, given: unknown): StoredFile {
    const { content: hash, size, version, attributes } = requireFields(given, "file");
    const content = this.#contentOf(hash);
    if (content === undefined || content.bytes.length !== size) {
      refusePart("file", "a content that came before", hash);
    }
    const { width, height } = requireFields(attributes, "attributes");
    const isImage = width !== undefined || height !== undefined;
    return {
      ...file,
      size: content.bytes.length,
      version: requireCount(version, "version"),
      attributes: isImage
        ? { width: requireCount(width, "width"), height: requireCount(height, "height") }
        : {},
      content,
    };
  }
}

function hasContent(file: unknown): boolean {
  return typeof file === "object" && file !== null && "content" in file;
}

function mapFiles(given: unknown, map: (file: unknown) => unknown): unknown {
  return Array.isArray(given) ? given.map(map) : map(given);
}

function withoutContent(file: unknown): unknown {
  const { content: _, ...rest } = requireFields(file, "file");
  return rest;
}
