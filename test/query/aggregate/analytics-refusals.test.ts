import { describe, it } from "vitest";
import { openBranch } from "../../rules/fixture.js";
import { expectRefusal, readCases } from "../refused.js";

const table = openBranch().createTable("users", [
  { name: "name", type: "string" },
  { name: "s", type: "string" },
  { name: "i", type: "int" },
  { name: "d", type: "datetime" },
  { name: "j", type: "json" },
  { name: "m", type: "multiple" },
  { name: "v", type: "vector", vector: { dimension: 2 } },
  { name: "o", type: "object", columns: [{ name: "x", type: "int" }] },
  // As callers without a type checker may call them.
]) as unknown as Record<"summarize" | "aggregate", (request: unknown) => unknown>;

describe("X-6: errors name the member, the expected and the found value", () => {
  it.each(
    readCases(`
    5
      invalid_request E-3: expected an object, found 5
    { "colums": [] }
      invalid_request E-3 /colums: unknown key "colums"; did you mean columns?
    { "consistency": "weak" }
      invalid_request E-3 /consistency: consistency: expected strong or eventual, found "weak"
    { "page": 5 }
      invalid_page G-1 /page: expected an object, found 5
    { "page": { "size": 0 } }
      invalid_page G-1 /page/size: page size: expected a whole number from 1 up, found 0
    { "page": { "after": "x" } }
      invalid_request E-3 /page/after: unknown key "after"
    { "page": { "size": 201 } }
      invalid_page G-1 /page/size: page size exceeds max limit of 200
    { "columns": "i" }
      invalid_request P-2 /columns: columns: expected an array, found "i"
    { "columns": [5] }
      invalid_request P-2 /columns/0: columns: expected a column path, found 5
    { "columns": ["nope"] }
      unknown_column P-9 /columns/0: column [nope] does not exist
    { "columns": ["v"] }
      invalid_request X-6 /columns: column [v]: expected id, bool, int, float, string, text, email, datetime, multiple, link, json, found vector
    { "columns": ["s.*"] }
      unknown_column P-9 /columns/0: column [s.*] does not exist
    { "columns": ["j->a"] }
      unknown_column P-9 /columns/0: column [j->a] does not exist
    { "filter": 5 }
      invalid_filter F-1 /filter: expected a filter object, found 5
    { "summaries": 5 }
      invalid_request X-6 /summaries: expected an object, found 5
    { "summaries": { "n": 5 } }
      invalid_request X-6 /summaries/n: expected one of count, min, max, sum, average, found 5
    { "summaries": { "n": { "median": "i" } } }
      invalid_request X-6 /summaries/n: expected one of count, min, max, sum, average, found "median"
    { "summaries": { "n": {} } }
      invalid_request X-6 /summaries/n: expected one of count, min, max, sum, average, found an object
    { "summaries": { "n": { "min": "i", "max": "i" } } }
      invalid_request X-6 /summaries/n: expected one of count, min, max, sum, average, found "min"
    { "summaries": { "n": { "sum": "s" } } }
      invalid_request X-6 /summaries/n/sum: column [s]: expected int, float, found string
    { "summaries": { "n": { "min": "m" } } }
      invalid_request X-6 /summaries/n/min: column [m]: expected id, int, float, string, text, email, datetime, found multiple
    { "summaries": { "n": { "average": "d" } } }
      invalid_request X-6 /summaries/n/average: column [d]: expected int, float, found datetime
    { "summaries": { "n": { "count": "o" } } }
      invalid_request X-6 /summaries/n/count: column [o]: expected one that holds values, found an object
    { "summaries": { "n": { "count": 5 } } }
      invalid_request X-6 /summaries/n/count: expected a column path, found 5
    { "summaries": { "n": { "count": "nope" } } }
      unknown_column P-9 /summaries/n/count: column [nope] does not exist
    { "summaries": { "n": { "sum": "j->a" } } }
      unknown_column P-9 /summaries/n/sum: column [j->a] does not exist
    { "columns": ["i"], "summaries": { "i": { "count": "*" } } }
      invalid_request X-6 /summaries/i: summaries: "i" is the name of a column
    { "columns": ["name"], "summaries": { "name": { "count": "*" } } }
      invalid_request X-6 /summaries/name: summaries: "name" is the name of a column
    { "summaries": { "id": { "count": "*" } } }
      invalid_request X-6 /summaries/id: summaries: "id" is the name of a column
    { "summaries": { "service": { "count": "*" } } }
      invalid_request X-6 /summaries/service: summaries: "service" is the name of a column
    { "summaries": { "$n": { "count": "*" } } }
      invalid_request X-6 /summaries/$n: summaries: "$n" cannot name a summary
    { "columns": ["o.x"], "summaries": { "o": { "count": "*" } } }
      invalid_request X-6 /summaries/o: summaries: "o" is the name of a column
    { "columns": ["i"], "sort": { "s": "asc" } }
      unknown_column P-9 /sort/s: column [s] does not exist; there is i
    { "columns": ["i"], "sort": { "id": "asc" } }
      unknown_column P-9 /sort/id: column [id] does not exist; did you mean i?
    { "summariesFilter": { "i": 1 } }
      unknown_column P-9 /summariesFilter/i: column [i] does not exist
    { "columns": ["m"], "sort": { "m": "asc" } }
      invalid_sort S-2 /sort/m: sort [m]: a column of type multiple has no order
    `),
  )("summarize: %s", (request, refusal) => {
    expectRefusal(() => table.summarize(JSON.parse(request)), refusal);
  });

  it.each(
    readCases(`
    5
      invalid_request E-3: expected an object, found 5
    { "agg": {} }
      invalid_request E-3 /agg: unknown key "agg"; did you mean aggs?
    { "filter": 5 }
      invalid_filter F-1 /filter: expected a filter object, found 5
    { "aggs": 5 }
      invalid_request X-6 /aggs: expected an object, found 5
    { "aggs": { "n": 5 } }
      invalid_request X-6 /aggs/n: expected an object, found 5
    { "aggs": { "n": {} } }
      invalid_request X-6 /aggs/n: expected one of count, sum, average, min, max, uniqueCount, percentiles, topValues, numericHistogram, dateHistogram, found nothing
    { "aggs": { "n": { "median": {} } } }
      invalid_request X-6 /aggs/n: expected one of count, sum, average, min, max, uniqueCount, percentiles, topValues, numericHistogram, dateHistogram, found "median"
    { "aggs": { "n": { "summ": {} } } }
      invalid_request X-6 /aggs/n: expected one of count, sum, average, min, max, uniqueCount, percentiles, topValues, numericHistogram, dateHistogram, found "summ"; did you mean sum?
    { "aggs": { "n": { "sum": { "column": "i" }, "max": { "column": "i" } } } }
      invalid_request X-6 /aggs/n: expected one of count, sum, average, min, max, uniqueCount, percentiles, topValues, numericHistogram, dateHistogram, found "sum"
    { "aggs": { "$n": { "count": "*" } } }
      invalid_request X-6 /aggs/$n: aggs: "$n" cannot name an aggregation
    { "aggs": { "n": { "count": 5 } } }
      invalid_request X-6 /aggs/n/count: expected an object, found 5
    { "aggs": { "n": { "sum": "*" } } }
      invalid_request X-6 /aggs/n/sum: expected an object, found "*"
    { "aggs": { "n": { "count": { "filtr": {} } } } }
      invalid_request E-3 /aggs/n/count/filtr: unknown key "filtr"; did you mean filter?
    { "aggs": { "n": { "count": { "filter": { "i": "x" } } } } }
      invalid_filter F-16 /aggs/n/count/filter/i: column [i]: expected int (a whole number within ±(2^53 − 1)), found "x"
    { "aggs": { "n": { "sum": { "column": "s" } } } }
      invalid_request X-6 /aggs/n/sum/column: column [s]: expected int, float, found string
    { "aggs": { "n": { "sum": {} } } }
      invalid_request X-6 /aggs/n/sum/column: expected a column path, found nothing
    { "aggs": { "n": { "average": { "column": "nope" } } } }
      unknown_column P-9 /aggs/n/average/column: column [nope] does not exist
    { "aggs": { "n": { "min": { "column": "d" } } } }
      invalid_request X-6 /aggs/n/min/column: column [d]: expected int, float, found datetime
    { "aggs": { "n": { "max": { "column": "o" } } } }
      invalid_request X-6 /aggs/n/max/column: column [o]: expected one that holds values, found an object
    { "aggs": { "n": { "sum": { "column": "i", "size": 1 } } } }
      invalid_request E-3 /aggs/n/sum/size: unknown key "size"
    { "aggs": { "n": { "uniqueCount": { "column": "v" } } } }
      invalid_request X-6 /aggs/n/uniqueCount/column: column [v]: expected id, bool, int, float, string, text, email, datetime, multiple, link, json, found vector
    { "aggs": { "n": { "uniqueCount": { "column": "i", "precisionThreshold": 1.5 } } } }
      invalid_request X-6 /aggs/n/uniqueCount/precisionThreshold: precisionThreshold: expected a whole number from 0 up, found 1.5
    { "aggs": { "n": { "percentiles": { "column": "i" } } } }
      invalid_request X-6 /aggs/n/percentiles/percentiles: percentiles: expected an array of at most 1000 numbers, found nothing
    { "aggs": { "n": { "percentiles": { "column": "i", "percentiles": [50, 101] } } } }
      invalid_request X-6 /aggs/n/percentiles/percentiles/1: percentiles/1: expected a number from 0 to 100, found 101
    { "aggs": { "n": { "percentiles": { "column": "i", "percentiles": [-1] } } } }
      invalid_request X-6 /aggs/n/percentiles/percentiles/0: percentiles/0: expected a number from 0 to 100, found -1
    { "aggs": { "n": { "percentiles": { "column": "i", "percentiles": ["5"] } } } }
      invalid_request X-6 /aggs/n/percentiles/percentiles/0: percentiles/0: expected a number from 0 to 100, found "5"
    { "aggs": { "n": { "percentiles": { "column": "s", "percentiles": [5] } } } }
      invalid_request X-6 /aggs/n/percentiles/column: column [s]: expected int, float, found string
    { "aggs": { "n": { "percentiles": { "column": "i", "percentiles": [5], "x": 1 } } } }
      invalid_request E-3 /aggs/n/percentiles/x: unknown key "x"
    { "aggs": { "n": { "topValues": { "column": "s", "size": 0 } } } }
      invalid_request X-6 /aggs/n/topValues/size: size: expected a whole number from 1 to 1000, found 0
    { "aggs": { "n": { "topValues": { "column": "s", "size": 1001 } } } }
      invalid_request X-6 /aggs/n/topValues/size: size: expected a whole number from 1 to 1000, found 1001
    { "aggs": { "n": { "topValues": { "column": "s", "size": 1.5 } } } }
      invalid_request X-6 /aggs/n/topValues/size: size: expected a whole number from 1 to 1000, found 1.5
    { "aggs": { "n": { "topValues": { "column": "d" } } } }
      invalid_request X-6 /aggs/n/topValues/column: column [d]: expected id, bool, int, float, string, text, email, link, found datetime
    { "aggs": { "n": { "topValues": { "column": "s", "top": 1 } } } }
      invalid_request E-3 /aggs/n/topValues/top: unknown key "top"
    { "aggs": { "n": { "topValues": { "column": "s", "aggs": { "a": { "sum": { "column": "s" } } } } } } }
      invalid_request X-6 /aggs/n/topValues/aggs/a/sum/column: column [s]: expected int, float, found string
    { "aggs": { "n": { "numericHistogram": { "column": "s", "interval": 1 } } } }
      invalid_request X-6 /aggs/n/numericHistogram/column: column [s]: expected int, float, found string
    { "aggs": { "n": { "numericHistogram": { "column": "i", "interval": 0 } } } }
      invalid_request X-6 /aggs/n/numericHistogram/interval: interval: expected a number above 0, found 0
    { "aggs": { "n": { "numericHistogram": { "column": "i" } } } }
      invalid_request X-6 /aggs/n/numericHistogram/interval: interval: expected a number above 0, found nothing
    { "aggs": { "n": { "numericHistogram": { "column": "i", "interval": 1, "offset": "1" } } } }
      invalid_request X-6 /aggs/n/numericHistogram/offset: offset: expected a number, found "1"
    { "aggs": { "n": { "numericHistogram": { "column": "i", "interval": 1, "x": 1 } } } }
      invalid_request E-3 /aggs/n/numericHistogram/x: unknown key "x"
    { "aggs": { "n": { "dateHistogram": { "column": "i", "interval": "1d" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/column: column [i]: expected datetime, found int
    { "aggs": { "n": { "dateHistogram": { "column": "d" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/interval: interval: expected a number and one of d, h, m, s, ms, such as 5d, found nothing
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "5" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/interval: interval: expected a number and one of d, h, m, s, ms, such as 5d, found "5"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "0d" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/interval: interval: expected a number and one of d, h, m, s, ms, such as 5d, found "0d"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": 5 } } } }
      invalid_request X-6 /aggs/n/dateHistogram/interval: interval: expected a number and one of d, h, m, s, ms, such as 5d, found 5
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "1d", "calendarInterval": "day" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/calendarInterval: calendarInterval: expected it without interval, found "day"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "calendarInterval": "moon" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/calendarInterval: calendarInterval: expected one of minute, hour, day, week, month, quarter, year, found "moon"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "1d", "timezone": "CET" } } } }
      invalid_request X-6 /aggs/n/dateHistogram/timezone: timezone: expected an offset such as +01:00, found "CET"
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "1d", "timezone": 5 } } } }
      invalid_request X-6 /aggs/n/dateHistogram/timezone: timezone: expected an offset such as +01:00, found 5
    { "aggs": { "n": { "dateHistogram": { "column": "d", "interval": "1d", "x": 5 } } } }
      invalid_request E-3 /aggs/n/dateHistogram/x: unknown key "x"
    `),
  )("aggregate: %s", (request, refusal) => {
    expectRefusal(() => table.aggregate(JSON.parse(request)), refusal);
  });

  it("summarize: too many columns", () => {
    const columns = Array.from({ length: 1001 }, () => "s");
    expectRefusal(
      () => table.summarize({ columns }),
      "invalid_request L-4 /columns: columns: at most 1000 entries, found 1001",
    );
  });
});
