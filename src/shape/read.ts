import { below } from "../errors.js";
import {
  type RequestPart,
  readNumber,
  readString,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../value/fields.js";
import { isArray } from "../value/json.js";
import type { JsonSchema, Schema } from "./schema.js";

const ANYTHING: JsonSchema = { reading: { byEngine: true } };

/**
 * Validates a value of a request by its schema. Reports unknown keys of an object first, then
 * invalid values in the order of the request (rule E-6), then missing keys.
 */
export function readBySchema<T>(schema: Schema<T>, value: unknown): T {
  return read(schema, value, { path: "", rule: "E-3" }) as T; // validated by the schema
}

function read(schema: JsonSchema, value: unknown, given: RequestPart): unknown {
  const { reading: { byEngine, expected, ...own } = {}, type } = schema;
  if (byEngine) return value;
  const part = { ...given, ...own };
  const refuseAs = (kind: string): never => refuseValue(value, expected ?? kind, part);
  if (schema.enum !== undefined) {
    return schema.enum.some((each) => each === value) ? value : refuseAs(schema.enum.join(" or "));
  }
  if (schema.const !== undefined) {
    return value === schema.const ? value : refuseAs(String(schema.const));
  }
  switch (type) {
    case "object":
      return readObject(schema, value, part);
    case "array": {
      if (!isArray(value)) return refuseAs("an array");
      const { items = ANYTHING } = schema;
      if (items.reading?.byEngine) return value;
      return Array.from(value, (member: unknown, index) =>
        read(items, member, { ...part, path: below(part.path ?? "", index) }),
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
      if (expected !== undefined && typeof value !== "number") return refuseAs(expected);
      const kind = type === "integer" ? "a whole number" : "a number";
      return readNumber(value, [minimum, maximum], part, kind);
    }
    default:
      return value;
  }
}

function readObject(schema: JsonSchema, value: unknown, part: RequestPart): object {
  requireObject(value, part);
  const { properties = {}, required = [] } = schema;
  if (schema.additionalProperties !== false) return value;
  requireKnownKeys(value, Object.keys(properties), part);
  const { path = "", rule, code } = part;
  const partOf = (key: string): RequestPart => ({ what: key, path: below(path, key), rule, code });
  const given = Object.keys(value).filter((key) => value[key] !== undefined); // rule R-9
  const entries = given.map((key) => [key, read(properties[key]!, value[key], partOf(key))]); // known
  for (const key of required) {
    if (!given.includes(key)) refuseMissing(properties[key]!, partOf(key)); // described
  }
  return Object.fromEntries(entries);
}

function refuseMissing({ reading, ...schema }: JsonSchema, part: RequestPart): never {
  const { byEngine: _, ...own } = reading ?? {};
  read({ ...schema, reading: own }, undefined, part); // throws
  refuseValue(undefined, "a value", { ...part, ...own });
}
