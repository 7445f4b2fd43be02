import type { WalkCase } from "../../src/conformance/arbitraries/cases.js";
import { CLOCK_TICK } from "../../src/conformance/arbitraries/domains.js";
import { boundsOf, type PageStep, type WalkStep } from "../../src/conformance/arbitraries/walk.js";
import {
  evaluateQuery,
  type OraclePage,
  type OraclePageRequest,
  type PageToken,
} from "../../src/conformance/oracle/evaluate.js";
import type { IndexOption, PageRequest, QueryRequest } from "../../src/index.js";
import {
  ask,
  attempt,
  comparePage,
  type Mirror,
  openMirror,
  same,
  WHOLE,
  writeBoth,
} from "./mirror.js";

/** A page as both gave it. */
interface Bookmark {
  readonly cursor: string;
  readonly token: PageToken;
}

/** Walks through the pages of a case's query on both sides, with its writes in between. */
export function compareWalk(generated: WalkCase, indexes: IndexOption): void {
  compareSteps(openMirror(generated, indexes), generated);
}

/** The same with a mirror that is open. */
export function compareSteps(
  mirror: Mirror,
  walk: Pick<WalkCase, "table" | "query" | "steps">,
): void {
  const { table, query, steps } = walk;
  const bookmarks: Bookmark[] = [];
  const visit = (step: WalkStep): void => {
    if (step.kind === "write") {
      mirror.time += CLOCK_TICK * step.ticks;
      writeBoth(mirror, step.write);
    } else if (step.kind === "all") {
      walkAll(mirror, table, query, step);
    } else {
      const bookmark = turnPage(mirror, table, query, step, bookmarks);
      if (bookmark !== undefined) bookmarks.push(bookmark);
    }
  };
  visit({ kind: "query" });
  for (const step of steps) visit(step);
}

/** One page of a walk; nothing where both refuse it. */
function turnPage(
  mirror: Mirror,
  table: string,
  query: QueryRequest,
  step: Exclude<WalkStep, { kind: "all" | "write" }>,
  bookmarks: readonly Bookmark[],
): Bookmark | undefined {
  const back = (count: number): Bookmark | undefined =>
    bookmarks.at(-1 - (count % Math.max(1, bookmarks.length)));
  const of = "of" in step ? back(step.of) : undefined;
  const until = "until" in step ? back(step.until) : undefined;
  const keys = keysOf(step.kind, of, until);
  const fresh = of === undefined;
  const size = step.size ?? (fresh ? query.page?.size : undefined);
  const offset = step.offset ?? (fresh ? query.page?.offset : undefined);
  const rest = {
    columns: step.columns ?? (fresh ? query.columns : undefined),
    ...(fresh && { filter: query.filter, sort: query.sort }),
  };
  const context = { table, query, step };
  let expected: OraclePage;
  try {
    expected = evaluateQuery(mirror.db, table, { ...rest, page: { ...keys.oracle, size, offset } });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const refused = attempt(() =>
      mirror.branch.table(table).query({ ...rest, page: { ...keys.engine, size, offset } }),
    );
    same(refused.code, "invalid_page", { ...context, as: "G-9" });
    return undefined;
  }
  const answer = ask(mirror, table, { ...rest, page: { ...keys.engine, size, offset } }, context);
  comparePage(answer, expected, context);
  return { cursor: answer.meta.page.cursor, token: expected.token };
}

function keysOf(
  kind: PageStep["kind"],
  of: Bookmark | undefined,
  until: Bookmark | undefined,
): { engine: PageRequest; oracle: OraclePageRequest } {
  const oracle = boundsOf(kind, [of, until], "token") as OraclePageRequest; // `start` has a token
  return { engine: boundsOf(kind, [of, until], "cursor"), oracle };
}

/** G-5: the pages of a walk in one direction, joined, are the whole. */
function walkAll(
  mirror: Mirror,
  table: string,
  query: QueryRequest,
  walk: Extract<WalkStep, { kind: "all" }>,
): void {
  const { columns, filter, sort } = query;
  const whole = evaluateQuery(mirror.db, table, {
    columns: [],
    filter,
    sort,
    page: { size: WHOLE },
  });
  const joined: string[] = [];
  let at: Bookmark | undefined;
  for (let i = 0; ; i++) {
    const size = walk.sizes[i % walk.sizes.length] ?? 1;
    const kind = walk.forward ? (at ? "next" : "query") : at ? "previous" : "back";
    const step = { kind, of: 0, size, ...(at === undefined && { offset: 0 }) } as const;
    const context = { table, query, walk, page: i };
    const keys = keysOf(kind, at, undefined);
    const rest = at === undefined ? { columns, filter, sort } : {};
    const page = { size: step.size };
    const answer = ask(mirror, table, { ...rest, page: { ...keys.engine, ...page } }, context);
    const expected = evaluateQuery(mirror.db, table, {
      ...rest,
      page: { ...keys.oracle, ...page },
    });
    comparePage(answer, expected, context);
    const ids = answer.records.map((record) => record.id);
    if (walk.forward) joined.push(...ids);
    else joined.unshift(...ids);
    if (!answer.meta.page.more) break;
    at = { cursor: answer.meta.page.cursor, token: expected.token };
  }
  const ids = whole.records.map((record) => record.id);
  same(joined, ids, { table, query, walk, as: "pages joined" });
}
