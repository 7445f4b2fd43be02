import { STATUS_BY_CODE } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { describeRecords } from "./record-schemas.js";
import { type JsonSchema, objectOf, refer, TEXT, WHOLE } from "./schema.js";
import { describeSearches } from "./search-schemas.js";
import { describeStructure } from "./structure-schemas.js";

/** The schemas that routes refer to, in the names of a profile. */
export function componentSchemas(profile: Profile): Readonly<Record<string, JsonSchema>> {
  return {
    ...describeRecords(profile),
    ...describeSearches(profile),
    ...describeStructure(profile),
    Error: ERROR,
    BatchError: BATCH_ERROR,
  };
}

const ERROR: JsonSchema = objectOf(
  {
    id: TEXT,
    message: TEXT,
    code: { type: "string", enum: Object.keys(STATUS_BY_CODE) },
    path: { type: "string", description: "JSON pointer into the request." },
    rule: { type: "string", pattern: "^[A-Z]-[0-9]+$" },
    hint: { type: "string", description: "What may have been meant (profile xata)." },
  },
  ["id", "message", "code"],
);

/** What a batch is refused with: its bad parts, or what is wrong with the request as a whole. */
const BATCH_ERROR: JsonSchema = {
  anyOf: [
    refer("Error"),
    objectOf(
      {
        id: TEXT,
        errors: {
          type: "array",
          minItems: 1,
          maxItems: 100,
          items: objectOf({ index: WHOLE, message: TEXT, code: TEXT, path: TEXT, rule: TEXT }, [
            "index",
            "message",
          ]),
        },
        more: { type: "integer", minimum: 1 },
      },
      ["id", "errors"],
    ),
  ],
};
