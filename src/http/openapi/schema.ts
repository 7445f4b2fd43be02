/** A JSON Schema (draft 2020-12), as far as the description of the service uses it. */
export interface JsonSchema {
  readonly $ref?: string;
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
}

/** A schema of the components, by name. */
export function refer(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with just these properties, all of them required unless told otherwise. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

export const TEXT: JsonSchema = { type: "string" };
export const WHOLE: JsonSchema = { type: "integer" };
export const TIME: JsonSchema = { type: "string", format: "date-time" };
export const FLAG: JsonSchema = { type: "boolean" };
/** An object that is stored as it is given. */
export const ANY_OBJECT: JsonSchema = { type: "object", additionalProperties: true };
/** An object that has these properties, and any other. */
export function openObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: true,
  };
}

/** Bytes of any media type. */
export const CONTENT: JsonSchema = { type: "string", format: "binary" };

/** An object without keys. */
export const NO_KEYS: JsonSchema = { type: "object", additionalProperties: false };
