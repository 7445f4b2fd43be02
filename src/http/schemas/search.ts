import * as s from "../schema.js";
import { FILTER } from "./records.js";

/** Searches, as requests and answers have them (sections Q and V). */

const BOOSTER: s.Schema = s.named("Booster", {
  oneOf: [
    s.objectOf({
      valueBooster: s.named(
        "ValueBooster",
        s.objectOf(
          { column: s.TEXT, value: { type: ["string", "number", "boolean"] }, factor: s.NUMBER },
          { ifMatchesFilter: FILTER },
        ),
      ),
    }),
    s.objectOf({
      numericBooster: s.named(
        "NumericBooster",
        s.objectOf(
          { column: s.TEXT, factor: s.NUMBER },
          {
            modifier: s.oneOf([
              "none",
              "log",
              "log1p",
              "ln",
              "ln1p",
              "square",
              "sqrt",
              "reciprocal",
            ]),
            ifMatchesFilter: FILTER,
          },
        ),
      ),
    }),
    s.objectOf({
      dateBooster: s.named(
        "DateBooster",
        s.objectOf(
          {
            column: s.TEXT,
            scale: { type: "string", pattern: "^(\\d+)(d|h|m|s|ms)$" },
            decay: s.NUMBER,
          },
          {
            origin: s.TIME,
            factor: { type: "number", minimum: 0, description: "Default 1." },
            ifMatchesFilter: FILTER,
          },
        ),
      ),
    }),
  ],
});

const TARGET: s.Schema = s.named("SearchTarget", {
  anyOf: [
    s.TEXT,
    s.objectOf({ column: s.TEXT }, { weight: { type: "number", minimum: 1, maximum: 10 } }),
  ],
});

const SETTINGS = {
  fuzziness: s.wholeOf(0, 2, "Default 1."),
  prefix: s.oneOf(["phrase", "disabled"]),
  highlight: s.objectOf({}, { enabled: s.FLAG, encodeHTML: s.FLAG }),
  page: s.objectOf(
    {},
    { size: s.wholeOf(1, 200, "Default 25."), offset: s.wholeOf(0, 800, "Default 0.") },
  ),
};

const PARTS = {
  target: { ...s.arrayOf(TARGET), minItems: 1, maxItems: 1000 },
  filter: FILTER,
  boosters: { ...s.arrayOf(BOOSTER), maxItems: 100 },
};

export const SEARCH_REQUEST: s.Schema = s.named(
  "SearchRequest",
  s.objectOf({}, { query: s.textOf(0, 2048), ...SETTINGS, ...PARTS }),
);

export const BRANCH_SEARCH_REQUEST: s.Schema = s.named(
  "BranchSearchRequest",
  s.objectOf(
    { query: s.textOf(1, 2048) },
    {
      ...SETTINGS,
      tables: {
        ...s.arrayOf({ anyOf: [s.TEXT, s.objectOf({ table: s.TEXT }, PARTS)] }),
        minItems: 1,
      },
    },
  ),
);

export const VECTOR_SEARCH_REQUEST: s.Schema = s.named(
  "VectorSearchRequest",
  s.objectOf(
    { column: s.TEXT, queryVector: s.arrayOf(s.NUMBER) },
    {
      similarityFunction: s.oneOf(["cosineSimilarity", "l1", "l2"]),
      size: s.wholeOf(1, 1000, "Default 10."),
      filter: FILTER,
    },
  ),
);

const HIGHLIGHT: s.Schema = s.named("Highlight", {
  ...s.dictionaryOf({ anyOf: [s.arrayOf(s.TEXT), s.byProfile(() => HIGHLIGHT)] }),
  description: "Passages by column, those of sub-columns nested.",
});

const METADATA = s.named(
  "FoundMetadata",
  s.objectOf(
    { version: s.wholeOf(0), createdAt: s.TIME, updatedAt: s.TIME, table: s.TEXT, score: s.NUMBER },
    { highlight: HIGHLIGHT },
  ),
);

export const SEARCH_RESULT: s.Schema = s.named(
  "SearchResult",
  s.objectOf({
    records: s.arrayOf(
      s.named(
        "FoundRecord",
        s.byProfile(({ metadataColumn }) =>
          s.openObject({ id: s.TEXT, [metadataColumn]: METADATA }),
        ),
      ),
    ),
    totalCount: s.wholeOf(0),
  }),
);
