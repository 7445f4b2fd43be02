import { describe, refuse } from "../errors.js";
import { formatInstant, type Instant, parseInstant } from "../value/datetime.js";
import { type JsonObject, readJsonObject, readString } from "../value/fields.js";
import { isPlainObject } from "../value/json.js";
import { isEmail } from "../value/text.js";

/** Encodes values of a type as JSON; decodes and validates them. */
export interface Codec<T> {
  encode(value: T): unknown;
  /** @throws TwinbaseError `invalid_request` */
  decode(json: unknown, what: string): T;
  readonly isOptional?: boolean;
}

export function refusePart(what: string, expected: string, found: unknown): never {
  refuse("invalid_request", `${what}: expected ${expected}, found ${describe(found)}`);
}

export function requireFields(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : refusePart(what, "an object", value);
}

export function requireList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : refusePart(what, "an array", value);
}

export function requireText(value: unknown, what: string): string {
  return typeof value === "string" ? value : refusePart(what, "a string", value);
}

export function requireCount(value: unknown, what: string): number {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount ? value : refusePart(what, "a whole number from 0 up", value);
}

export function requireInstant(value: unknown, what: string): Instant {
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  return instant ?? refusePart(what, "an RFC 3339 date-time", value);
}

export function plain<T>(decode: Codec<T>["decode"]): Codec<T> {
  return { encode: (value) => value, decode };
}

export const TEXT: Codec<string> = plain(requireText);
export const COUNT: Codec<number> = plain(requireCount);
export const BOOLEAN: Codec<boolean> = plain((value, what) =>
  typeof value === "boolean" ? value : refusePart(what, "true or false", value),
);
export const EMAIL: Codec<string> = plain((value, what) =>
  typeof value === "string" && isEmail(value) ? value : refusePart(what, "an address", value),
);
export const OBJECT: Codec<JsonObject> = plain((value, what) =>
  readJsonObject(value, { what, rule: "H-5" }),
);
export const INSTANT: Codec<Instant> = {
  encode: ({ ms, micros }) => formatInstant(ms, micros),
  decode: requireInstant,
};

export function text(min: number, max: number, rule: string): Codec<string> {
  return plain((value, what) => readString(value, min, max, { what, rule }));
}

export function oneOf<const T extends string>(...values: readonly T[]): Codec<T> {
  return plain((value, what) => {
    const found = values.find((known) => known === value);
    return found ?? refusePart(what, values.join(", "), value);
  });
}

export function listOf<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    encode: (list) => list.map((member) => codec.encode(member)),
    decode: (json, what) => requireList(json, what).map((member) => codec.decode(member, what)),
  };
}

export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return { ...codec, isOptional: true };
}

/** An object; further fields of a value are not written. */
export function fields<T extends object>(
  codecs: {
    readonly [key in keyof Required<T>]: Codec<T[key]>;
  },
): Codec<T> {
  const known = Object.entries(codecs) as [keyof T & string, Codec<unknown>][]; // keyed by the type's own keys
  const map = (given: object, convert: (codec: Codec<unknown>, key: string) => unknown): object => {
    const members = known.flatMap(([key, codec]) => {
      const isMissing = codec.isOptional === true && given[key as keyof object] === undefined;
      return isMissing ? [] : [[key, convert(codec, key)]];
    });
    return Object.fromEntries(members);
  };
  return {
    encode: (value) => map(value, (codec, key) => codec.encode(value[key as keyof T])),
    decode: (json, what) => {
      const given = requireFields(json, what);
      return map(given, (codec, key) => codec.decode(given[key], key)) as T; // every member is decoded
    },
  };
}
