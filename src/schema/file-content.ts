import type { Json } from "../types.js";
import { decodeBase64, encodeBase64 } from "../value/base64.js";
import { sha256 } from "../value/sha256.js";
import type { FileContent, StoredFile, StoredFiles } from "./stored-files.js";

/** A file's content; its JSON is only the hash, so comparisons are cheap. */
class Content implements FileContent {
  readonly hash: string;
  #bytes: Uint8Array | undefined;
  #base64: string | undefined;

  constructor(hash: string, bytes: Uint8Array | undefined, base64?: string) {
    this.hash = hash;
    this.#bytes = bytes;
    this.#base64 = base64;
  }

  get bytes(): Uint8Array {
    if (this.#bytes === undefined) {
      this.#bytes = decodeBase64(this.#base64 ?? "") ?? new Uint8Array(0);
      this.#base64 = undefined;
    }
    return this.#bytes;
  }

  /** For backends that store contents with records. */
  toJSON(): Json {
    return { hash: this.hash, base64: this.#base64 ?? encodeBase64(this.bytes) };
  }
}

/** Returns the content of bytes, shared while in use (H-5). */
export type KeepContent = (bytes: Uint8Array) => FileContent;

/** Deduplicates by hash, without keeping contents alive. */
export function createContentStore(): KeepContent {
  const contents = new Map<string, WeakRef<FileContent>>();
  const forget = new FinalizationRegistry<string>((hash) => {
    if (contents.get(hash)?.deref() === undefined) contents.delete(hash);
  });
  return (bytes) => {
    const hash = hashOf(bytes);
    const found = contents.get(hash)?.deref();
    if (found !== undefined) return found;
    // Copied, because the caller may change the bytes.
    const content = new Content(hash, bytes.slice());
    contents.set(hash, new WeakRef(content));
    forget.register(content, hash);
    return content;
  };
}

export function hashOf(bytes: Uint8Array): string {
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Restores files from their JSON. */
export function reviveFiles(value: Json): StoredFiles {
  const revive = (file: Json): StoredFile => {
    const stored = file as unknown as StoredFile; // the JSON of a stored file
    const { hash, base64 } = stored.content as unknown as { hash: string; base64: string };
    return { ...stored, content: new Content(hash, undefined, base64) };
  };
  return Array.isArray(value) ? value.map(revive) : revive(value);
}
