// A page of a column that rises with insertion costs about as much in either direction: rows that are stored last
// are visited first where they come first.
import { expect, it, vi } from "vitest";
import { RowOrder } from "../../src/query/order/row-order.js";
import { defineColumns } from "../columns.js";
import { idsOf, openBranch } from "../rules/fixture.js";

const ROWS = 20_000;
const BATCH = 2500;
const COLUMNS = defineColumns({
  number: "int",
  at: "datetime",
  text: "string",
  plan: "string",
  rating: "float",
});
const start = Date.UTC(2022, 0, 1);
const records = Array.from({ length: ROWS }, (_, i) => ({
  number: i - 900,
  at: i % 50 === 7 ? null : new Date(start + i * 1500).toISOString(),
  text: `log ${String(i).padStart(9, "0")}`,
  plan: ["free", "team", "free"][(i * 7919) % 3],
  rating: (i * 7919) % 1000,
}));

let now = start;
const table = openBranch({ now: () => now }).createTable("logs", COLUMNS);
for (let at = 0; at < ROWS; at += BATCH) {
  now += 1000;
  table.insert(records.slice(at, at + BATCH));
}

const SORTS = [["number"], ["at"], ["text"], ["service.createdAt"], ["plan", "at"]];

/** The ids of a page, and how often two rows were compared for it. */
function page(path: readonly string[], direction: "asc" | "desc", size: number, filter: object) {
  const compare = vi.spyOn(RowOrder.prototype, "compare");
  const sort = path.map((column) => ({ [column]: column === "plan" ? "asc" : direction }));
  const ids = idsOf(table.query({ sort, filter, page: { size } }).records);
  const { length } = compare.mock.calls;
  compare.mockRestore();
  return { ids, length };
}

it.each(SORTS.flatMap((path) => [20, 200].map((size) => ({ path, size }))))(
  "S-3: visits the first rows first, sorted by $path, $size of them",
  ({ path, size }) => {
    for (const filter of [{}, { rating: { $lt: 10 } }, { rating: { $ge: 10 } }]) {
      const rising = page(path, "asc", size, filter);
      const falling = page(path, "desc", size, filter);
      // Nulls come first in descending order, by rising ids: each of those rows beats the root of the heap.
      expect(falling.length).toBeLessThan(2 * rising.length + ROWS / 5);
      expect(falling.ids).toHaveLength(size);
      expect(falling.ids).not.toEqual(rising.ids);
    }
  },
);
