import type { StoredValue } from "../schema/columns.js";
import type { Json } from "../types.js";
import { hashString } from "../value/hash.js";
import { canonicalJson } from "../value/json.js";
import { HashIndex } from "./hash-index.js";
import { ordinalsOf, type TableVersion } from "./table.js";

/** Returns a key that is equal exactly for equal values of a column (rule T-16). */
export function uniqueKey(value: Exclude<StoredValue, null>): string {
  return typeof value === "string" ? value : canonicalJson(value as Json); // including instants
}

/** Returns the ordinal of the record with a unique value, or −1. */
export function findUnique(
  table: TableVersion,
  slot: number,
  key: string,
  isOther: (ordinal: number) => boolean,
): number {
  const index = table.uniques.get(slot);
  if (index === undefined) return -1;
  const hash = hashString(key);
  for (let place = index.seek(hash); place >= 0; place = index.seek(hash, place + 1)) {
    const ordinal = index.ordinalAt(place);
    if (!isOther(ordinal) || !table.isLive(ordinal)) continue;
    const value = table.get(ordinal, slot);
    if (value !== null && uniqueKey(value) === key) return ordinal;
  }
  return -1;
}

export function buildUniqueIndex(
  table: TableVersion,
  slot: number,
  size: number,
  ordinals: Iterable<number> = ordinalsOf(table.chunks),
): HashIndex {
  const index = new HashIndex(size * 2);
  for (const ordinal of ordinals) {
    const value = table.get(ordinal, slot);
    if (value !== null) index.add(hashString(uniqueKey(value)), ordinal);
  }
  return index;
}
