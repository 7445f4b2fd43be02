import { ordinalOf } from "../../storage/chunk.js";
import { createBits } from "../filter/bitmap.js";
import { compileFilter, selectRows } from "../filter/row-filter.js";
import { RowOrder } from "../order/row-order.js";
import { TopRows } from "../order/top-rows.js";
import { namedRows } from "../plan/named-rows.js";
import type { NamedAccess, Plan } from "../plan/plan.js";
import { checkRows, type Source } from "../source.js";
import { fetchByLink } from "./by-link.js";
import type { Fetching } from "./fetching.js";
import { gatherRows } from "./gather.js";
import { fetchByOrderIndex, fetchInStorageOrder } from "./in-order.js";

/**
 * Finds the first rows of a plan in the direction of travel.
 *
 * @returns ordinals, `plan.limit` at most, in the direction of travel
 */
export function fetchRows(
  source: Source,
  plan: Plan,
  order: RowOrder = new RowOrder(source, plan.order),
): number[] {
  const { table, checkTime } = source;
  const filter = compileFilter(plan.residual, source);
  const fetching: Fetching = { table, plan, order, filter, checkTime };
  const { access } = plan;
  switch (access.kind) {
    case "ids":
    case "unique-index":
      return fetchNamed(fetching, access);
    case "link-index":
      return fetchByLink(fetching, access);
    case "storage-order":
      return fetchInStorageOrder(fetching, access.backward);
    case "order-index":
      return fetchByOrderIndex(fetching, access.index) ?? fetchByScan(fetching);
    case "scan":
      return fetchByScan(fetching);
  }
}

function fetchNamed(
  { table, plan, order, filter, checkTime }: Fetching,
  access: NamedAccess,
): number[] {
  const check = checkRows({ checkTime });
  const top = new TopRows(plan.limit, order, plan.backward);
  for (const row of namedRows(table, access)) {
    check();
    if (filter.matches(row) && order.isInRange(row, plan.range)) top.offer(row);
  }
  return top.toSorted();
}

function fetchByScan(fetching: Fetching): number[] {
  const { table, plan, order, filter, checkTime } = fetching;
  const { range, backward, limit } = plan;
  if (limit >= table.size) return sortAll(fetching);
  const top = new TopRows(limit, order, backward);
  const isBounded = range.after !== undefined || range.before !== undefined;
  const isWanted = isBounded ? (row: number) => order.isInRange(row, range) : undefined;
  const bits = createBits();
  for (const [index, chunk] of table.chunks.entries()) {
    checkTime?.();
    selectRows(filter, chunk, bits);
    top.offerChunk(chunk, ordinalOf(index, 0), bits, isWanted);
  }
  return top.toSorted();
}

/** All matching rows of a range, for a whole result. */
function sortAll(fetching: Fetching): number[] {
  const { plan, order, filter } = fetching;
  const rows = gatherRows(fetching, filter).filter((row) => order.isInRange(row, plan.range));
  const sorted = Array.from(order.sort(rows));
  return plan.backward ? sorted.reverse() : sorted;
}
