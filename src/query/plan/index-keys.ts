import type { Order } from "../bound/order.js";

export function linkKey(slot: number): string {
  return `link ${slot}`;
}

/** Returns the key of an order's index, or of its index by link; undefined if it has none. */
export function orderKey({ keys, seed }: Order, link?: number): string | undefined {
  // Linked values change independently of this table; a seed is never reused.
  if (seed !== undefined || keys.some(({ column }) => column.hops.length > 0)) return undefined;
  const slots = keys.map(({ column, descending }) => {
    return `${[column.slot, ...(column.keys ?? [])].join(".")}${descending ? "-" : "+"}`;
  });
  return `${link === undefined ? "" : linkKey(link)} order ${slots.join(" ")}`;
}
