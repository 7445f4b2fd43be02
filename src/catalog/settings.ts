import { refuse } from "../errors.js";
import { type JsonObject, readJsonObject } from "../shape/fields.js";

/** Characters of JSON (rule L-12). */
const MAX_SETTINGS_LENGTH = 1024 * 1024;

/** Merges settings; throws `invalid_request` (rules X-5, L-12). */
export function mergeSettings(settings: JsonObject, changes: unknown): JsonObject {
  const patch = readJsonObject(changes, { what: "settings", rule: "X-5" });
  const merged = { ...settings, ...patch };
  if (JSON.stringify(merged).length <= MAX_SETTINGS_LENGTH) return merged;
  return refuse(
    "invalid_request",
    `settings: expected at most ${MAX_SETTINGS_LENGTH} characters of JSON together`,
    { path: "", rule: "L-12" },
  );
}
