import type { AggregateRequest, AnyRecord, QueryRequest, SummarizeRequest } from "../../types.js";
import {
  ANY_OBJECT,
  arrayOf,
  byEngine,
  byProfile,
  choiceOf,
  dictionaryOf,
  FLAG,
  named,
  objectOf,
  oneOf,
  openObject,
  type Schema,
  TEXT,
  TIME,
  WHOLE,
  wholeOf,
} from "../schema.js";

/** Records, queries and aggregates, as requests and answers have them. */

type GivenRecord = Readonly<Record<string, unknown>>;

export const RECORD_METADATA: Schema = named(
  "RecordMetadata",
  objectOf({ version: wholeOf(0), createdAt: TIME, updatedAt: TIME }),
);

export const RECORD: Schema<AnyRecord> = named(
  "Record",
  byProfile(({ metadataColumn }) =>
    openObject({ id: TEXT, [metadataColumn]: RECORD_METADATA }),
  ) as Schema<AnyRecord>, // its columns are the table's
);

export const RECORD_INPUT: Schema<GivenRecord> = named(
  "RecordInput",
  byEngine<GivenRecord>(openObject({}, { id: TEXT })),
);

export const FILTER: Schema = named("Filter", {
  ...ANY_OBJECT,
  description: "Conditions by column or operator, all to hold.",
});

const SORT_KEYS: Schema = named("SortKeys", dictionaryOf(oneOf(["asc", "desc", "random"])));

export const SORT: Schema = named("Sort", {
  anyOf: [SORT_KEYS, arrayOf({ anyOf: [TEXT, SORT_KEYS] })],
});

const REVERSE_LINK: Schema = named(
  "ReverseLinkSelection",
  objectOf(
    { name: { type: "string", description: "<-table.link" } },
    {
      as: TEXT,
      columns: arrayOf(TEXT),
      sort: SORT,
      limit: { ...WHOLE, description: "Default 20." },
      offset: { ...WHOLE, description: "Default 0." },
    },
  ),
);

const COLUMN_SELECTION: Schema = named("ColumnSelection", { anyOf: [TEXT, REVERSE_LINK] });

const CONSISTENCY: Schema = named("Consistency", oneOf(["strong", "eventual"]));

// Defaults are in descriptions: generators take a property that has one for one that is there.
const SIZE: Schema = byProfile(({ maxPageSize }) => wholeOf(1, maxPageSize, "Default 20."));
const OFFSET: Schema = byProfile(({ maxPageOffset }) => wholeOf(0, maxPageOffset, "Default 0."));

export const QUERY_REQUEST: Schema<QueryRequest> = named(
  "QueryRequest",
  byEngine<QueryRequest>(
    objectOf(
      {},
      {
        columns: { ...arrayOf(COLUMN_SELECTION), maxItems: 1000 },
        filter: FILTER,
        sort: SORT,
        page: objectOf(
          {},
          { size: SIZE, offset: OFFSET, after: TEXT, before: TEXT, start: TEXT, end: TEXT },
        ),
        consistency: CONSISTENCY,
      },
    ),
  ),
);

export const PAGE: Schema = objectOf({
  cursor: { type: "string", pattern: "^[A-Za-z0-9_-]+$" },
  more: FLAG,
  size: WHOLE,
});

export const QUERY_RESULT: Schema = named(
  "QueryResult",
  objectOf({ records: arrayOf(RECORD), meta: objectOf({ page: PAGE }) }),
);

export const SUMMARIZE_REQUEST: Schema<SummarizeRequest> = named(
  "SummarizeRequest",
  byEngine<SummarizeRequest>(
    objectOf(
      {},
      {
        columns: arrayOf(TEXT),
        filter: FILTER,
        summaries: dictionaryOf(
          named(
            "Summary",
            choiceOf({ count: TEXT, min: TEXT, max: TEXT, sum: TEXT, average: TEXT }),
          ),
        ),
        summariesFilter: FILTER,
        sort: SORT,
        page: objectOf({}, { size: SIZE }),
        consistency: CONSISTENCY,
      },
    ),
  ),
);

export const SUMMARIZE_RESULT: Schema = named(
  "SummarizeResult",
  objectOf({ summaries: arrayOf(ANY_OBJECT) }),
);

export const AGGREGATE_REQUEST: Schema<AggregateRequest> = named(
  "AggregateRequest",
  byEngine<AggregateRequest>(objectOf({}, { filter: FILTER, aggs: dictionaryOf(ANY_OBJECT) })),
);

const AGGREGATE: Schema = named("Aggregate", {
  anyOf: [
    { type: ["number", "string", "null"] },
    objectOf({
      values: {
        anyOf: [
          arrayOf(openObject({ $key: { type: ["string", "number", "boolean"] }, $count: WHOLE })),
          dictionaryOf({ type: ["number", "null"] }),
        ],
      },
    }),
  ],
});

export const AGGREGATE_RESULT: Schema = named(
  "AggregateResult",
  objectOf({ aggs: dictionaryOf(AGGREGATE) }),
);
