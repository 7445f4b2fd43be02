import type { TableVersion } from "../../storage/table.js";
import { TopRows } from "../order/top-rows.js";
import { plannedIndex } from "../plan/indexes.js";
import { type LinkedRows, type LinkIndex, rowsLinkedTo } from "../plan/link-index.js";
import type { LinkAccess } from "../plan/plan.js";
import { checkRows } from "../source.js";
import type { Fetching } from "./fetching.js";

/** The rows that an index of a link has for the codes of a plan. */
export function linkedRows(table: TableVersion, { index, slot, codes }: LinkAccess): LinkedRows {
  return rowsLinkedTo(table, slot, plannedIndex<LinkIndex>(table, index), new Set(codes));
}

/** Of a run that is in order no more rows can be wanted than the page holds. */
export function fetchByLink(
  { table, plan, order, filter, checkTime }: Fetching,
  access: LinkAccess,
): number[] {
  const check = checkRows({ checkTime });
  const { runs, dirty, written } = linkedRows(table, access);
  const { sorted } = access;
  const { range, limit } = plan;
  const most = sorted === undefined ? Number.POSITIVE_INFINITY : limit;
  const isWanted = (row: number): boolean => filter.matches(row) && order.isInRange(row, range);
  const top = new TopRows(limit, order, plan.backward);
  const page: number[] = [];
  // One run that is in order is the page; of several the first rows are picked.
  const isAlone = sorted !== undefined && runs.length === 1 && written.length === 0;
  for (const run of runs) {
    let taken = 0;
    for (let step = 0; step < run.length && taken < most; step++) {
      check();
      const row = run[sorted === "backward" ? run.length - 1 - step : step]!;
      if (dirty.has(row) || !isWanted(row)) continue;
      if (isAlone) page.push(row);
      else top.offer(row);
      taken++;
    }
  }
  for (const row of written) {
    check();
    if (isWanted(row)) top.offer(row);
  }
  return isAlone ? page : top.toSorted();
}
