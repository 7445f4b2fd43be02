import {
  arrayOf,
  byProfile,
  dictionaryOf,
  FLAG,
  NUMBER,
  named,
  objectOf,
  oneOf,
  openObject,
  type Schema,
  TEXT,
  TIME,
  textOf,
  wholeOf,
} from "../schema.js";
import { FILTER } from "./records.js";

/** Searches, as requests and answers have them (sections Q and V). */

const BOOSTER: Schema = named("Booster", {
  oneOf: [
    objectOf({
      valueBooster: named(
        "ValueBooster",
        objectOf(
          { column: TEXT, value: { type: ["string", "number", "boolean"] }, factor: NUMBER },
          { ifMatchesFilter: FILTER },
        ),
      ),
    }),
    objectOf({
      numericBooster: named(
        "NumericBooster",
        objectOf(
          { column: TEXT, factor: NUMBER },
          {
            modifier: oneOf(["none", "log", "log1p", "ln", "ln1p", "square", "sqrt", "reciprocal"]),
            ifMatchesFilter: FILTER,
          },
        ),
      ),
    }),
    objectOf({
      dateBooster: named(
        "DateBooster",
        objectOf(
          {
            column: TEXT,
            scale: { type: "string", pattern: "^(\\d+)(d|h|m|s|ms)$" },
            decay: NUMBER,
          },
          {
            origin: TIME,
            factor: { type: "number", minimum: 0, description: "Default 1." },
            ifMatchesFilter: FILTER,
          },
        ),
      ),
    }),
  ],
});

const TARGET: Schema = named("SearchTarget", {
  anyOf: [
    TEXT,
    objectOf({ column: TEXT }, { weight: { type: "number", minimum: 1, maximum: 10 } }),
  ],
});

const SETTINGS = {
  fuzziness: wholeOf(0, 2, "Default 1."),
  prefix: oneOf(["phrase", "disabled"]),
  highlight: objectOf({}, { enabled: FLAG, encodeHTML: FLAG }),
  page: objectOf(
    {},
    { size: wholeOf(1, 200, "Default 25."), offset: wholeOf(0, 800, "Default 0.") },
  ),
};

const PARTS = {
  target: { ...arrayOf(TARGET), minItems: 1, maxItems: 1000 },
  filter: FILTER,
  boosters: { ...arrayOf(BOOSTER), maxItems: 100 },
};

export const SEARCH_REQUEST: Schema = named(
  "SearchRequest",
  objectOf({}, { query: textOf(0, 2048), ...SETTINGS, ...PARTS }),
);

export const BRANCH_SEARCH_REQUEST: Schema = named(
  "BranchSearchRequest",
  objectOf(
    { query: textOf(1, 2048) },
    {
      ...SETTINGS,
      tables: { ...arrayOf({ anyOf: [TEXT, objectOf({ table: TEXT }, PARTS)] }), minItems: 1 },
    },
  ),
);

export const VECTOR_SEARCH_REQUEST: Schema = named(
  "VectorSearchRequest",
  objectOf(
    { column: TEXT, queryVector: arrayOf(NUMBER) },
    {
      similarityFunction: oneOf(["cosineSimilarity", "l1", "l2"]),
      size: wholeOf(1, 1000, "Default 10."),
      filter: FILTER,
    },
  ),
);

const HIGHLIGHT: Schema = named("Highlight", {
  ...dictionaryOf({ anyOf: [arrayOf(TEXT), byProfile(() => HIGHLIGHT)] }),
  description: "Passages by column, those of sub-columns nested.",
});

const METADATA = named(
  "FoundMetadata",
  objectOf(
    { version: wholeOf(0), createdAt: TIME, updatedAt: TIME, table: TEXT, score: NUMBER },
    { highlight: HIGHLIGHT },
  ),
);

export const SEARCH_RESULT: Schema = named(
  "SearchResult",
  objectOf({
    records: arrayOf(
      named(
        "FoundRecord",
        byProfile(({ metadataColumn }) => openObject({ id: TEXT, [metadataColumn]: METADATA })),
      ),
    ),
    totalCount: wholeOf(0),
  }),
);
