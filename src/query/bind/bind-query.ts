import { type ErrorCode, refuse, TwinbaseError } from "../../errors.js";
import type { Profile } from "../../profile.js";
import {
  partAt,
  readFields,
  readNumber,
  readOneOf,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../../shape/fields.js";
import { checksum } from "../../value/hash.js";
import { canonicalJson } from "../../value/json.js";
import type {
  BoundQuery,
  Order,
  Page,
  Point,
  Predicate,
  Ref,
  Selection,
} from "../bound/bound-query.js";
import { type CursorContent, decodeCursor } from "../bound/cursor.js";
import { describeOrder, describePredicate } from "../bound/describe.js";
import { comparePoints, isKeys, keyShapesOf } from "../bound/order.js";
import type { QueryRun } from "../query-run.js";
import { bindFilter } from "./filter.js";
import { tableScope } from "./scope.js";
import { bindColumns, bindReverseSorts } from "./selection.js";
import { bindSort } from "./sort.js";

/** Parses and binds a request and its cursors, in the order of rule E-6. */
export function bindQuery(run: QueryRun, request: unknown): BoundQuery {
  const { table, profile } = run;
  const parsed = parseQuery(request, profile);
  const { page } = parsed;
  const open = (key: CursorKey, other?: OpenCursor): OpenCursor | undefined => {
    const cursor = page[key];
    if (cursor === undefined || cursor === END) return undefined;
    return openCursor(run, cursor, `/page/${key}`, other);
  };
  const after = open("after");
  const before = open("before", after);
  const base = after ?? before ?? open("start") ?? open("end");
  const { filter, sort, columns: cursorColumns } = base?.content ?? parsed;
  const columns = parsed.columns ?? cursorColumns;
  const { selection, predicate, order, columnsChecksum } =
    base !== undefined && parsed.columns === undefined
      ? base.bound
      : bindParts(run, { columns, filter, sort, seed: undefined }, base?.bound);
  if (after !== undefined && before !== undefined) requireAgreement(run.profile, after, before);
  if (page.after === END && order.seed !== undefined) {
    refuse("invalid_page", "a random order has no end to page from", {
      path: "/page/after",
      rule: "S-4",
    });
  }
  const cursorSize = base?.content.size ?? DEFAULT_PAGE_SIZE;
  const size = page.size ?? Math.min(cursorSize, profile.maxPageSize);
  const isSame = parsed.columns === undefined && size === base?.content.size;
  return {
    table,
    selection,
    predicate,
    order,
    page: pageOf(page, after?.content.last, before?.content.first),
    size,
    offset: page.offset,
    cursorQuery: isSame
      ? base.content
      : { table: table.identity, filter, columns, sort, seed: order.seed, size, columnsChecksum },
  };
}

function pageOf(page: ParsedPage, after: Point | undefined, before: Point | undefined): Page {
  if (page.after === END) return { kind: "tail" };
  if (after === undefined) {
    const isBackward = page.before !== undefined || page.end !== undefined;
    return isBackward ? { kind: "before", point: before } : { kind: "first" };
  }
  return page.before === undefined
    ? { kind: "after", point: after }
    : { kind: "between", after, before };
}

interface UnboundParts {
  readonly columns: unknown;
  readonly filter: unknown;
  readonly sort: unknown;
  /** The seed of a continued random order. */
  readonly seed: number | undefined;
}

interface BoundRows {
  readonly predicate: Predicate;
  readonly order: Order;
  /** The columns in filter and sort. */
  readonly rowColumns: readonly Ref[];
}

interface BoundParts extends BoundRows {
  readonly selection: Selection;
  /** Checksum of all columns named in the query. */
  readonly columnsChecksum: string;
}

/** Binds in the order of rule E-6; `rows` are bound already if only the columns differ. */
function bindParts(run: QueryRun, parts: UnboundParts, rows?: BoundRows): BoundParts {
  const selected: Ref[] = [];
  const scope = tableScope(run, run.table, undefined, selected);
  const draft = bindColumns(scope, parts.columns, "/columns");
  const { predicate, order, rowColumns } = rows ?? bindRows(run, parts);
  const selection = bindReverseSorts(draft);
  const named = [...selected, ...rowColumns].map(fingerprint);
  const columnsChecksum = named.length === 0 ? "" : checksum(named.join("\n"));
  return { selection, predicate, order, rowColumns, columnsChecksum };
}

function bindRows(run: QueryRun, { filter, sort, seed }: UnboundParts): BoundRows {
  const rowColumns: Ref[] = [];
  const scope = tableScope(run, run.table, undefined, rowColumns);
  const predicate = bindFilter(scope, filter, "/filter");
  return { predicate, order: bindSort(scope, sort, "/sort", seed), rowColumns };
}

/** A checksum that changes when a column is renamed, removed or recreated. */
function fingerprint(ref: Ref): string {
  const through = ref.hops.map(({ slot, target }) => `${slot}@${target.identity}`);
  return [ref.path, ref.type, ref.type === "object" ? "" : ref.slot, ...through].join(":");
}

interface OpenCursor {
  readonly content: CursorContent;
  readonly bound: BoundParts;
}

/** Decodes a cursor and checks it against the table (G-13); `other` may share its query. */
function openCursor(run: QueryRun, cursor: string, at: string, other?: OpenCursor): OpenCursor {
  const fail = (why: string): never =>
    refuse("invalid_cursor", `the cursor ${why}`, { path: at, rule: "G-13" });
  const content = decodeCursor(cursor) ?? fail("is damaged");
  if (content.table !== run.table.identity) fail("was made for another table");
  const isSame = content.text !== undefined && content.text === other?.content.text;
  let bound = isSame ? other.bound : undefined;
  try {
    bound ??= bindParts(run, content);
  } catch (error) {
    if (error instanceof TwinbaseError && error.code !== "query_timeout")
      fail(`no longer fits the table: ${error.message}`);
    throw error;
  }
  if (bound.columnsChecksum !== content.columnsChecksum) {
    fail("names a column that has since been changed");
  }
  const shapes = keyShapesOf(bound.order);
  for (const { keys } of [content.first, content.last]) {
    if (keys !== undefined && !isKeys(shapes, keys)) fail("is damaged");
  }
  return { content, bound };
}

function requireAgreement(profile: Profile, after: OpenCursor, before: OpenCursor): void {
  const fail = (why: string): never =>
    refuse("invalid_page", `the cursors of a range must agree: ${why}`, {
      path: "/page/before",
      rule: "G-9",
    });
  if (after.bound !== before.bound) {
    const textOf = ({ bound }: OpenCursor): string =>
      canonicalJson(describePredicate(bound.predicate));
    if (textOf(after) !== textOf(before)) fail("their filters differ");
    const sortOf = ({ bound }: OpenCursor): string =>
      describeOrder(bound.order, profile).join(", ");
    if (sortOf(after) !== sortOf(before)) fail("their sorts differ");
    if (after.bound.order.seed !== before.bound.order.seed) fail("their random orders differ");
  }
  const shapes = keyShapesOf(after.bound.order);
  if (comparePoints(shapes, after.content.last, before.content.first) >= 0) {
    fail("after must come before before");
  }
}

/** A query whose keys and page settings are valid; its parts and cursors are not bound yet. */
export interface ParsedQuery {
  readonly columns: unknown;
  readonly filter: unknown;
  readonly sort: unknown;
  readonly page: ParsedPage;
}

/** Page settings (rules G-1, G-7, G-8); cursors are not decoded yet. */
export interface ParsedPage extends Readonly<Record<CursorKey, string | undefined>> {
  readonly size: number | undefined;
  readonly offset: number;
}

/** Rule G-10. */
const END = "end";
export const DEFAULT_PAGE_SIZE = 20;

const QUERY_KEYS = ["columns", "filter", "sort", "page", "consistency"] as const;
const CURSOR_KEYS = ["after", "before", "start", "end"] as const;
type CursorKey = (typeof CURSOR_KEYS)[number];
const PAGE_KEYS = ["size", "offset", ...CURSOR_KEYS] as const;

/** Reads a query's keys and page settings; throws `invalid_request` (E-3), `invalid_page`. */
function parseQuery(request: unknown, profile: Profile): ParsedQuery {
  const fields = readFields(request, QUERY_KEYS, { rule: "E-3" });
  readConsistency(fields.consistency);
  const page = parsePage(fields.page, PAGE_KEYS, profile);
  requireAlone(fields, page);
  const { columns, filter, sort } = fields;
  return { columns, filter, sort, page };
}

/** Reads `consistency`, which has no effect (rule E-3). */
export function readConsistency(consistency: unknown = "strong"): void {
  readOneOf(consistency, ["strong", "eventual"], partAt("consistency"));
}

export function parsePage(
  page: unknown = {},
  keys: readonly string[],
  profile: Profile,
): ParsedPage {
  requireObject(page, { path: "/page", rule: "G-1", code: "invalid_page" });
  requireKnownKeys(page, keys, { path: "/page" });
  const { size, offset } = page;
  requireWhole(size, 1, "size");
  if (size !== undefined && size > profile.maxPageSize) {
    refusePage(`page size exceeds max limit of ${profile.maxPageSize}`, "size", "G-1");
  }
  requireWhole(offset, 0, "offset");
  if (offset !== undefined && offset > profile.maxPageOffset) {
    refusePage(`page offset must not exceed ${profile.maxPageOffset}`, "offset", "G-1");
  }
  const [after, before, start, end] = CURSOR_KEYS.map((key) => {
    const cursor = page[key];
    if (cursor === undefined || typeof cursor === "string") return cursor;
    const what = `page.${key}`;
    const code = "invalid_cursor";
    return refuseValue(cursor, "a cursor", { what, path: `/page/${key}`, rule: "G-13", code });
  });
  return { size, offset: offset ?? 0, after, before, start, end };
}

function requireWhole(
  value: unknown,
  least: number,
  key: string,
): asserts value is number | undefined {
  if (value === undefined) return;
  const [what, path] = [`page ${key}`, `/page/${key}`];
  readNumber(value, [least], { what, path, rule: "G-1", code: "invalid_page" });
}

function refusePage(
  message: string,
  key: string,
  rule: string,
  code: ErrorCode = "invalid_page",
): never {
  refuse(code, message, { path: `/page/${key}`, rule });
}

/** Checks which cursors combine with each other, a filter or a sort (rules G-7, G-8). */
function requireAlone(request: Readonly<Record<string, unknown>>, page: ParsedPage): void {
  for (const key of ["start", "end"] as const) {
    if (page[key] === undefined) continue;
    const other = CURSOR_KEYS.find(
      (candidate) => candidate !== key && page[candidate] !== undefined,
    );
    if (other !== undefined) {
      refusePage(`page.${key} cannot be combined with page.${other}`, other, "G-8");
    }
    if (page[key] === END) {
      const message = `page.${key}: only after and before take "end"`;
      refusePage(message, key, "G-7", "invalid_cursor");
    }
  }
  if (page.after === END && page.before !== undefined) {
    refusePage('page.after: "end" cannot be combined with page.before', "before", "G-7");
  }
  const real = CURSOR_KEYS.find((key) => page[key] !== undefined && page[key] !== END);
  if (real === undefined) return;
  for (const key of ["filter", "sort"] as const) {
    if (request[key] === undefined) continue;
    const message = `${key}: not allowed with page.${real}: the cursor contains its own`;
    refuse("invalid_page", message, { path: `/${key}`, rule: "G-7" });
  }
}
