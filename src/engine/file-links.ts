import type { BranchAddress } from "../catalog/address.js";
import { decodeBase64Url, encodeBase64Url } from "../value/base64.js";
import { hmac } from "../value/sha256.js";
import type { LinkKeys } from "./streams.js";

/** What an address of a file lets do: read it as long as it is open, read it, or write it (H-4). */
export type LinkKind = "url" | "signedUrl" | "uploadUrl";

/** What an address of a file names. */
export interface FileLink extends BranchAddress {
  readonly kind: LinkKind;
  /** The identity of the table, which a rename keeps. */
  readonly table: string;
  readonly record: string;
  /** The slot of the column, which a rename keeps. */
  readonly slot: number;
  /** Of a file in a list. */
  readonly file: string | undefined;
  /** The content that can be read: its version and its hash; for `uploadUrl` any. */
  readonly content: string;
  /** When its time is over, in milliseconds since the epoch; for `url` never. */
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

/**
 * Writes what a link names so that only who has the keys can make it or read it: a tag made of the
 * text by a key, then the text under what that tag and another key make (as SIV, RFC 5297).
 */
export function sealLink(link: FileLink, keys: LinkKeys): string {
  const text = new TextEncoder().encode(JSON.stringify(MEMBERS.map((name) => link[name] ?? null)));
  const tag = tagOf(text, keys);
  const token = new Uint8Array(TAG_BYTES + text.length);
  token.set(tag);
  token.set(cover(text, tag, keys), TAG_BYTES);
  return encodeBase64Url(token);
}

/** What a token names; undefined for one that was not made with these keys, or was damaged. */
export function openLink(token: string, keys: LinkKeys): FileLink | undefined {
  const bytes = decodeBase64Url(token);
  if (bytes === undefined || bytes.length <= TAG_BYTES) return undefined;
  const tag = bytes.subarray(0, TAG_BYTES);
  const text = cover(bytes.subarray(TAG_BYTES), tag, keys);
  const expected = tagOf(text, keys);
  let difference = 0;
  for (let i = 0; i < TAG_BYTES; i++) difference |= tag[i]! ^ expected[i]!;
  if (difference !== 0) return undefined;
  const values = JSON.parse(new TextDecoder().decode(text)) as readonly unknown[]; // as sealed
  const entries = MEMBERS.map((name, index) => [name, values[index]]);
  const link = Object.fromEntries(entries) as unknown as FileLink;
  return { ...link, file: link.file ?? undefined };
}

function tagOf(text: Uint8Array, keys: LinkKeys): Uint8Array {
  return hmac(keys.tag, text).subarray(0, TAG_BYTES);
}

/** The same bytes with those of a stream over them; twice, what they were. */
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
