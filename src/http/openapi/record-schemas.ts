import type { Profile } from "../../profile.js";
import {
  ANY_OBJECT,
  arrayOf,
  FLAG,
  type JsonSchema,
  objectOf,
  openObject,
  refer,
  TEXT,
  TIME,
  WHOLE,
} from "./schema.js";

/** What records, queries and figures look like, in the names of a profile. */
export function describeRecords(profile: Profile): Readonly<Record<string, JsonSchema>> {
  return { ...recordSchemas(profile), ...querySchemas(profile), ...TRANSACTION_SCHEMAS };
}

function recordSchemas({ metadataColumn }: Profile): Record<string, JsonSchema> {
  return {
    Record: openObject({ id: TEXT, [metadataColumn]: refer("RecordMetadata") }),
    RecordMetadata: objectOf({
      version: { type: "integer", minimum: 0 },
      createdAt: TIME,
      updatedAt: TIME,
    }),
    RecordInput: openObject({ id: TEXT }, []),
    BulkRequest: objectOf({ records: arrayOf(refer("RecordInput")) }),
    BulkResult: {
      oneOf: [
        objectOf({ recordIDs: arrayOf(TEXT) }),
        objectOf({ records: arrayOf(refer("Record")) }),
      ],
    },
  };
}

function querySchemas({ maxPageSize, maxPageOffset }: Profile): Record<string, JsonSchema> {
  // Defaults are told in words: generators take a property that has one for one that is there.
  const size: JsonSchema = {
    type: "integer",
    minimum: 1,
    maximum: maxPageSize,
    description: "Default 20.",
  };
  return {
    Filter: { ...ANY_OBJECT, description: "Conditions by column or operator, all to hold." },
    Sort: {
      anyOf: [refer("SortKeys"), { type: "array", items: { anyOf: [TEXT, refer("SortKeys")] } }],
    },
    SortKeys: {
      type: "object",
      additionalProperties: { type: "string", enum: ["asc", "desc", "random"] },
    },
    ColumnSelection: { anyOf: [TEXT, refer("ReverseLinkSelection")] },
    ReverseLinkSelection: objectOf(
      {
        name: { type: "string", description: "<-table.link" },
        as: TEXT,
        columns: arrayOf(refer("ColumnSelection")),
        sort: refer("Sort"),
        limit: { type: "integer", description: "Default 20." },
        offset: { type: "integer", description: "Default 0." },
      },
      ["name"],
    ),
    QueryRequest: objectOf(
      {
        columns: { ...arrayOf(refer("ColumnSelection")), maxItems: 1000 },
        filter: refer("Filter"),
        sort: refer("Sort"),
        page: objectOf(
          {
            size,
            offset: {
              type: "integer",
              minimum: 0,
              maximum: maxPageOffset,
              description: "Default 0.",
            },
            after: TEXT,
            before: TEXT,
            start: TEXT,
            end: TEXT,
          },
          [],
        ),
        consistency: refer("Consistency"),
      },
      [],
    ),
    Consistency: { type: "string", enum: ["strong", "eventual"] },
    QueryResult: objectOf({
      records: arrayOf(refer("Record")),
      meta: objectOf({
        page: objectOf({
          cursor: { type: "string", pattern: "^[A-Za-z0-9_-]+$" },
          more: FLAG,
          size: WHOLE,
        }),
      }),
    }),
    SummarizeRequest: objectOf(
      {
        columns: arrayOf(TEXT),
        filter: refer("Filter"),
        summaries: { type: "object", additionalProperties: refer("Summary") },
        summariesFilter: refer("Filter"),
        sort: refer("Sort"),
        page: objectOf({ size }, []),
        consistency: refer("Consistency"),
      },
      [],
    ),
    Summary: {
      ...objectOf({ count: TEXT, min: TEXT, max: TEXT, sum: TEXT, average: TEXT }, []),
      minProperties: 1,
      maxProperties: 1,
    },
    SummarizeResult: objectOf({ summaries: arrayOf(ANY_OBJECT) }),
    AggregateRequest: objectOf(
      {
        filter: refer("Filter"),
        aggs: { type: "object", additionalProperties: ANY_OBJECT },
      },
      [],
    ),
    AggregateResult: objectOf({
      aggs: { type: "object", additionalProperties: refer("Aggregate") },
    }),
    Aggregate: {
      anyOf: [
        { type: ["number", "string", "null"] },
        objectOf({
          values: {
            anyOf: [
              arrayOf(
                openObject({ $key: { type: ["string", "number", "boolean"] }, $count: WHOLE }),
              ),
              { type: "object", additionalProperties: { type: ["number", "null"] } },
            ],
          },
        }),
      ],
    },
  };
}

const TRANSACTION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  TransactionRequest: objectOf({
    operations: { ...arrayOf(refer("Operation")), maxItems: 1000 },
  }),
  Operation: {
    ...objectOf(
      {
        insert: objectOf(
          {
            table: TEXT,
            record: refer("RecordInput"),
            ifVersion: WHOLE,
            createOnly: FLAG,
            columns: arrayOf(TEXT),
          },
          ["table", "record"],
        ),
        update: objectOf(
          {
            table: TEXT,
            id: TEXT,
            fields: refer("RecordInput"),
            ifVersion: WHOLE,
            upsert: FLAG,
            columns: arrayOf(TEXT),
          },
          ["table", "id", "fields"],
        ),
        delete: objectOf({ table: TEXT, id: TEXT, failIfMissing: FLAG, columns: arrayOf(TEXT) }, [
          "table",
          "id",
        ]),
        get: objectOf({ table: TEXT, id: TEXT, columns: arrayOf(TEXT) }, ["table", "id"]),
      },
      [],
    ),
    minProperties: 1,
    maxProperties: 1,
  },
  TransactionResult: objectOf({ results: arrayOf(refer("OperationResult")) }),
  OperationResult: {
    oneOf: [
      objectOf(
        {
          operation: { type: "string", enum: ["insert", "update"] },
          id: TEXT,
          rows: { const: 1 },
          columns: ANY_OBJECT,
        },
        ["operation", "id", "rows"],
      ),
      objectOf(
        {
          operation: { const: "delete" },
          rows: { type: "integer", minimum: 0, maximum: 1 },
          columns: ANY_OBJECT,
        },
        ["operation", "rows"],
      ),
      objectOf({ operation: { const: "get" }, columns: ANY_OBJECT }),
    ],
  },
};
