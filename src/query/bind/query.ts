import { refuse } from "../../errors.js";
import type { TableShape } from "../bound/column-ref.js";
import type { Range } from "../bound/point.js";
import type { BoundQuery } from "../bound/query.js";
import { type OpenCursors, openCursors, requireAgreement } from "./open-cursor.js";
import { DEFAULT_PAGE_SIZE, END, type ParsedPage, parseQuery } from "./parse.js";
import { bindOtherColumns, bindParts } from "./parts.js";
import type { BindContext } from "./scope.js";

/**
 * Parses and binds a request, cursors among it, in the order of rule E-6.
 *
 * @throws TwinbaseError as sections P, F, S and G say
 */
export function bindQuery(context: BindContext, table: TableShape, request: unknown): BoundQuery {
  const parsed = parseQuery(request, context.profile);
  const { page } = parsed;
  const opened = openCursors(context, table, page);
  const base = opened.after ?? opened.start ?? opened.end ?? opened.before;
  const { filter, sort, columns: givenColumns } = base?.content ?? parsed;
  const columns = parsed.columns ?? givenColumns;
  const { selection, predicate, order, named } =
    base === undefined
      ? bindParts(context, table, { columns, filter, sort, seed: undefined })
      : parsed.columns === undefined
        ? base.bound
        : bindOtherColumns(context, table, base.bound, columns);
  if (opened.after !== undefined && opened.before !== undefined) {
    requireAgreement(opened.after, opened.before);
  }
  if (page.after === END && order.seed !== undefined) {
    refuse("invalid_page", "a random order has no end to follow", {
      path: "/page/after",
      rule: "S-4",
    });
  }
  const givenSize = base?.content.size ?? DEFAULT_PAGE_SIZE;
  const size = page.size ?? Math.min(givenSize, context.profile.maxPageSize);
  const isSame = parsed.columns === undefined && size === base?.content.size;
  // Written out: a spread with members after it costs more than all the rest of this.
  return {
    table,
    selection,
    predicate,
    order,
    size,
    offset: page.offset,
    isPaged:
      page.size !== undefined ||
      page.offset !== 0 ||
      page.after === END ||
      page.before === END ||
      base !== undefined,
    limit: page.offset + size + 1, // one more tells whether there are more
    range: rangeOf(page, opened),
    backward: (page.before !== undefined && page.after === undefined) || page.end !== undefined,
    isRange: page.after !== undefined && page.before !== undefined,
    isTail: page.after === END,
    carried: isSame
      ? base.content
      : { table: table.identity, filter, columns, sort, seed: order.seed, size, named },
  };
}

function rangeOf(page: ParsedPage, opened: OpenCursors): Range {
  return {
    after: opened.after?.content.last,
    before: page.before === END ? undefined : opened.before?.content.first,
  };
}
