import { type At, below, describe, type ErrorCode, pointerTo, refuse } from "../errors.js";
import type { Json } from "../types.js";
import { copyJson, isArray, isPlainObject } from "../value/json.js";
import { suggest } from "../value/nearest.js";
import { countCodePoints, isText } from "../value/text.js";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, Json>>;

/** A part of a request, for error messages. */
export interface RequestPart {
  /** The subject of messages; absent if obvious. */
  readonly what?: string | undefined;
  /** JSON Pointer; default the whole request. */
  readonly path?: At | undefined;
  readonly rule: string;
  /** Default `invalid_request`. */
  readonly code?: ErrorCode | undefined;
}

/** The value of a key at the top of a request. */
export function partAt(key: string, rule = "E-3"): RequestPart {
  return { what: key, path: `/${key}`, rule };
}

/** Reads own fields; undefined is absent. Throws `invalid_request` for unknown keys. */
export function readFields<K extends string>(
  value: unknown,
  keys: readonly K[],
  part: RequestPart,
): { readonly [key in K]?: unknown } {
  if (value === undefined) return {};
  requireObject(value, part);
  requireKnownKeys(value, keys, part);
  const fields: { [key in K]?: unknown } = {};
  for (const key of keys) {
    const field = Object.hasOwn(value, key) ? value[key] : undefined;
    if (field !== undefined) fields[key] = field;
  }
  return fields;
}

export function requireObject(
  value: unknown,
  part: RequestPart,
): asserts value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) refuseValue(value, "an object", part);
}

/** Suggests the nearest key (rule E-3). */
export function requireKnownKeys(
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  { what, path = "", code = "invalid_request" }: Partial<RequestPart> = {},
): void {
  for (const key of Object.keys(object)) {
    if (keys.includes(key) || object[key] === undefined) continue;
    const message = `${prefix(what)}unknown key ${describe(key)}${suggest(key, keys)}`;
    const reason = { kind: "unknown_key", key } as const;
    refuse(code, message, { path: below(path, key), rule: "E-3", reason });
  }
}

/** Returns the only key of an object, which is one of the choices, and its value. */
export function readChoice<K extends string>(
  value: unknown,
  choices: readonly K[],
  { path, rule }: RequestPart,
): readonly [K, unknown] {
  const object = isPlainObject(value) ? value : {};
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  const choice = choices.find((each) => each === keys[0]);
  if (choice !== undefined && keys.length === 1) return [choice, object[choice]];
  const key = keys.find((each) => !choices.some((known) => known === each));
  const found =
    keys.slice(0, 5).map(describe).join(", ") || describe(value === object ? undefined : value);
  const hint = key === undefined ? "" : suggest(key, choices);
  refuse("invalid_request", `expected one of ${choices.join(", ")}, found ${found}${hint}`, {
    path,
    rule,
    reason: key === undefined ? undefined : { kind: "unknown_key", key },
  });
}

export function readOneOf<T>(value: unknown, choices: readonly T[], part: RequestPart): T {
  return choices.find((each) => each === value) ?? refuseValue(value, choices.join(" or "), part);
}

/** Returns true or false; undefined if absent. */
export function readFlag(value: unknown, part: RequestPart): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  return refuseValue(value, "true or false", part);
}

export function readString(value: unknown, min: number, max: number, part: RequestPart): string {
  if (isText(value) && value.length <= 2 * max) {
    const length = countCodePoints(value);
    if (length >= min && length <= max) return value;
  }
  refuseValue(value, `a string of ${min}–${max} characters`, part);
}

export type NumberRange = readonly [least?: number | undefined, most?: number | undefined];

/** Throws `invalid_request` unless the value is a number of the kind in the range. */
export function readNumber(
  value: unknown,
  [least, most]: NumberRange,
  part: RequestPart,
  kind: "a whole number" | "a number" = "a whole number",
): number {
  const number = value as number; // checked here
  const isKind = kind === "a number" ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (isKind && number >= (least ?? number) && number <= (most ?? number)) return number;
  const to = most === undefined ? "up" : `to ${most}`;
  refuseValue(value, least === undefined ? kind : `${kind} from ${least} ${to}`, part);
}

export function readStrings(value: unknown, part: RequestPart): readonly string[] {
  if (!isArray(value)) refuseValue(value, "an array of strings", part);
  // Holes count as members.
  return Array.from(value as readonly unknown[], (member, index) => {
    if (typeof member === "string") return member;
    return refuseValue(member, "a string", { ...part, path: below(part.path ?? "", index) });
  });
}

/** Copies a JSON object; throws `invalid_request` for other values. */
export function readJsonObject(value: unknown, part: RequestPart): JsonObject {
  if (value === undefined) return {};
  requireObject(value, part);
  const copy = copyJson(value);
  if ("fault" in copy) {
    refuse("invalid_request", `${prefix(part.what)}expected a JSON value, found ${copy.fault}`, {
      path: pointerTo(part.path ?? "") + copy.at,
      rule: part.rule,
    });
  }
  return copy.value as JsonObject; // a copy of an object
}

export function refuseValue(
  value: unknown,
  expected: string,
  { what, path = "", rule, code = "invalid_request" }: RequestPart,
): never {
  refuse(code, `${prefix(what)}expected ${expected}, found ${describe(value)}`, { path, rule });
}

function prefix(what: string | undefined): string {
  return what === undefined ? "" : `${what}: `;
}
