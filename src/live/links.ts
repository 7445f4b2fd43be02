import type { ColumnRef } from "../query/bound/column-ref.js";
import type { Predicate } from "../query/bound/condition.js";
import type { Selection } from "../query/bound/selection.js";
import { NULL_CODE } from "../storage/dictionary.js";
import type { Json } from "../types.js";
import { equalJson } from "../value/json.js";
import type { Bound, Reach, WrittenRow } from "./watcher.js";

/** Yields the columns that a filter or order reads. */
export function* columnsRead({ predicate, order }: Bound): Generator<ColumnRef> {
  for (const { column } of order.keys) yield column;
  const waiting: Predicate[] = [predicate];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ("parts" in next) waiting.push(...next.parts);
    else if ("column" in next) yield next.column;
  }
}

/**
 * Returns what columns behind links read: a column of each linked table, of records that a row may
 * link to.
 *
 * @param own the name of the table where the paths begin
 */
export function reachOfColumns(
  columns: Iterable<ColumnRef>,
  own: string,
  changes: Reach["changes"],
): Reach[] {
  const found = new Map<string, Reach>();
  for (const { hops, slot: last } of columns) {
    let from = own;
    for (const [i, { slot: via, target }] of hops.entries()) {
      const slot = hops[i + 1]?.slot ?? last;
      const table = target.name;
      const origin = from;
      found.set(JSON.stringify([from, via, table, slot]), {
        table,
        slot,
        changes,
        concerns: (row, tables) =>
          !keepsValue(row, slot) &&
          tables.findTable(origin)?.dictionaries.get(via)?.find(row.id) !== NULL_CODE,
      });
      from = table;
    }
  }
  return [...found.values()];
}

/** Whether a record existed before and exists now, with an equal value. */
function keepsValue({ before, table, ordinal }: WrittenRow, slot: number): boolean {
  if (before === undefined || ordinal < 0) return false;
  // All stored values, including instants, compare as JSON.
  return equalJson(before.values.get(slot) as Json, table.get(ordinal, slot) as Json);
}

/** Returns what the records of reverse links are read from (rule P-11). */
export function reachOfReverse({ reverse }: Selection, isShown: (id: string) => boolean): Reach[] {
  return reverse.flatMap(({ table: { name }, link: { slot }, order }) => [
    {
      table: name,
      slot,
      changes: "records" as const,
      concerns: ({ before, table, ordinal }) =>
        isShown(String(before?.values.get(slot))) ||
        (ordinal >= 0 && isShown(String(table.get(ordinal, slot)))),
    },
    ...reachOfColumns(
      order.keys.map(({ column }) => column),
      name,
      "records",
    ),
  ]);
}
