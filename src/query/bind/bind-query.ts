import { refuse } from "../../errors.js";
import type { TableVersion } from "../../storage/table.js";
import type { Order } from "../bound/order.js";
import type { Predicate } from "../bound/predicate.js";
import type { Range } from "../fetch/fetch.js";
import { bindParts, type QueryEnvironment } from "./bind-parts.js";
import type { CursorQuery } from "./cursor.js";
import { type OpenCursors, openCursors, requireAgreement } from "./open-cursor.js";
import { DEFAULT_PAGE_SIZE, END, type ParsedPage, parseQuery } from "./request.js";
import type { Selection } from "./selection.js";

/** A query bound to one version of a table: nothing of it can be the caller's fault any more. */
export interface BoundQuery {
  readonly table: TableVersion;
  readonly environment: QueryEnvironment;
  readonly predicate: Predicate;
  readonly order: Order;
  readonly selection: Selection;
  readonly size: number;
  readonly page: ParsedPage;
  readonly range: Range;
  readonly backward: boolean;
  /** Whether both ends are given; `"end"` counts (rule G-9). */
  readonly isRange: boolean;
  /** What is given without looking for records: the tail (rule G-10). */
  readonly isTail: boolean;
  /** What the next cursor carries on. */
  readonly carried: CursorQuery;
}

/** Parses and binds a request, cursors among it, in the order of rule E-6. */
export function bindQuery(
  environment: QueryEnvironment,
  table: TableVersion,
  request: unknown,
): BoundQuery {
  const parsed = parseQuery(request, environment.profile);
  const { page } = parsed;
  const opened = openCursors(environment, table, page);
  const base = opened.after ?? opened.start ?? opened.end ?? opened.before;
  const given = base?.content ?? parsed;
  const { filter, sort } = given;
  const columns = parsed.columns ?? given.columns;
  const givenSize = base?.content.size ?? DEFAULT_PAGE_SIZE;
  const size = page.size ?? Math.min(givenSize, environment.profile.maxPageSize);
  const parts = { columns, filter, sort, seed: base?.content.seed };
  const { selection, predicate, order, named } = bindParts(environment, table, parts);
  if (opened.after !== undefined && opened.before !== undefined)
    requireAgreement(opened.after, opened.before);
  if (page.after === END && order.seed !== undefined) {
    refuse("invalid_page", "a random order has no end to follow", {
      path: "/page/after",
      rule: "S-4",
    });
  }
  // Written out: a spread with members behind it costs more than all the rest of this.
  return {
    table,
    environment,
    selection,
    predicate,
    order,
    size,
    page,
    range: rangeOf(page, opened),
    backward: (page.before !== undefined && page.after === undefined) || page.end !== undefined,
    isRange: page.after !== undefined && page.before !== undefined,
    isTail: page.after === END,
    carried: { table: table.identity, filter, columns, sort, seed: order.seed, size, named },
  };
}

function rangeOf(page: ParsedPage, opened: OpenCursors): Range {
  return {
    after: opened.after?.content.last,
    before: page.before === END ? undefined : opened.before?.content.first,
  };
}
