import { type At, below } from "../errors.js";
import type { Limits } from "../profile.js";
import {
  type RequestPart,
  readNumber,
  readString,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../value/fields.js";
import { isArray } from "../value/json.js";
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

function read(schema: JsonSchema, value: unknown, given: RequestPart, limits?: Limits): unknown {
  const { byEngine, map, what, rule, code } = schema.reading ?? {};
  const part: RequestPart = {
    what: what ?? given.what,
    path: given.path,
    rule: rule ?? given.rule,
    code: code ?? given.code,
  };
  const result = byEngine ? value : check(schema, value, part, limits);
  return map === undefined ? result : map(result as never, part); // validated by the schema
}

function check(schema: JsonSchema, value: unknown, part: RequestPart, limits?: Limits): unknown {
  const { reading: { expected, limit } = {}, type } = schema;
  const refuseAs = (kind: string): never => refuseValue(value, expected ?? kind, part);
  if (schema.enum !== undefined) {
    return schema.enum.some((each) => each === value) ? value : refuseAs(schema.enum.join(" or "));
  }
  if (schema.const !== undefined) {
    return value === schema.const ? value : refuseAs(String(schema.const));
  }
  if (schema.anyOf !== undefined) {
    const { anyOf } = schema;
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
  const { properties = {}, required = [], maxProperties, additionalProperties, reading } = schema;
  requireObject(value, part);
  const { path = "", rule, code } = part;
  const given = Object.keys(value).filter((key) => value[key] !== undefined); // rule R-9
  const others = additionalProperties === true ? ANYTHING : additionalProperties;
  if (!others) requireKnownKeys(value, Object.keys(properties), part);
  const refuseIncomplete = (missing: NonNullable<Reading["missing"]>): never =>
    refuseValue(value, missing.expected, { ...part, ...missing });
  const schemaOf = (key: string): JsonSchema =>
    Object.hasOwn(properties, key) ? properties[key]! : others || ANYTHING;
  const partOf = (key: string): RequestPart => ({ what: key, path: below(path, key), rule, code });
  const entries = given.map((key) => [key, read(schemaOf(key), value[key], partOf(key), limits)]);
  for (const key of required) {
    if (given.includes(key)) continue;
    if (reading?.missing !== undefined) refuseIncomplete(reading.missing);
    refuseMissing(properties[key]!, partOf(key)); // described
  }
  if (maxProperties === 1 && given.length !== 1) {
    const expected = `one of ${Object.keys(properties).join(", ")}`;
    refuseIncomplete(reading?.missing ?? { expected });
  }
  return Object.fromEntries(entries);
}

function refuseMissing({ reading, ...schema }: JsonSchema, part: RequestPart): never {
  const { byEngine: _, map: __, ...own } = reading ?? {};
  read({ ...schema, reading: own }, undefined, part); // throws
  refuseValue(undefined, own.expected ?? "a value", { ...part, ...own });
}
