import type { Profile } from "../../profile.js";
import { addMetadata, isFlat } from "../../schema/record-names.js";
import * as s from "../../shape/schema.js";
import type {
  AggregateRequest,
  AggregationExpression,
  AnyRecord,
  ColumnSelection,
  QueryRequest,
  Sort,
  SummarizeRequest,
} from "../../types.js";

type GivenRecord = Readonly<Record<string, unknown>>;

export const METADATA: Readonly<Record<"version" | "createdAt" | "updatedAt", s.Schema>> = {
  version: s.wholeOf(0),
  createdAt: s.TIME,
  updatedAt: s.TIME,
};

/** The id and the metadata of a record, which are members of an object or columns. */
export function recordMembers(
  profile: Profile,
  metadata: Readonly<Record<string, s.Schema>>,
  object: s.Schema,
): Record<string, s.Schema> {
  const members: Record<string, s.Schema> = { [profile.idColumn]: s.TEXT };
  if (!isFlat(profile)) return { ...members, [profile.metadataColumn]: object };
  addMetadata(members, profile, metadata);
  return members;
}

const RECORD_METADATA: s.Schema = s.named("RecordMetadata", s.objectOf(METADATA));

export const RECORD: s.Schema<AnyRecord> = s.named(
  "Record",
  s.byProfile((profile) =>
    s.openObject(recordMembers(profile, METADATA, RECORD_METADATA)),
  ) as s.Schema<AnyRecord>, // columns depend on the table
);

export const RECORD_INPUT: s.Schema<GivenRecord> = s.named(
  "RecordInput",
  s.described(
    s.byProfile((profile) =>
      s.openObject({}, { [profile.idColumn]: s.TEXT }),
    ) as s.Schema<GivenRecord>,
  ),
);

const SORT_KEYS = s.named("SortKeys", s.dictionaryOf(s.oneOf(["asc", "desc", "random"])));

const SORT: s.Schema<Sort> = s.named("Sort", {
  anyOf: [SORT_KEYS, s.arrayOf({ anyOf: [s.TEXT, SORT_KEYS] })],
});

const REVERSE_LINK = s.named(
  "ReverseLinkSelection",
  s.objectOf(
    { name: { ...s.TEXT, description: "<-table.link" } },
    {
      as: s.TEXT,
      columns: s.arrayOf(s.TEXT),
      sort: SORT,
      order: s.arrayOf(s.objectOf({ column: s.TEXT }, { order: s.oneOf(["asc", "desc"]) })),
      limit: { ...s.INTEGER, description: "Default 20." },
      offset: { ...s.INTEGER, description: "Default 0." },
    },
  ),
);

const COLUMN_SELECTION: s.Schema<ColumnSelection> = s.named("ColumnSelection", {
  anyOf: [s.TEXT, REVERSE_LINK],
});

const CONSISTENCY = s.named("Consistency", s.oneOf(["strong", "eventual"]));

// Defaults are in descriptions only: code generators treat properties with a default as required.
const SIZE = s.byProfile(({ maxPageSize }) => s.wholeOf(1, maxPageSize, "Default 20."));
const OFFSET = s.byProfile(({ maxPageOffset }) => s.wholeOf(0, maxPageOffset, "Default 0."));

export const QUERY_REQUEST: s.Schema<QueryRequest> = s.named(
  "QueryRequest",
  s.described(
    s.objectOf(
      {},
      {
        columns: { ...s.arrayOf(COLUMN_SELECTION), maxItems: 1000 },
        filter: s.FILTER,
        sort: SORT,
        page: s.objectOf(
          {},
          { size: SIZE, offset: OFFSET, after: s.TEXT, before: s.TEXT, start: s.TEXT, end: s.TEXT },
        ),
        consistency: CONSISTENCY,
      },
    ),
  ),
);

const PAGE: s.Schema = s.objectOf({
  cursor: { type: "string", pattern: "^[A-Za-z0-9_-]+$" },
  more: s.FLAG,
  size: s.INTEGER,
});

export const QUERY_RESULT: s.Schema = s.named(
  "QueryResult",
  s.objectOf({ records: s.arrayOf(RECORD), meta: s.objectOf({ page: PAGE }) }),
);

export const SUMMARIZE_REQUEST: s.Schema<SummarizeRequest> = s.named(
  "SummarizeRequest",
  s.described(
    s.objectOf(
      {},
      {
        columns: s.arrayOf(s.TEXT),
        filter: s.FILTER,
        summaries: s.dictionaryOf(
          s.named(
            "Summary",
            s.choiceOf({ count: s.TEXT, min: s.TEXT, max: s.TEXT, sum: s.TEXT, average: s.TEXT }),
          ),
        ),
        summariesFilter: s.FILTER,
        sort: SORT,
        page: s.objectOf({}, { size: SIZE }),
        consistency: CONSISTENCY,
      },
    ),
  ),
);

export const SUMMARIZE_RESULT: s.Schema = s.named(
  "SummarizeResult",
  s.objectOf({ summaries: s.arrayOf(s.ANY_OBJECT) }),
);

export const AGGREGATE_REQUEST: s.Schema<AggregateRequest> = s.named(
  "AggregateRequest",
  s.described(
    s.objectOf(
      {},
      { filter: s.FILTER, aggs: s.dictionaryOf(s.anyObject<AggregationExpression>()) },
    ),
  ),
);

const AGGREGATE: s.Schema = s.named("Aggregate", {
  anyOf: [
    { type: ["number", "string", "null"] },
    s.objectOf({
      values: {
        anyOf: [
          s.arrayOf(
            s.openObject({
              $key: { type: ["string", "number", "boolean"] },
              $count: s.INTEGER,
            }),
          ),
          s.dictionaryOf({ type: ["number", "null"] }),
        ],
      },
    }),
  ],
});

export const AGGREGATE_RESULT: s.Schema = s.named(
  "AggregateResult",
  s.objectOf({ aggs: s.dictionaryOf(AGGREGATE) }),
);
