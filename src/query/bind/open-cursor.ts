import { refuse, TwinbaseError } from "../../errors.js";
import type { TableVersion } from "../../storage/table.js";
import { canonicalJson } from "../../value/json.js";
import { describeOrder, describePredicate } from "../bound/describe.js";
import type { Order } from "../bound/order.js";
import type { Predicate } from "../bound/predicate.js";
import { comparePoints } from "../order/point.js";
import { RowOrder } from "../order/row-order.js";
import { type BoundParts, bindParts, type QueryEnvironment } from "./bind-parts.js";
import { type CursorContent, decodeCursor } from "./cursor.js";
import { END, type ParsedPage } from "./request.js";

/** A cursor whose query has been bound again, and whose points fit its order. */
export interface OpenCursor {
  readonly content: CursorContent;
  readonly predicate: Predicate;
  readonly order: RowOrder;
  readonly boundOrder: Order;
}

export type OpenCursors = Readonly<
  Record<"after" | "before" | "start" | "end", OpenCursor | undefined>
>;

/** Opens the cursors of a page request. */
export function openCursors(
  environment: QueryEnvironment,
  table: TableVersion,
  page: ParsedPage,
): OpenCursors {
  const open = (key: "after" | "before" | "start" | "end"): OpenCursor | undefined => {
    const cursor = page[key];
    return cursor === undefined || cursor === END
      ? undefined
      : openCursor(environment, table, cursor, `/page/${key}`);
  };
  return { after: open("after"), before: open("before"), start: open("start"), end: open("end") };
}

/** Reads a cursor and holds it against the table as it is now (rule G-13). */
function openCursor(
  environment: QueryEnvironment,
  table: TableVersion,
  cursor: string,
  at: string,
): OpenCursor {
  const fail = (why: string): never =>
    refuse("invalid_cursor", `the cursor ${why}`, { path: at, rule: "G-13" });
  const content = decodeCursor(cursor) ?? fail("is damaged");
  if (content.table !== table.identity) fail("was made for another table");
  let bound: BoundParts;
  try {
    bound = bindParts(environment, table, content);
  } catch (error) {
    if (error instanceof TwinbaseError) return fail(`no longer fits the table: ${error.message}`);
    throw error;
  }
  if (bound.named !== content.named) fail("names a column that has since been changed");
  const order = new RowOrder(table, bound.order);
  for (const { keys } of [content.first, content.last]) {
    if (keys !== undefined && !order.isKeys(keys)) fail("is damaged");
  }
  return { content, predicate: bound.predicate, order, boundOrder: bound.order };
}

/** Whether two cursors may bound one range (rule G-9). */
export function requireAgreement(after: OpenCursor, before: OpenCursor): void {
  const fail = (why: string): never =>
    refuse("invalid_page", `the cursors of a range must agree: ${why}`, {
      path: "/page/before",
      rule: "G-9",
    });
  const textOf = ({ predicate }: OpenCursor): string => canonicalJson(describePredicate(predicate));
  if (textOf(after) !== textOf(before)) fail("their filters differ");
  const sortOf = ({ boundOrder }: OpenCursor): string => describeOrder(boundOrder).join(", ");
  if (sortOf(after) !== sortOf(before)) fail("their sorts differ");
  if (after.boundOrder.seed !== before.boundOrder.seed) fail("their random orders differ");
  if (comparePoints(after.order, after.content.last, before.content.first) >= 0) {
    fail("after must come before before");
  }
}
