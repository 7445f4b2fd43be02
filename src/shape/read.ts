import { type At, below } from "../errors.js";
import type { Limits } from "../profile.js";
import { isArray } from "../value/json.js";
import {
  type RequestPart,
  readNumber,
  readString,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "./fields.js";
import { ANYTHING, type JsonSchema, type Reading, type Schema } from "./schema.js";

/**
 * Validates a part of a request by its schema; default `{}`. Reports unknown keys of an object first, then
 * invalid values in the order of the request (rule E-6), then missing keys.
 */
export function readBySchema<T>(
  schema: Schema<T>,
  value: unknown = {},
  path: At = "",
  limits?: Limits,
): T {
  return read(schema, value, { path, rule: "E-3" }, limits) as T; // validated by the schema
}

function read(schema: JsonSchema, value: unknown, outer: RequestPart, limits?: Limits): unknown {
  const reading: Reading = schema.reading ?? {};
  const { describes, map, what = outer.what, rule = outer.rule, code = outer.code } = reading;
  const part: RequestPart = { what, path: outer.path, rule, code };
  const result = describes ? value : check(schema, value, part, limits);
  return map === undefined ? result : map(result as never, part); // validated by the schema
}

function check(schema: JsonSchema, value: unknown, part: RequestPart, limits?: Limits): unknown {
  const { reading: { expected, limit } = {}, type, anyOf } = schema;
  const refuseAs = (kind: string): never => refuseValue(value, expected ?? kind, part);
  const choices: readonly unknown[] | undefined = schema.const ? [schema.const] : schema.enum;
  if (choices !== undefined) {
    return choices.includes(value) ? value : refuseAs(choices.join(" or "));
  }
  if (anyOf !== undefined) {
    const fit = anyOf.find((each) => each.type === typeof value) ?? anyOf.at(-1)!; // not empty
    return read(fit, value, part, limits);
  }
  switch (type) {
    case "object":
      return readObject(schema, value, part, limits);
    case "array": {
      const { items = ANYTHING, minItems = 0, maxItems } = schema;
      const most = limit === undefined ? maxItems : (limits?.[limit] ?? maxItems);
      if (!isArray(value) || value.length < minItems || value.length > (most ?? value.length)) {
        return refuseAs(most === undefined ? "an array" : `an array of ${minItems} to ${most}`);
      }
      // Not `map`: it skips holes.
      return Array.from(value, (member: unknown, index) =>
        read(items, member, { ...part, path: below(part.path ?? "", index) }, limits),
      );
    }
    case "string": {
      const { minLength = 0, maxLength } = schema;
      if (maxLength !== undefined) return readString(value, minLength, maxLength, part);
      return typeof value === "string" ? value : refuseAs("a string");
    }
    case "integer":
    case "number": {
      const { minimum, maximum } = schema;
      if (expected !== undefined && !Number.isFinite(value)) return refuseAs(expected);
      const kind = type === "integer" ? "a whole number" : "a number";
      return readNumber(value, [minimum, maximum], part, kind);
    }
    case "boolean":
      return typeof value === "boolean" ? value : refuseAs("true or false");
    default:
      return value;
  }
}

function readObject(
  schema: JsonSchema,
  value: unknown,
  part: RequestPart,
  limits?: Limits,
): object {
  const { properties = {}, required = [], maxProperties, additionalProperties: others } = schema;
  requireObject(value, part);
  const { path = "", rule, code } = part;
  if (!others) requireKnownKeys(value, Object.keys(properties), part);
  const partOf = (key: string): RequestPart => ({ what: key, path: below(path, key), rule, code });
  const keys = Object.keys(value).filter((key) => value[key] !== undefined); // rule R-9
  const entries = keys.map((key) => {
    const member = Object.hasOwn(properties, key) ? properties[key] : others;
    const shape = typeof member === "object" ? member : ANYTHING;
    return [key, read(shape, value[key], partOf(key), limits)];
  });
  const missing = schema.reading?.missing;
  for (const key of required) {
    if (keys.includes(key)) continue;
    if (missing === undefined) refuseMissing(properties[key]!, partOf(key)); // described
    refuseValue(value, missing.expected, { ...part, ...missing });
  }
  if (maxProperties === 1 && keys.length !== 1) {
    const expected = `one of ${Object.keys(properties).join(", ")}`;
    refuseValue(value, missing?.expected ?? expected, { ...part, ...missing });
  }
  return Object.fromEntries(entries);
}

function refuseMissing({ reading = {}, ...schema }: JsonSchema, part: RequestPart): never {
  const { map, describes, ...own } = reading;
  if (describes) map?.(undefined as never, { ...part, ...own });
  read({ ...schema, reading: own }, undefined, part); // throws, unless it may be anything
  refuseValue(undefined, own.expected ?? "a value", { ...part, ...own });
}
