import { current } from "immer";
import { describe, refuse } from "../errors.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { readString } from "../value/fields.js";
import type { CatalogDraft } from "./draft.js";
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

/** Adds a key for an existing user; the default name is `default`, `default-2` … */
export function addKey(
  draft: CatalogDraft,
  userId: string,
  key: string,
  createdAt: Instant,
  given?: unknown,
): void {
  checkNewKey(draft, key, "");
  const known = listKeys({ keys: current(draft.keys) }, userId);
  const names = new Set<unknown>(known.map((key) => key.name));
  const name = given === undefined ? nextName(names) : given;
  checkName("key", name);
  if (names.has(name)) {
    refuse("key_exists", `key [${name}] already exists`, { rule: "A-1" });
  }
  draft.keys.set(key, { userId, name, createdAt });
  draft.deletedKeys.delete(key);
}

/** Marks a key as rejected in closed mode. */
export function restrictKey(draft: CatalogDraft, key: string): void {
  const known = draft.keys.get(key);
  if (known !== undefined) known.openOnly = true;
}

/** Deletes a key, which is rejected from then on. */
export function removeKey(draft: CatalogDraft, key: string): void {
  if (!draft.keys.delete(key)) return;
  const { deletedKeys } = draft;
  deletedKeys.set(key, true);
  for (const oldest of deletedKeys.keys()) {
    if (deletedKeys.size <= MAX_DELETED_KEYS) return;
    deletedKeys.delete(oldest);
  }
}

/** Throws `key_not_found`. */
export function findKeyByName(state: CatalogState, userId: string, name: unknown): string {
  const found = [...state.keys].find(([, key]) => key.userId === userId && key.name === name);
  if (found !== undefined) return found[0];
  return refuse("key_not_found", `key ${describe(name)} not found`, { rule: "A-1" });
}

export function checkNewKey(state: CatalogState, key: unknown, path: string): void {
  const given = readString(key, 1, 1024, { what: "key", path, rule: "U-1" });
  if (state.keys.has(given)) {
    refuse("invalid_request", "key: already belongs to a user", { path, rule: "U-1" });
  }
}

export function countSecret(draft: CatalogDraft): number {
  return draft.secretsMade++;
}

function nextName(names: ReadonlySet<unknown>): string {
  let name = DEFAULT_KEY;
  for (let number = 2; names.has(name); number++) name = `${DEFAULT_KEY}-${number}`;
  return name;
}
