import { STATUS_BY_CODE } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { describeRecords } from "./record-schemas.js";
import { type JsonSchema, objectOf, TEXT, WHOLE } from "./schema.js";
import { describeStructure } from "./structure-schemas.js";

/** The schemas that routes refer to, in the names of a profile. */
export function componentSchemas(profile: Profile): Readonly<Record<string, JsonSchema>> {
  return { ...describeRecords(profile), ...describeStructure(profile), Error: ERROR };
}

const ERROR: JsonSchema = {
  oneOf: [
    objectOf(
      {
        id: TEXT,
        message: TEXT,
        code: { type: "string", enum: Object.keys(STATUS_BY_CODE) },
        path: { type: "string", description: "JSON pointer into the request." },
        rule: { type: "string", pattern: "^[A-Z]-[0-9]+$" },
      },
      ["id", "message", "code"],
    ),
    objectOf({
      id: TEXT,
      errors: {
        type: "array",
        minItems: 1,
        items: objectOf({ index: WHOLE, message: TEXT, code: TEXT, path: TEXT, rule: TEXT }, [
          "index",
          "message",
        ]),
      },
    }),
  ],
};
