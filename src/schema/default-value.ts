import { refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { refuseValue } from "../value/fields.js";
import { copyJson, isPlainObject } from "../value/json.js";
import { coerceValue, expectationOf, parseJson, type ValueType } from "./coerce.js";
import type { DefaultValue, ObjectColumn } from "./columns.js";
import { isFileType } from "./files.js";
import { TRAITS } from "./traits.js";

/** Characters of JSON (rule L-12). */
const MAX_DEFAULT_LENGTH = 65_536;

/** A value of the column's type, or a string with its JSON (rule T-16). */
export function readDefault(
  given: unknown,
  column: ValueType,
  path: string,
  profile: Profile,
  at: string,
): DefaultValue {
  if (isFileType(column.type)) refuseDefault(given, "none: files have no defaults", path, at);
  if (TRAITS[column.type].stored === "instant" && given === "now") return { kind: "now" };
  const jsonAsText = profile.base === "xata";
  const direct = coerceValue(column, given, jsonAsText);
  const held =
    direct === undefined && typeof given === "string" ? parseJson(given)?.value : undefined;
  const value = direct ?? (held === undefined ? undefined : coerceValue(column, held, jsonAsText));
  if (value === undefined) {
    const { expected } = expectationOf(column);
    refuseDefault(given, expected, path, at);
  }
  requireShort(given, value, path, at);
  return { kind: "value", value };
}

/** Read like a record's value at each use: there may be defaults inside. */
export function readObjectDefault(
  given: unknown,
  path: string,
  at: string,
): ObjectColumn["defaultValue"] {
  if (given == null) return undefined;
  const value = typeof given === "string" ? parseJson(given)?.value : given;
  const copy = copyJson(value);
  if (!isPlainObject(value) || "fault" in copy) {
    refuseDefault(given, "an object", path, at);
  }
  requireShort(given, copy.value, path, at);
  return { kind: "record", value: copy.value };
}

/** Every record may get it, hence the bound. */
function requireShort(given: unknown, value: unknown, path: string, at: string): void {
  const { length } = typeof given === "string" ? given : JSON.stringify(value);
  if (length <= MAX_DEFAULT_LENGTH) return;
  refuse(
    "invalid_schema",
    `column [${path}]: defaultValue: expected at most ${MAX_DEFAULT_LENGTH} characters of JSON`,
    { path: at, rule: "L-12" },
  );
}

function refuseDefault(given: unknown, expected: string, path: string, at: string): never {
  const what = `column [${path}]: defaultValue`;
  refuseValue(given, expected, { what, path: at, rule: "T-16", code: "invalid_schema" });
}
