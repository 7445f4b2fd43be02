import type { Profile } from "../../profile.js";
import {
  arrayOf,
  FLAG,
  type JsonSchema,
  objectOf,
  openObject,
  refer,
  TEXT,
  TIME,
} from "./schema.js";

const NUMBER: JsonSchema = { type: "number" };

/** What searches are asked, and what they answer, in the names of a profile. */
export function describeSearches({
  metadataColumn,
}: Profile): Readonly<Record<string, JsonSchema>> {
  return {
    ...REQUESTS,
    FoundRecord: openObject({ id: TEXT, [metadataColumn]: refer("FoundMetadata") }),
  };
}

const SETTINGS: Readonly<Record<string, JsonSchema>> = {
  query: { type: "string", maxLength: 2048 },
  fuzziness: { type: "integer", minimum: 0, maximum: 2, description: "Default 1." },
  prefix: { type: "string", enum: ["phrase", "disabled"] },
  highlight: objectOf({ enabled: FLAG, encodeHTML: FLAG }, []),
  page: objectOf(
    {
      size: { type: "integer", minimum: 1, maximum: 200, description: "Default 25." },
      offset: { type: "integer", minimum: 0, maximum: 800, description: "Default 0." },
    },
    [],
  ),
};

const PARTS: Readonly<Record<string, JsonSchema>> = {
  target: { ...arrayOf(refer("SearchTarget")), minItems: 1, maxItems: 1000 },
  filter: refer("Filter"),
  boosters: { ...arrayOf(refer("Booster")), maxItems: 100 },
};

const REQUESTS: Readonly<Record<string, JsonSchema>> = {
  SearchRequest: objectOf({ ...SETTINGS, ...PARTS }, []),
  BranchSearchRequest: objectOf(
    {
      ...SETTINGS,
      query: { type: "string", minLength: 1, maxLength: 2048 },
      tables: {
        ...arrayOf({ anyOf: [TEXT, objectOf({ table: TEXT, ...PARTS }, ["table"])] }),
        minItems: 1,
      },
    },
    ["query"],
  ),
  VectorSearchRequest: objectOf(
    {
      column: TEXT,
      queryVector: arrayOf(NUMBER),
      similarityFunction: { type: "string", enum: ["cosineSimilarity", "l1", "l2"] },
      size: { type: "integer", minimum: 1, maximum: 1000, description: "Default 10." },
      filter: refer("Filter"),
    },
    ["column", "queryVector"],
  ),
  SearchTarget: {
    anyOf: [
      TEXT,
      objectOf({ column: TEXT, weight: { type: "number", minimum: 1, maximum: 10 } }, ["column"]),
    ],
  },
  Booster: {
    oneOf: [
      objectOf({ valueBooster: refer("ValueBooster") }),
      objectOf({ numericBooster: refer("NumericBooster") }),
      objectOf({ dateBooster: refer("DateBooster") }),
    ],
  },
  ValueBooster: objectOf(
    {
      column: TEXT,
      value: { type: ["string", "number", "boolean"] },
      factor: NUMBER,
      ifMatchesFilter: refer("Filter"),
    },
    ["column", "value", "factor"],
  ),
  NumericBooster: objectOf(
    {
      column: TEXT,
      factor: NUMBER,
      modifier: {
        type: "string",
        enum: ["none", "log", "log1p", "ln", "ln1p", "square", "sqrt", "reciprocal"],
      },
      ifMatchesFilter: refer("Filter"),
    },
    ["column", "factor"],
  ),
  DateBooster: objectOf(
    {
      column: TEXT,
      origin: TIME,
      scale: { type: "string", pattern: "^(\\d+)(d|h|m|s|ms)$" },
      decay: NUMBER,
      factor: { type: "number", minimum: 0, description: "Default 1." },
      ifMatchesFilter: refer("Filter"),
    },
    ["column", "scale", "decay"],
  ),
  SearchResult: objectOf({
    records: arrayOf(refer("FoundRecord")),
    totalCount: { type: "integer", minimum: 0 },
  }),
  FoundMetadata: objectOf(
    {
      version: { type: "integer", minimum: 0 },
      createdAt: TIME,
      updatedAt: TIME,
      table: TEXT,
      score: NUMBER,
      highlight: refer("Highlight"),
    },
    ["version", "createdAt", "updatedAt", "table", "score"],
  ),
  Highlight: {
    type: "object",
    description: "Passages by column, those of sub-columns nested.",
    additionalProperties: { anyOf: [arrayOf(TEXT), refer("Highlight")] },
  },
};
