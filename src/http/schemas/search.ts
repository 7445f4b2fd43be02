import {
  DATE_FACTOR,
  DEFAULT_DATE_FACTOR,
  DEFAULT_FUZZINESS,
  DEFAULT_NEIGHBORS,
  DEFAULT_SIZE,
  DURATION,
  FUZZINESS,
  MAX_BOOSTERS,
  MAX_QUERY_LENGTH,
  MODIFIERS,
  NEIGHBORS,
  PAGE_OFFSET,
  PAGE_SIZE,
  PREFIXES,
  SIMILARITIES,
  WEIGHT,
} from "../../search/request/limits.js";
import * as s from "../schema.js";
import { FILTER, METADATA } from "./records.js";

/** Searches, as requests and answers have them (sections Q and V). */

const defaultOf = (value: number): string => `Default ${value}.`;

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
            modifier: s.oneOf(MODIFIERS),
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
            scale: { type: "string", pattern: DURATION.source },
            decay: s.NUMBER,
          },
          {
            origin: s.TIME,
            factor: { ...s.numberOf(...DATE_FACTOR), description: defaultOf(DEFAULT_DATE_FACTOR) },
            ifMatchesFilter: FILTER,
          },
        ),
      ),
    }),
  ],
});

const TARGET: s.Schema = s.named("SearchTarget", {
  anyOf: [s.TEXT, s.objectOf({ column: s.TEXT }, { weight: s.numberOf(...WEIGHT) })],
});

const SETTINGS = {
  fuzziness: s.wholeOf(...FUZZINESS, defaultOf(DEFAULT_FUZZINESS)),
  prefix: s.oneOf(PREFIXES),
  highlight: s.objectOf({}, { enabled: s.FLAG, encodeHTML: s.FLAG }),
  page: s.objectOf(
    {},
    {
      size: s.wholeOf(...PAGE_SIZE, defaultOf(DEFAULT_SIZE)),
      offset: s.wholeOf(...PAGE_OFFSET, defaultOf(0)),
    },
  ),
};

const PARTS = {
  target: { ...s.arrayOf(TARGET), minItems: 1, maxItems: 1000 },
  filter: FILTER,
  boosters: { ...s.arrayOf(BOOSTER), maxItems: MAX_BOOSTERS },
};

export const SEARCH_REQUEST: s.Schema = s.named(
  "SearchRequest",
  s.objectOf({}, { query: s.textOf(0, MAX_QUERY_LENGTH), ...SETTINGS, ...PARTS }),
);

export const BRANCH_SEARCH_REQUEST: s.Schema = s.named(
  "BranchSearchRequest",
  s.objectOf(
    { query: s.textOf(1, MAX_QUERY_LENGTH) },
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
      similarityFunction: s.oneOf(SIMILARITIES),
      size: s.wholeOf(...NEIGHBORS, defaultOf(DEFAULT_NEIGHBORS)),
      filter: FILTER,
    },
  ),
);

const HIGHLIGHT: s.Schema = s.named("Highlight", {
  ...s.dictionaryOf({ anyOf: [s.arrayOf(s.TEXT), s.byProfile(() => HIGHLIGHT)] }),
  description: "Highlighted passages by column.",
});

const FOUND_METADATA = s.named(
  "FoundMetadata",
  s.objectOf({ ...METADATA, table: s.TEXT, score: s.NUMBER }, { highlight: HIGHLIGHT }),
);

export const SEARCH_RESULT: s.Schema = s.named(
  "SearchResult",
  s.objectOf({
    records: s.arrayOf(
      s.named(
        "FoundRecord",
        s.byProfile(({ metadataColumn }) =>
          s.openObject({ id: s.TEXT, [metadataColumn]: FOUND_METADATA }),
        ),
      ),
    ),
    totalCount: s.wholeOf(0),
  }),
);
