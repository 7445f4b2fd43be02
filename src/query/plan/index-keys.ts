import type { Order } from "../bound/order.js";

/** Names the index of an order; undefined for orders that none is kept for. */
export function orderKey({ keys, seed }: Order): string | undefined {
  // What a link leads to changes without this table being written; a seed is never used twice.
  if (seed !== undefined || keys.some(({ column }) => column.hops.length > 0)) return undefined;
  const slots = keys.map(({ column, descending }) => {
    return `${[column.slot, ...(column.keys ?? [])].join(".")}${descending ? "-" : "+"}`;
  });
  return `order ${slots.join(" ")}`;
}

/** Names the index of a link column. */
export function linkKey(slot: number): string {
  return `link ${slot}`;
}

/** Names the index of a link column whose rows are in an order; undefined as for {@link orderKey}. */
export function sortedLinkKey(slot: number, order: Order): string | undefined {
  const key = orderKey(order);
  return key === undefined ? undefined : `${linkKey(slot)} ${key}`;
}
