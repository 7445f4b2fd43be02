import type { Order } from "../bound/order.js";

/** Returns the key of an order's index; undefined for orders without indexes. */
export function orderKey({ keys, seed }: Order): string | undefined {
  // Linked values change independently of this table; a seed is never reused.
  if (seed !== undefined || keys.some(({ column }) => column.hops.length > 0)) return undefined;
  const slots = keys.map(({ column, descending }) => {
    return `${[column.slot, ...(column.keys ?? [])].join(".")}${descending ? "-" : "+"}`;
  });
  return `order ${slots.join(" ")}`;
}

export function linkKey(slot: number): string {
  return `link ${slot}`;
}

export function sortedLinkKey(slot: number, order: Order): string | undefined {
  const key = orderKey(order);
  return key === undefined ? undefined : `${linkKey(slot)} ${key}`;
}
