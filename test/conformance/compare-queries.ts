import type { QueryCase } from "../../src/conformance/arbitraries/cases.js";
import {
  evaluateQuery,
  matchingRecords,
  type OraclePage,
  type OracleRequest,
  sameUpToTies,
} from "../../src/conformance/oracle/evaluate.js";
import { requireTable } from "../../src/conformance/oracle/model.js";
import { isRandomSort } from "../../src/conformance/oracle/order.js";
import { projectRecord } from "../../src/conformance/oracle/project.js";
import type { AnyRecord, IndexOption, QueryRequest, QueryResult } from "../../src/index.js";
import {
  ask,
  attempt,
  comparePage,
  fail,
  isLarge,
  type Mirror,
  openMirror,
  same,
  WHOLE,
} from "./mirror.js";

/** Answers every query of a case on both sides. */
export function compareQueries(generated: QueryCase, indexes: IndexOption): void {
  const mirror = openMirror(generated, indexes);
  for (const query of generated.queries) compareQuery(mirror, generated.table, query);
}

/** Compares the answer to one query, its count, all of it as a scan, and a record by its id. */
export function compareQuery(mirror: Mirror, table: string, query: QueryRequest): void {
  const context = { table, query };
  const answer = ask(mirror, table, query, context);
  // The queries of a case have no cursors.
  const request = query as OracleRequest;
  const expected = evaluateQuery(mirror.db, table, request);
  if (isRandomSort(query.sort)) {
    compareRandom(mirror, table, request, answer, expected, context);
  } else {
    comparePage(answer, expected, context);
    const { filter, sort } = request;
    const columns = isLarge(mirror, table) ? [] : request.columns;
    const whole = evaluateQuery(mirror.db, table, { columns, filter, sort, page: { size: WHOLE } });
    const scan = attempt(() => [...mirror.branch.table(table).scan({ columns, filter, sort })]);
    same(scan.value ?? scan.code, whole.records, { ...context, as: "scan" });
  }
  const [first] = requireTable(mirror.db, table).records;
  if (first !== undefined) {
    const { columns } = query;
    const one = attempt(() => mirror.branch.table(table).get(first.id, { columns }));
    const projected = projectRecord(mirror.db, table, columns, first);
    same(one.value ?? one.code, projected, { ...context, as: "get" });
  }
  const count = attempt(() => mirror.branch.table(table).count(query.filter));
  same(count.value ?? count.code, matchingRecords(mirror.db, table, query.filter).length, {
    ...context,
    as: "count",
  });
}

/** S-4: what holds of a random order, on the page asked for and on all pages. */
function compareRandom(
  mirror: Mirror,
  table: string,
  request: OracleRequest,
  answer: QueryResult,
  expected: OraclePage,
  context: object,
): void {
  const { offset = 0 } = request.page ?? {};
  same(answer.meta.page.more, expected.more, { ...context, as: "more" });
  same(answer.records.length, expected.records.length, { ...context, as: "length" });
  const fits = (from: number, records: readonly AnyRecord[]): boolean =>
    sameUpToTies(mirror.db, table, request, from, records);
  if (!fits(offset, answer.records)) fail("a random page does not fit", answer.records, context);
  const { columns, filter, sort } = request;
  const all: AnyRecord[] = [];
  const size = isLarge(mirror, table) ? 200 : 3;
  const start = ask(mirror, table, { columns, filter, sort, page: { size } }, context);
  for (
    let page = start;
    ;
    page = ask(mirror, table, { page: { after: page.meta.page.cursor } }, context)
  ) {
    all.push(...page.records);
    if (!page.meta.page.more) break;
  }
  same(all.length, matchingRecords(mirror.db, table, filter).length, {
    ...context,
    as: "random walk",
  });
  if (!fits(0, all)) fail("a walk in random order does not fit", all, context);
  const again = ask(mirror, table, { page: { start: start.meta.page.cursor, size: 5 } }, context);
  same(again.records, all.slice(0, 5), { ...context, as: "start of a random order" });
}
