import type { ErrorCode } from "./errors.js";
import type { Profile } from "./profile.js";

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
  /** The name under which the description of the service lists it. */
  readonly title?: string;
  /** Makes the schema, in place of all else: it depends on the profile, or contains itself. */
  readonly make?: (profile: Profile) => JsonSchema;
  readonly reading?: Reading;
}

/** How a value of a request is read by its schema; members inherit rule and code. */
export interface Reading {
  /** Names the value in messages; default its key. */
  readonly what?: string;
  readonly rule?: string;
  readonly code?: ErrorCode;
  /** The expected value in messages; default the schema's description. */
  readonly expected?: string;
  /** The engine call that takes the value reads it: columns and limits are in no schema. */
  readonly byEngine?: true;
}

declare const TYPE: unique symbol;

export type Schema<T = unknown> = JsonSchema & { readonly [TYPE]?: T };

export type TypeOf<S> = S extends { readonly [TYPE]?: infer T } ? Exclude<T, undefined> : unknown;

type Members = Readonly<Record<string, JsonSchema>>;
type ObjectOf<R extends Members, O extends Members> = {
  readonly [K in keyof R]: TypeOf<R[K]>;
} & { readonly [K in keyof O]?: TypeOf<O[K]> };

export const TEXT: Schema<string> = { type: "string" };
export const WHOLE: Schema<number> = { type: "integer" };
export const NUMBER: Schema<number> = { type: "number" };
export const FLAG: Schema<boolean> = { type: "boolean" };
export const TIME: Schema<string> = { type: "string", format: "date-time" };
export const ANY_OBJECT: Schema<Readonly<Record<string, unknown>>> = {
  type: "object",
  additionalProperties: true,
};
export const CONTENT: Schema = { type: "string", format: "binary" };
export const FILTER: Schema = named("Filter", {
  ...ANY_OBJECT,
  description: "Conditions by column or operator; all must match.",
});
export const NO_KEYS: Schema<object> = { type: "object", additionalProperties: false };
export const COMPLETED: Schema<"completed"> = { const: "completed" };

/** The answer of a route whose call returns nothing. */
export const DONE: Schema = named("Completed", objectOf({ status: COMPLETED }));

export function textOf(minLength: number, maxLength: number): Schema<string> {
  return { type: "string", ...(minLength > 0 && { minLength }), maxLength };
}

/** A whole number in a range; without an upper end, any that is safe. */
export function wholeOf(minimum: number, maximum?: number, description?: string): Schema<number> {
  return {
    type: "integer",
    minimum,
    ...(maximum !== undefined && { maximum }),
    ...(description !== undefined && { description }),
  };
}

/** A number in a range; without an upper end, any from the lower one on. */
export function numberOf(minimum: number, maximum?: number): Schema<number> {
  return { type: "number", minimum, ...(maximum !== undefined && { maximum }) };
}

export function oneOf<const T extends string>(texts: readonly T[]): Schema<T> {
  return { type: "string", enum: texts };
}

/** An object with these properties, all of the first required, and no other. */
export function objectOf<R extends Members, O extends Members = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<ObjectOf<R, O>> {
  return { ...openObject(required, optional), additionalProperties: false };
}

/** An object with these properties, all of the first required, and any other. */
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

export function choiceOf(members: Members): Schema {
  return { ...objectOf({}, members), minProperties: 1, maxProperties: 1 };
}

export function arrayOf<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: "array", items };
}

/** A schema under a name of its own in the description. */
export function named<T>(title: string, schema: Schema<T>): Schema<T> {
  return { ...schema, title };
}

export function byProfile<T>(make: (profile: Profile) => Schema<T>): Schema<T> {
  return { make };
}

export function reading<T>(schema: Schema<T>, how: Reading): Schema<T> {
  return { ...schema, reading: how };
}

/** A schema whose values the engine call that takes them reads. */
export function byEngine<T>(schema: JsonSchema, rule?: string): Schema<T> {
  return { ...schema, reading: { byEngine: true, ...(rule !== undefined && { rule }) } };
}
