import { describe, refuse } from "../errors.js";
import { readString } from "../shape/fields.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { type CatalogEvent, created, deleted } from "./events.js";
import { checkName } from "./names.js";
import type { CatalogState } from "./state.js";

/** An API key in a list, without the key itself (rule A-1). */
export interface KeyMetadata {
  name: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

/** A new key; the secret is returned only once (rule A-1). */
export interface NewKey extends KeyMetadata {
  key: string;
}

/** The default name of a key; further ones are numbered. */
export const DEFAULT_KEY = "default";

/** Maximum number of remembered deleted keys. Open mode accepts any other key. */
const MAX_DELETED_KEYS = 1000;

export function listKeys(state: Pick<CatalogState, "keys">, userId: string): KeyMetadata[] {
  return Array.from(state.keys.values())
    .filter((key) => key.userId === userId)
    .map(({ name, createdAt: { ms, micros } }) => ({ name, createdAt: formatInstant(ms, micros) }));
}

/**
 * Adds a key for an existing user; the default name is `default`, `default-2` …
 *
 * @param openOnly whether closed mode rejects it
 */
export function addKey(
  state: CatalogState,
  userId: string,
  key: string,
  createdAt: Instant,
  chosenName?: unknown,
  openOnly = false,
): CatalogEvent[] {
  checkNewKey(state, key, "");
  const names = new Set<unknown>(listKeys(state, userId).map((known) => known.name));
  const name = chosenName === undefined ? nextName(names) : chosenName;
  checkName("key", name);
  if (names.has(name)) {
    refuse("key_exists", `key [${name}] already exists`, { rule: "A-1" });
  }
  const added = created("key", [key], { userId, name, createdAt, ...(openOnly && { openOnly }) });
  return state.deletedKeys.has(key) ? [added, deleted("deletedKey", key)] : [added];
}

/** Deletes keys, which are rejected from then on. */
export function removeKeys(state: CatalogState, keys: readonly string[]): CatalogEvent[] {
  const found = keys.filter((key) => state.keys.has(key));
  const { deletedKeys } = state;
  const surplus = Math.max(0, deletedKeys.size + found.length - MAX_DELETED_KEYS);
  const forgotten = [...deletedKeys.keys(), ...found].slice(0, surplus);
  return [
    ...found.flatMap((key) => [deleted("key", key), created("deletedKey", [key], true)]),
    ...forgotten.map((key) => deleted("deletedKey", key)),
  ];
}

/** Throws `key_not_found`. */
export function findKeyByName(state: CatalogState, userId: string, name: unknown): string {
  const found = [...state.keys].find(([, key]) => key.userId === userId && key.name === name);
  if (found !== undefined) return found[0];
  return refuse("key_not_found", `key ${describe(name)} not found`, { rule: "A-1" });
}

export function checkNewKey(state: CatalogState, key: unknown, path: string): void {
  const text = readString(key, 1, 1024, { what: "key", path, rule: "U-1" });
  if (state.keys.has(text)) refuseTakenKey(path);
}

export function refuseTakenKey(path: string): never {
  refuse("invalid_request", "key: already belongs to a user", { path, rule: "U-1" });
}

/** Advances `secretsMade`, the number of the next secret. */
export const COUNT_SECRET: CatalogEvent = { kind: "counted", counter: "secretsMade" };

function nextName(names: ReadonlySet<unknown>): string {
  let name = DEFAULT_KEY;
  for (let number = 2; names.has(name); number++) name = `${DEFAULT_KEY}-${number}`;
  return name;
}
