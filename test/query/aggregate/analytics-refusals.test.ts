import { describe, it } from "vitest";
import { defineColumns } from "../../columns.js";
import { openBranch } from "../../rules/fixture.js";
import { expectMessage, readCases } from "../refused.js";

const table = openBranch().createTable("users", [
  ...defineColumns({ s: "string", i: "int", d: "datetime", m: "multiple", o: { x: "int" } }),
  { name: "v", type: "vector", vector: { dimension: 2 } },
  // As callers without a type checker may call them.
]) as unknown as Record<"summarize" | "aggregate", (request: unknown) => unknown>;

/** One case of each message; vectors hold code, rule and path of the others. */
describe("X-6: errors name the member, the expected and the found value", () => {
  it.each(
    readCases(`
    { "columns": ["v"] }
      invalid_request X-6 /columns: column [v]: expected id, bool, int, float, string, text, email, datetime, multiple, link, json, found vector
    { "summaries": { "n": { "median": "i" } } }
      invalid_request X-6 /summaries/n: expected one of count, min, max, sum, average, found "median"
    { "summaries": { "n": { "min": "i", "max": "i" } } }
      invalid_request X-6 /summaries/n: expected one of count, min, max, sum, average, found "min", "max"
    { "summaries": { "n": { "sum": "s" } } }
      invalid_request X-6 /summaries/n/sum: column [s]: expected int, float, found string
    { "summaries": { "n": { "min": "m" } } }
      invalid_request X-6 /summaries/n/min: column [m]: expected id, int, float, string, text, email, datetime, found multiple
    { "summaries": { "n": { "count": "o" } } }
      invalid_request X-6 /summaries/n/count: column [o]: expected a column with values, found an object
    { "summaries": { "n": { "count": 5 } } }
      invalid_request X-6 /summaries/n/count: expected a column path, found 5
    { "summaries": { "service": { "count": "*" } } }
      invalid_request X-6 /summaries/service: summaries: "service" is the name of a column
    { "summaries": { "$n": { "count": "*" } } }
      invalid_request X-6 /summaries/$n: summaries: "$n" cannot name a summary
    { "columns": ["i"], "sort": { "s": "asc" } }
      unknown_column P-9 /sort/s: column [s] does not exist; there is i
    `),
  )("summarize: %s", (request, refusal) => {
    expectMessage(() => table.summarize(JSON.parse(request)), refusal);
  });

  it.each(
    readCases(`
    { "aggs": { "n": {} } }
      invalid_request X-6 /aggs/n: expected one of count, sum, average, min, max, uniqueCount, percentiles, topValues, numericHistogram, dateHistogram, found nothing
    { "aggs": { "n": { "summ": {} } } }
      invalid_request X-6 /aggs/n: expected one of count, sum, average, min, max, uniqueCount, percentiles, topValues, numericHistogram, dateHistogram, found "summ"; did you mean sum?
    { "aggs": { "$n": { "count": "*" } } }
      invalid_request X-6 /aggs/$n: aggs: "$n" cannot name an aggregation
    { "aggs": { "n": { "sum": {} } } }
      invalid_request X-6 /aggs/n/sum/column: expected a column path, found nothing
    { "aggs": { "n": { "uniqueCount": { "column": "i", "precisionThreshold": 1.5 } } } }
      invalid_request X-6 /aggs/n/uniqueCount/precisionThreshold: precisionThreshold: expected a whole number from 0 up, found 1.5
    { "aggs": { "n": { "percentiles": { "column": "i" } } } }
      invalid_request X-6 /aggs/n/percentiles/percentiles: percentiles: expected an array of at most 1000 numbers, found nothing
    { "aggs": { "n": { "percentiles": { "column": "i", "percentiles": [50, 101] } } } }
      invalid_request X-6 /aggs/n/percentiles/percentiles/1: percentiles/1: expected a number from 0 to 100, found 101
    { "aggs": { "n": { "topValues": { "column": "s", "size": 1001 } } } }
      invalid_request X-6 /aggs/n/topValues/size: size: expected a whole number from 1 to 1000, found 1001
    { "aggs": { "n": { "topValues": { "column": "d" } } } }
      invalid_request X-6 /aggs/n/topValues/column: column [d]: expected id, bool, int, float, string, text, email, link, found datetime
    { "aggs": { "n": { "numericHistogram": { "column": "i", "interval": 0 } } } }
      invalid_request X-6 /aggs/n/numericHistogram/interval: interval: expected a number above 0, found 0
    { "aggs": { "n": { "numericHistogram": { "column": "i", "interval": 1, "offset": "1" } } } }
      invalid_request X-6 /aggs/n/numericHistogram/offset: offset: expected a number, found "1"
    { "aggs": { "n": { "dateHistogram": { "column": "i", "interval": "1d" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/column: column [i]: expected datetime, found int
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "5" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/interval: interval: expected a number and one of d, h, m, s, ms, such as 5d, found "5"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "1d", "calendarInterval": "day" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/calendarInterval: calendarInterval: expected it without interval, found "day"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "calendarInterval": "moon" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/calendarInterval: calendarInterval: expected one of minute, hour, day, week, month, quarter, year, found "moon"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "1d", "timezone": "CET" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/timezone: timezone: expected an offset such as +01:00, found "CET"
    `),
  )("aggregate: %s", (request, refusal) => {
    expectMessage(() => table.aggregate(JSON.parse(request)), refusal);
  });

  it("L-4: summarize takes at most 1,000 columns", () => {
    const refusal = "invalid_request L-4 /columns: columns: at most 1000 entries, found 1001";
    expectMessage(() => table.summarize({ columns: Array(1001).fill("s") }), refusal);
  });
});
