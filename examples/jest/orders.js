/** Functions on orders, given their table. */
export function place(orders, item, price) {
  if (price <= 0) throw new RangeError("a price is more than 0");
  return orders.insert({ item, price }).id;
}

export function total(orders) {
  return orders.aggregate({ aggs: { total: { sum: { column: "price" } } } }).aggs.total;
}
