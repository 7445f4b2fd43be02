import { refuse, TwinbaseError } from "../../errors.js";
import { checksum } from "../../value/hash.js";
import { canonicalJson } from "../../value/json.js";
import type { Ref, TableShape } from "../bound/column-ref.js";
import type { Predicate } from "../bound/condition.js";
import { type CursorContent, decodeCursor } from "../bound/cursor.js";
import { describeOrder, describePredicate } from "../bound/describe.js";
import { BY_ID, keyShapesOf, type Order } from "../bound/order.js";
import { comparePoints, isKeys, type Point } from "../bound/point.js";
import type { BoundQuery, Page } from "../bound/query.js";
import type { Selection } from "../bound/selection.js";
import { bindFilter } from "./filter.js";
import { DEFAULT_PAGE_SIZE, END, type ParsedPage, parseQuery } from "./parse.js";
import { type BindContext, tableScope } from "./scope.js";
import { bindColumns, bindReverseSorts } from "./selection.js";
import { bindSort } from "./sort.js";

/** Parses and binds a request and its cursors, in the order of rule E-6. */
export function bindQuery(context: BindContext, table: TableShape, request: unknown): BoundQuery {
  const parsed = parseQuery(request, context.profile);
  const { page } = parsed;
  const { after, before, start, end } = openCursors(context, table, page);
  const base = after ?? start ?? end ?? before;
  const { filter, sort, columns: givenColumns } = base?.content ?? parsed;
  const columns = parsed.columns ?? givenColumns;
  const { selection, predicate, order, columnsChecksum } =
    base === undefined
      ? bindParts(context, table, { columns, filter, sort, seed: undefined })
      : parsed.columns === undefined
        ? base.bound
        : bindOtherColumns(context, table, base.bound, columns);
  if (after !== undefined && before !== undefined) requireAgreement(after, before);
  if (page.after === END && order.seed !== undefined) {
    refuse("invalid_page", "a random order has no end to page from", {
      path: "/page/after",
      rule: "S-4",
    });
  }
  const givenSize = base?.content.size ?? DEFAULT_PAGE_SIZE;
  const size = page.size ?? Math.min(givenSize, context.profile.maxPageSize);
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

function pageOf(given: ParsedPage, after: Point | undefined, before: Point | undefined): Page {
  if (given.after === END) return { kind: "tail" };
  if (after === undefined) {
    const isBackward = given.before !== undefined || given.end !== undefined;
    return isBackward ? { kind: "before", point: before } : { kind: "first" };
  }
  return given.before === undefined
    ? { kind: "after", point: after }
    : { kind: "between", after, before };
}

interface GivenParts {
  readonly columns: unknown;
  readonly filter: unknown;
  readonly sort: unknown;
  /** The seed of a continued random order. */
  readonly seed: number | undefined;
}

interface BoundParts {
  readonly selection: Selection;
  readonly predicate: Predicate;
  readonly order: Order;
  /** The columns in filter and sort. */
  readonly rowColumns: readonly Ref[];
  /** Checksum of all columns named in the query. */
  readonly columnsChecksum: string;
}

/** Binds in the order of rule E-6. */
function bindParts(context: BindContext, table: TableShape, given: GivenParts): BoundParts {
  const { columns, filter, sort, seed } = given;
  const selectedColumns: Ref[] = [];
  const rowColumns: Ref[] = [];
  const columnScope = tableScope(context, table, undefined, selectedColumns);
  const rowScope = tableScope(context, table, undefined, rowColumns);
  const draft = bindColumns(columnScope, columns, "/columns");
  const predicate = bindFilter(rowScope, filter, "/filter");
  const order = sort === undefined ? BY_ID : bindSort(rowScope, sort, "/sort", seed);
  const selection = bindReverseSorts(columnScope, draft);
  const columnsChecksum = checksumOf(selectedColumns, rowColumns);
  return { selection, predicate, order, rowColumns, columnsChecksum };
}

/** Returns the same query with another selection. */
function bindOtherColumns(
  context: BindContext,
  table: TableShape,
  bound: BoundParts,
  columns: unknown,
): BoundParts {
  const selectedColumns: Ref[] = [];
  const scope = tableScope(context, table, undefined, selectedColumns);
  const selection = bindReverseSorts(scope, bindColumns(scope, columns, "/columns"));
  return { ...bound, selection, columnsChecksum: checksumOf(selectedColumns, bound.rowColumns) };
}

/** A checksum that changes when a column is renamed, removed or recreated. */
function fingerprint(ref: Ref): string {
  const through = ref.hops.map(({ slot, target }) => `${slot}@${target.identity}`);
  return [ref.path, ref.type, ref.type === "object" ? "" : ref.slot, ...through].join(":");
}

function checksumOf(selected: readonly Ref[], rows: readonly Ref[]): string {
  const columns = [...selected, ...rows];
  return columns.length === 0 ? "" : checksum(columns.map(fingerprint).join("\n"));
}

interface OpenCursor {
  readonly content: CursorContent;
  readonly bound: BoundParts;
}

type CursorKey = "after" | "before" | "start" | "end";

/** Decodes a request's cursors; binds their query once if they share it. */
function openCursors(
  context: BindContext,
  table: TableShape,
  page: ParsedPage,
): Readonly<Record<CursorKey, OpenCursor | undefined>> {
  const open = (key: CursorKey, known?: OpenCursor): OpenCursor | undefined => {
    const cursor = page[key];
    if (cursor === undefined || cursor === END) return undefined;
    return openCursor({ context, table, at: `/page/${key}` }, cursor, known);
  };
  const after = open("after");
  return { after, before: open("before", after), start: open("start"), end: open("end") };
}

interface Opening {
  readonly context: BindContext;
  readonly table: TableShape;
  readonly at: string;
}

/** Decodes a cursor and checks it against the table (G-13); `known` may share its query. */
function openCursor(opening: Opening, cursor: string, known: OpenCursor | undefined): OpenCursor {
  const content = decodeCursor(cursor) ?? refuseCursor(opening, "is damaged");
  if (content.table !== opening.table.identity) {
    refuseCursor(opening, "was made for another table");
  }
  const isSame = content.text !== undefined && content.text === known?.content.text;
  const bound = isSame ? known.bound : bindContent(opening, content);
  if (bound.columnsChecksum !== content.columnsChecksum) {
    refuseCursor(opening, "names a column that has since been changed");
  }
  const shapes = keyShapesOf(bound.order);
  for (const { keys } of [content.first, content.last]) {
    if (keys !== undefined && !isKeys(shapes, keys)) refuseCursor(opening, "is damaged");
  }
  return { content, bound };
}

function bindContent(opening: Opening, content: CursorContent): BoundParts {
  try {
    return bindParts(opening.context, opening.table, content);
  } catch (error) {
    if (error instanceof TwinbaseError) {
      return refuseCursor(opening, `no longer fits the table: ${error.message}`);
    }
    throw error;
  }
}

function refuseCursor({ at }: Opening, why: string): never {
  return refuse("invalid_cursor", `the cursor ${why}`, { path: at, rule: "G-13" });
}

function requireAgreement(after: OpenCursor, before: OpenCursor): void {
  const fail = (why: string): never =>
    refuse("invalid_page", `the cursors of a range must agree: ${why}`, {
      path: "/page/before",
      rule: "G-9",
    });
  if (after.bound !== before.bound) {
    const textOf = ({ bound }: OpenCursor): string =>
      canonicalJson(describePredicate(bound.predicate));
    if (textOf(after) !== textOf(before)) fail("their filters differ");
    const sortOf = ({ bound }: OpenCursor): string => describeOrder(bound.order).join(", ");
    if (sortOf(after) !== sortOf(before)) fail("their sorts differ");
    if (after.bound.order.seed !== before.bound.order.seed) fail("their random orders differ");
  }
  const shapes = keyShapesOf(after.bound.order);
  if (comparePoints(shapes, after.content.last, before.content.first) >= 0) {
    fail("after must come before before");
  }
}
