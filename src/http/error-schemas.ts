import { STATUS_BY_CODE } from "../errors.js";
import * as s from "../json-schema.js";

export const ERROR: s.JsonSchema = s.named(
  "Error",
  s.objectOf(
    { id: s.TEXT, message: s.TEXT, code: { type: "string", enum: Object.keys(STATUS_BY_CODE) } },
    {
      path: { type: "string", description: "JSON pointer into the request." },
      rule: { type: "string", pattern: "^[A-Z]-[0-9]+$" },
      hint: { type: "string", description: "A suggestion (profile xata)." },
    },
  ),
);

const FAULTS: s.JsonSchema = {
  type: "array",
  minItems: 1,
  maxItems: 100,
  items: s.objectOf(
    { index: s.WHOLE, message: s.TEXT },
    { code: s.TEXT, path: s.TEXT, rule: s.TEXT },
  ),
};

/** The answer to a failed batch: the errors of its parts, or one error for the whole request. */
export const BATCH_ERROR: s.JsonSchema = s.named("BatchError", {
  anyOf: [
    ERROR,
    s.objectOf({ id: s.TEXT, errors: FAULTS }, { more: { type: "integer", minimum: 1 } }),
  ],
});
