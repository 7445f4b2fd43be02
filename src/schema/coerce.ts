import type { Profile } from "../profile.js";
import type { Json } from "../types.js";
import { formatDate, parseInstant } from "../value/datetime.js";
import { isRecordId } from "../value/id.js";
import { copyJson, isArray, isPlainObject } from "../value/json.js";
import { countCodePoints, isEmail, isText } from "../value/text.js";
import type { LeafType, StoredValue } from "./columns.js";
import { TRAITS } from "./traits.js";

/** The properties of a column that determine valid values. */
export interface ValueType {
  readonly type: LeafType;
  readonly dimension: number | undefined;
}

/** Maximum length, in code points (rule T-4). */
const MAX_STRING_LENGTH = 2048;

export function expectationOf(column: ValueType): {
  readonly rule: string;
  readonly expected: string;
} {
  const { rule, expected } = TRAITS[column.type];
  const length = column.type === "vector" ? ` of length ${column.dimension}` : "";
  return { rule, expected: `${column.type} (${expected}${length})` };
}

/** Coerces a value to its stored form; undefined if its type is wrong. Null is handled by callers. */
export function coerceValue(
  column: ValueType,
  input: unknown,
  { jsonAsText, idColumn }: Pick<Profile, "jsonAsText" | "idColumn">,
): StoredValue | undefined {
  if (column.type === "link" && isPlainObject(input) && Object.hasOwn(input, idColumn)) {
    const id = input[idColumn]; // T-9, R-8
    return isRecordId(id) ? id : undefined;
  }
  if (column.type !== "json" || !jsonAsText || typeof input !== "string") {
    return coercePlain(column, input);
  }
  const read = parseJson(input); // T-11
  return read && coercePlain(column, read.value);
}

/** As {@link coerceValue}, without forms that depend on the profile. */
export function coercePlain(column: ValueType, input: unknown): StoredValue | undefined {
  const { type } = column;
  const value = typeof input === "object" && input instanceof Date ? formatDate(input) : input;
  switch (type) {
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "int":
      return Number.isSafeInteger(value) ? (value as number) + 0 : undefined;
    case "float":
      // T-3: −0 becomes 0.
      return Number.isFinite(value) ? (value as number) + 0 : undefined;
    case "string":
      return isText(value) &&
        (value.length <= MAX_STRING_LENGTH || countCodePoints(value) <= MAX_STRING_LENGTH)
        ? value
        : undefined;
    case "text":
      return isText(value) ? value : undefined;
    case "email":
      return isEmail(value) ? value : undefined;
    case "datetime":
      return parseInstant(value);
    case "multiple":
      return isArray(value) ? readTexts(value) : undefined;
    case "link":
      return isRecordId(value) ? value : undefined;
    case "json":
      return coerceJson(value);
    case "vector":
      return isArray(value) &&
        value.length === column.dimension &&
        everyMember(value, Number.isFinite)
        ? (value as number[]).map((member) => member + 0)
        : undefined;
    case "file":
    case "file[]":
      return undefined; // files have their own reader
  }
}

function coerceJson(value: unknown): Json | undefined {
  const copy = copyJson(value);
  return "fault" in copy ? undefined : copy.value;
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Copies an array of strings, reading each once; undefined for other values. */
function readTexts(members: readonly unknown[]): string[] | undefined {
  const texts = new Array<string>(members.length);
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    if (!isText(member)) return undefined;
    texts[i] = member;
  }
  return texts;
}

/** Like `every`, but visits holes. */
function everyMember(members: readonly unknown[], accept: (member: unknown) => boolean): boolean {
  for (let i = 0; i < members.length; i++) if (!accept(members[i])) return false;
  return true;
}
