import type { ErrorCode } from "../errors.js";
import type { Limits, Profile } from "../profile.js";
import { type RequestPart, refuseValue } from "./fields.js";

/** A JSON Schema (draft 2020-12), as far as the service uses it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  /** The schema's name in the OpenAPI description. */
  readonly title?: string;
  /** Creates the schema if it depends on the profile or is recursive; excludes other members. */
  readonly make?: (profile: Profile) => JsonSchema;
  readonly reading?: Reading;
}

/** How to validate a value of a request; members inherit rule and code. */
export interface Reading {
  /** Names the value in messages; default its key. */
  readonly what?: string;
  readonly rule?: string;
  readonly code?: ErrorCode;
  /** The expected value in messages; default the schema's description. */
  readonly expected?: string;
  /** Refuses an object without a required key, in place of the key's own message. */
  readonly missing?: { readonly expected: string; readonly rule?: string };
  /** The engine limit that replaces `maxItems`. */
  readonly limit?: keyof Limits;
  /** Converts the valid value. */
  readonly map?: (value: never, part: RequestPart) => unknown;
  /** Whether the schema only describes the value, which `map` or a later call validates. */
  readonly describes?: true;
}

declare const TYPE: unique symbol;

export type Schema<T = unknown> = JsonSchema & { readonly [TYPE]?: T };

export type TypeOf<S> = S extends { readonly [TYPE]?: infer T } ? Exclude<T, undefined> : unknown;

type Members = Readonly<Record<string, JsonSchema>>;
type ObjectOf<R extends Members, O extends Members> = {
  readonly [K in keyof R]: TypeOf<R[K]>;
} & { readonly [K in keyof O]?: TypeOf<O[K]> };

export const TEXT: Schema<string> = { type: "string" };
export const INTEGER: Schema<number> = { type: "integer" };
export const NUMBER: Schema<number> = { type: "number" };
export const FLAG: Schema<boolean> = { type: "boolean" };
export const TIME: Schema<string> = { type: "string", format: "date-time" };
export const ANY_OBJECT: Schema<Readonly<Record<string, unknown>>> = {
  type: "object",
  additionalProperties: true,
};
/** Returns the schema of an object whose members the engine validates. */
export function anyObject<T>(): Schema<T> {
  return ANY_OBJECT as Schema<T>; // validated later
}

/** Values that are validated later, or not at all. */
export const ANYTHING: Schema = {};
export const CONTENT: Schema = { type: "string", format: "binary" };
export const FILTER: Schema<Readonly<Record<string, unknown>>> = {
  type: "object",
  additionalProperties: true,
  title: "Filter",
  description: "Conditions by column or operator; all must match.",
};
export const NO_KEYS: Schema<object> = { type: "object", additionalProperties: false };
export const COMPLETED: Schema<"completed"> = { const: "completed" };

export function textOf(minLength: number, maxLength: number): Schema<string> {
  return { type: "string", ...(minLength > 0 && { minLength }), maxLength };
}

/** Returns the schema of an integer in a range; default upper bound: the largest safe integer. */
export function wholeOf(minimum: number, maximum?: number, description?: string): Schema<number> {
  return {
    type: "integer",
    minimum,
    ...(maximum !== undefined && { maximum }),
    ...(description !== undefined && { description }),
  };
}

/** Returns the schema of a number in a range; without an upper bound by default. */
export function numberOf(minimum: number, maximum?: number): Schema<number> {
  return { type: "number", minimum, ...(maximum !== undefined && { maximum }) };
}

export function oneOf<const T extends string>(texts: readonly T[]): Schema<T> {
  return { type: "string", enum: texts };
}

/** Returns the schema of an object with only these properties; all of the first are required. */
export function objectOf<R extends Members, O extends Members = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<ObjectOf<R, O>> {
  return { ...openObject(required, optional), additionalProperties: false };
}

/** As {@link objectOf}, with further properties allowed. */
export function openObject<R extends Members, O extends Members = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<ObjectOf<R, O> & Readonly<Record<string, unknown>>> {
  const names = Object.keys(required);
  return {
    type: "object",
    properties: { ...required, ...optional },
    ...(names.length > 0 && { required: names }),
    additionalProperties: true,
  };
}

export function dictionaryOf<T>(values: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: "object", additionalProperties: values };
}

/** Returns the schema of an object with exactly one of these properties. */
export function choiceOf<M extends Members>(members: M): Schema<ObjectOf<Record<never, never>, M>> {
  return { ...objectOf({}, members), minProperties: 1, maxProperties: 1 };
}

export function arrayOf<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: "array", items };
}

/** Gives a schema its own name in the OpenAPI description. */
export function named<T>(title: string, schema: Schema<T>): Schema<T> {
  return { ...schema, title };
}

/** Returns a schema whose values `parse` reads; undefined refuses them. */
export function parsed<T>(
  schema: JsonSchema,
  expected: string,
  parse: (value: unknown) => T | undefined,
  rule?: string,
): Schema<T> {
  const description = described(schema, { expected, ...(rule !== undefined && { rule }) });
  return mapped(description, (value, part) => parse(value) ?? refuseValue(value, expected, part));
}

export function byProfile<T>(make: (profile: Profile) => Schema<T>): Schema<T> {
  return { make };
}

export function reading<T>(schema: Schema<T>, how: Reading): Schema<T> {
  return { ...schema, reading: { ...schema.reading, ...how } };
}

/** Returns the schema with a conversion of its valid values. */
export function mapped<T, U>(
  schema: Schema<T>,
  map: (value: T, part: RequestPart) => U,
): Schema<U> {
  const described: JsonSchema = schema;
  const { map: first, ...own } = described.reading ?? {};
  const both: Reading["map"] =
    first === undefined ? map : (value, part) => map(first(value, part) as T, part);
  return { ...described, reading: { ...own, map: both } };
}

/** Returns a schema that only describes the values: the next conversion, or a later call, validates them. */
export function described<T>(schema: Schema<T>, how?: Reading): Schema<T> {
  return { ...schema, reading: { ...how, describes: true } };
}
