import { readFields, readString } from "../value/fields.js";
import type { RequestBody } from "./message.js";

/**
 * A body as the engine's calls take it. They read what they are given as unknown and refuse what
 * does not fit: the adapter knows none of their rules.
 */
export function unchecked<T>(body: unknown): T {
  return body as T;
}

/** The new name in a body that holds nothing else; throws `invalid_request`. */
export function readNewName(body: RequestBody, what: string, rule: string, key = "name"): string {
  const { [key]: name } = readFields(body, [key], { what, rule });
  return readString(name, 0, 1024, { what: key, path: `/${key}`, rule });
}
