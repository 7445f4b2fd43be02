import { refuse, TwinbaseError } from "../../errors.js";
import { canonicalJson } from "../../value/json.js";
import type { TableShape } from "../bound/column-ref.js";
import { type CursorContent, decodeCursor } from "../bound/cursor.js";
import { describeOrder, describePredicate } from "../bound/describe.js";
import { keyShapesOf } from "../bound/order.js";
import { comparePoints, isKeys } from "../bound/point.js";
import { END, type ParsedPage } from "./parse.js";
import { type BoundParts, bindParts } from "./parts.js";
import type { BindContext } from "./scope.js";

/** A cursor whose query has been bound, and whose points fit its order. */
export interface OpenCursor {
  readonly content: CursorContent;
  readonly bound: BoundParts;
}

type CursorKey = "after" | "before" | "start" | "end";

export type OpenCursors = Readonly<Record<CursorKey, OpenCursor | undefined>>;

/** Opens the cursors of a page request; two of one query are bound once. */
export function openCursors(
  context: BindContext,
  table: TableShape,
  page: ParsedPage,
): OpenCursors {
  const open = (key: CursorKey, known?: OpenCursor): OpenCursor | undefined => {
    const cursor = page[key];
    if (cursor === undefined || cursor === END) return undefined;
    return openCursor({ context, table, at: `/page/${key}` }, cursor, known);
  };
  const after = open("after");
  return { after, before: open("before", after), start: open("start"), end: open("end") };
}

/** What a cursor is opened for, and where it is in the request. */
interface Opening {
  readonly context: BindContext;
  readonly table: TableShape;
  readonly at: string;
}

/**
 * Reads a cursor and checks it against the table as it is now (rule G-13).
 *
 * @param known another cursor, whose bound query serves again if it is the same
 */
function openCursor(opening: Opening, cursor: string, known: OpenCursor | undefined): OpenCursor {
  const content = decodeCursor(cursor, known?.content) ?? refuseCursor(opening, "is damaged");
  if (content.table !== opening.table.identity) {
    refuseCursor(opening, "was made for another table");
  }
  const isSame = content.text !== undefined && content.text === known?.content.text;
  const bound = isSame ? known.bound : bindContent(opening, content);
  if (bound.named !== content.named) {
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

/** Refuses two cursors that may not bound one range (rule G-9). */
export function requireAgreement(after: OpenCursor, before: OpenCursor): void {
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
