import { pointer } from "../../errors.js";
import type { Limits, Profile } from "../../profile.js";
import * as s from "../../shape/schema.js";
import {
  type RequestPart,
  readNumber,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../../value/fields.js";
import { isArray } from "../../value/json.js";

export interface RequestContext {
  readonly profile: Profile;
  readonly limits: Limits;
  /** Throws for a missing or repeated table. */
  readonly takeTable?: (name: string, at: string) => void;
}

/** Reads a part of a request; `schema` describes the same part for OpenAPI. */
export interface Reader<T> {
  readonly schema: s.JsonSchema;
  readonly read: (value: unknown, at: string, context: RequestContext) => T;
}

type Readers = Readonly<Record<string, Reader<unknown>>>;

type ResultOf<R> = R extends Reader<infer T> ? T : never;

export type Fields<R extends Readers, O extends Readers> = {
  readonly [K in keyof R]: ResultOf<R[K]>;
} & { readonly [K in keyof O]?: ResultOf<O[K]> };

type RefuseMissing = (given: object, at: string, key: string) => never;

/** Reads an object in the order of the request, after rejecting unknown keys (E-6). */
export function objectOf<R extends Readers, O extends Readers>(
  required: R,
  optional: O,
  refuseMissing: RefuseMissing,
): Reader<Fields<R, O>> {
  const readers: Readers = { ...required, ...optional };
  return {
    schema: s.objectOf(schemasOf(required), schemasOf(optional)),
    read(given, at, context) {
      requireObject(given, { path: at, rule: "E-3" });
      requireKnownKeys(given, Object.keys(readers), { path: at });
      const isGiven = (key: string): boolean =>
        given[key] !== undefined && (given[key] !== null || context.profile.base !== "xata");
      const keys = Object.keys(given).filter(isGiven);
      const fields = keys.map(
        (key) => [key, readers[key]!.read(given[key], pointer(at, key), context)] as const,
      );
      for (const key of Object.keys(required)) {
        if (!keys.includes(key)) refuseMissing(given, at, key);
      }
      return Object.fromEntries(fields) as Fields<R, O>; // each value comes from its key's reader
    },
  };
}

export function optionsOf<O extends Readers>(optional: O): Reader<Fields<Record<never, never>, O>> {
  return objectOf({}, optional, missingValue("E-3"));
}

function schemasOf(readers: Readers): Readonly<Record<string, s.JsonSchema>> {
  return Object.fromEntries(Object.entries(readers).map(([key, { schema }]) => [key, schema]));
}

export function missingValue(rule: string): RefuseMissing {
  return (_, at, key) => refuseAt("a value", undefined, `${at}/${key}`, rule);
}

export function missingIn(expected: string, rule: string): RefuseMissing {
  return (given, at) => refuseAt(expected, given, at, rule);
}

export function refuseAt(expected: string, found: unknown, path: string, rule: string): never {
  refuseValue(found, expected, partAt(path, rule));
}

function partAt(path: string, rule: string): RequestPart {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { what: name === "" ? undefined : name, path, rule };
}

/** Reads a number in the range of its schema. */
export function numberOf(schema: s.Schema<number>, rule: string): Reader<number> {
  return { schema, read: (value, at) => readNumberBy(schema, value, partAt(at, rule)) };
}

/** Rejects infinity, which is within an open range. */
export function readNumberBy(
  { type, minimum, maximum }: s.JsonSchema,
  value: unknown,
  part: RequestPart,
): number {
  const kind = type === "integer" ? "a whole number" : "a number";
  const number = readNumber(value, [minimum, maximum], part, kind);
  return Number.isFinite(number) ? number : refuseValue(value, "a finite number", part);
}

export function oneOf<const T extends string>(texts: readonly T[], rule: string): Reader<T> {
  return {
    schema: s.oneOf(texts),
    read: (value, at) =>
      texts.find((text) => text === value) ?? refuseAt(texts.join(" or "), value, at, rule),
  };
}

export const FLAG: Reader<boolean> = {
  schema: s.FLAG,
  read: (value, at) =>
    typeof value === "boolean" ? value : refuseAt("true or false", value, at, "E-3"),
};

export function textOf(expected: string, rule: string): Reader<string> {
  return {
    schema: s.TEXT,
    read: (value, at) => (typeof value === "string" ? value : refuseAt(expected, value, at, rule)),
  };
}

export interface ListBounds {
  readonly least?: number;
  readonly most: number;
  /** The engine limit that replaces `most`. */
  readonly limit?: keyof Limits;
  readonly rule: string;
}

export function listOf<T>(
  member: Reader<T>,
  { least = 0, most, limit, rule }: ListBounds,
): Reader<T[]> {
  return {
    schema: {
      ...s.arrayOf(member.schema),
      ...(least > 0 && { minItems: least }),
      maxItems: most,
    },
    read(value, at, context) {
      const bound = limit === undefined ? most : context.limits[limit];
      if (!isArray(value) || value.length < least || value.length > bound)
        return refuseAt(`an array of ${least} to ${bound}`, value, at, rule);
      // Not `map`: it skips holes.
      return Array.from(value as readonly unknown[], (each, index) =>
        member.read(each, pointer(at, index), context),
      );
    },
  };
}

/** Reads an object, or a text as its short form. */
export function textOr<T>(
  ofText: (text: string, at: string, context: RequestContext) => T,
  other: Reader<T>,
): Reader<T> {
  return {
    schema: { anyOf: [s.TEXT, other.schema] },
    read: (value, at, context) =>
      typeof value === "string" ? ofText(value, at, context) : other.read(value, at, context),
  };
}

/** Reads an object with exactly one of these keys. */
export function onlyOne<T>(readers: Readonly<Record<string, Reader<T>>>, rule: string): Reader<T> {
  const { read } = optionsOf(readers);
  const each = Object.entries(readers);
  return {
    schema: { oneOf: each.map(([key, { schema }]) => s.objectOf({ [key]: schema })) },
    read(value, at, context) {
      const [given, ...others] = Object.values(read(value, at, context));
      if (given !== undefined && others.length === 0) return given;
      return refuseAt(`one of ${Object.keys(readers).join(", ")}`, value, at, rule);
    },
  };
}

export function mapped<T, U>({ schema, read }: Reader<T>, map: (value: T) => U): Reader<U> {
  return { schema, read: (value, at, context) => map(read(value, at, context)) };
}

export function named<T>(title: string, { schema, read }: Reader<T>): Reader<T> {
  return { schema: s.named(title, schema), read };
}

/** A part of a request that is validated when it is bound, with its JSON Pointer. */
export interface Unbound {
  readonly value: unknown;
  readonly at: string;
}

export function unbound(schema: s.JsonSchema): Reader<Unbound> {
  return { schema, read: (value, at) => ({ value, at }) };
}

export function columnOf(expected: string, rule: string): Reader<Unbound> {
  const { schema, read } = textOf(expected, rule);
  return { schema, read: (value, at, context) => ({ value: read(value, at, context), at }) };
}

export const FILTER: Reader<Unbound> = unbound(s.FILTER);
