import { STATUS_BY_CODE } from "../errors.js";
import { type JsonSchema, named, objectOf, TEXT, WHOLE } from "./schema.js";

/** The answer to a request that fails (rule E-2). */
export const ERROR: JsonSchema = named(
  "Error",
  objectOf(
    { id: TEXT, message: TEXT, code: { type: "string", enum: Object.keys(STATUS_BY_CODE) } },
    {
      path: { type: "string", description: "JSON pointer into the request." },
      rule: { type: "string", pattern: "^[A-Z]-[0-9]+$" },
      hint: { type: "string", description: "What may have been meant (profile xata)." },
    },
  ),
);

const FAULTS: JsonSchema = {
  type: "array",
  minItems: 1,
  maxItems: 100,
  items: objectOf({ index: WHOLE, message: TEXT }, { code: TEXT, path: TEXT, rule: TEXT }),
};

/** The answer to a refused batch: its bad parts, or what is wrong with the request as a whole. */
export const BATCH_ERROR: JsonSchema = named("BatchError", {
  anyOf: [ERROR, objectOf({ id: TEXT, errors: FAULTS }, { more: { type: "integer", minimum: 1 } })],
});
