import type { StoredValue } from "../schema/columns.js";
import type { Json } from "../types.js";
import { hashString } from "../value/hash.js";
import { canonicalJson } from "../value/json.js";
import type { Chunk } from "./chunk.js";
import { HashIndex } from "./hash-index.js";
import { getValue, ordinalsOf } from "./table.js";

/** A text that is equal exactly for equal values of one column (rule T-16). */
export function uniqueKey(value: Exclude<StoredValue, null>): string {
  return typeof value === "string" ? value : canonicalJson(value as Json); // instants too are plain
}

/** The ordinal of a live row that holds the value, or −1. */
export function findUnique(
  index: HashIndex,
  chunks: readonly Chunk[],
  slot: number,
  key: string,
  isLive: (ordinal: number) => boolean,
): number {
  const hash = hashString(key);
  for (let place = index.seek(hash); place >= 0; place = index.seek(hash, place + 1)) {
    const ordinal = index.ordinalAt(place);
    const held = isLive(ordinal) ? getValue(chunks, ordinal, slot) : null;
    if (held !== null && uniqueKey(held) === key) return ordinal;
  }
  return -1;
}

/** An index over the values that the rows hold in a slot. */
export function buildUniqueIndex(chunks: readonly Chunk[], slot: number, size: number): HashIndex {
  const index = new HashIndex(size * 2);
  for (const ordinal of ordinalsOf(chunks)) {
    const value = getValue(chunks, ordinal, slot);
    if (value !== null) index.add(hashString(uniqueKey(value)), ordinal);
  }
  return index;
}
