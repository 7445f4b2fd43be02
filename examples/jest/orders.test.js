import { beforeEach, expect, test } from "@jest/globals";
import { createEngine } from "twinbase";
import { place, total } from "./orders.js";

const seeded = createEngine({ now: 0, seed: 1 });
const main = seeded.createWorkspace("acme").createDatabase("shop").branch("main");
main.createTable("orders", [
  { name: "item", type: "string" },
  { name: "price", type: "float" },
]);

let orders;
beforeEach(() => {
  orders = seeded.fork().workspace("acme").database("shop").branch("main").table("orders");
});

test("the total is exact", () => {
  place(orders, "house", 1e16);
  place(orders, "pen", 1);
  place(orders, "ink", 1);
  expect(total(orders)).toBe(1e16 + 2); // adding one at a time would give 1e16
});

test("nothing is sold for nothing", () => {
  expect(() => place(orders, "pen", 0)).toThrow(RangeError);
  expect(orders.count()).toBe(0);
});
