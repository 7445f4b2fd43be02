import type { BranchAddress } from "../catalog/address.js";
import { decodeBase64Url, encodeBase64Url } from "../value/base64.js";
import { deriveKey } from "../value/derive.js";
import { hmac } from "../value/sha256.js";
import type { Streams } from "./streams.js";

/** Permission of a file URL: public read, signed read, or write (H-4). */
export type LinkKind = "url" | "signedUrl" | "uploadUrl";

export interface FileLink extends BranchAddress {
  readonly kind: LinkKind;
  /** The table's identity, not its name. */
  readonly table: string;
  readonly record: string;
  readonly slot: number;
  readonly file: string | undefined;
  /** The readable version and hash; unrestricted for `uploadUrl`. */
  readonly content: string;
  /** Milliseconds since the epoch; null for never. */
  readonly expires: number | null;
}

const MEMBERS = [
  "kind",
  "workspace",
  "database",
  "branch",
  "table",
  "record",
  "slot",
  "file",
  "content",
  "expires",
] as const satisfies readonly (keyof FileLink)[];

const TAG_BYTES = 16;

/** Encrypts and authenticates a link (synthetic IV, as in RFC 5297). */
export function sealLink(link: FileLink, keys: LinkKeys): string {
  const text = new TextEncoder().encode(JSON.stringify(MEMBERS.map((name) => link[name] ?? null)));
  const tag = tagOf(text, keys);
  const token = new Uint8Array(TAG_BYTES + text.length);
  token.set(tag);
  token.set(cover(text, tag, keys), TAG_BYTES);
  return encodeBase64Url(token);
}

/** Decrypts a token; undefined if it is forged or damaged. */
export function openLink(token: string, streams: Streams): FileLink | undefined {
  const bytes = decodeBase64Url(token);
  if (bytes === undefined || bytes.length <= TAG_BYTES) return undefined;
  const keys = linkKeysOf(streams);
  const tag = bytes.subarray(0, TAG_BYTES);
  const text = cover(bytes.subarray(TAG_BYTES), tag, keys);
  const expected = tagOf(text, keys);
  let difference = 0;
  for (let i = 0; i < TAG_BYTES; i++) difference |= tag[i]! ^ expected[i]!;
  if (difference !== 0) return undefined;
  const values = JSON.parse(new TextDecoder().decode(text)) as readonly unknown[]; // authenticated above
  const entries = MEMBERS.map((name, index) => [name, values[index]]);
  const link = Object.fromEntries(entries) as unknown as FileLink;
  return { ...link, file: link.file ?? undefined };
}

export interface LinkKeys {
  readonly tag: Uint8Array;
  readonly text: Uint8Array;
}

/** Returns the keys that encrypt file URLs (rule H-4). */
export function linkKeysOf({ secret, seed }: Streams): LinkKeys {
  const key = secret ?? seed;
  return { tag: deriveKey(key, "file tag"), text: deriveKey(key, "file text") };
}

function tagOf(text: Uint8Array, keys: LinkKeys): Uint8Array {
  return hmac(keys.tag, text).subarray(0, TAG_BYTES);
}

function cover(bytes: Uint8Array, tag: Uint8Array, keys: LinkKeys): Uint8Array {
  const covered = bytes.slice();
  const block = new Uint8Array(TAG_BYTES + 1);
  block.set(tag);
  for (let at = 0; at < covered.length; at += 32) {
    block[TAG_BYTES] = at / 32;
    const stream = hmac(keys.text, block);
    for (let i = 0; i < 32 && at + i < covered.length; i++) covered[at + i]! ^= stream[i]!;
  }
  return covered;
}
