import { describe, expect, it } from "vitest";
import { sameUpToTies } from "../../../src/conformance/oracle/evaluate.js";
import { compareRecords, isRandomSort } from "../../../src/conformance/oracle/order.js";
import type { AnyRecord } from "../../../src/types.js";
import { database, sorted, stored } from "./fixture.js";

const db = database(
  [
    stored("d", { name: "～", age: 2, live: true, seen: "2022-01-01T01:00:00+01:00" }, 3),
    stored("c", { name: "😀", age: 1, team: "t2", seen: "2021-12-31T23:59:59.9Z", rate: -1 }),
    stored("b", { name: "a", age: 2, live: false, team: "t1", home: { zip: 5 } }),
    stored("a", { age: 10, team: "gone", home: { zip: 40, city: "x" }, rate: 0.5 }, 1),
  ],
  [stored("t1", { name: "Z", owner: "a" }), stored("t2", { name: "Y" })],
);

describe("the oracle's order", () => {
  it.each([
    ["S-1: one key", { age: "asc" as const }, "c b d a"],
    ["S-1: several keys count in their order", { age: "desc", name: "desc" } as const, "a d b c"],
    ["S-1: an array and a bare string", [{ age: "desc" } as const, "name"], "a b d c"],
    ["S-2: bool", { live: "desc" as const }, "d b a c"],
    ["S-2: float", ["rate"], "c a b d"],
    ["S-2: datetime", ["seen"], "c d a b"],
    ["S-2: a link by id", ["team"], "a b c d"],
    ["S-2: a link by id", { "team.id": "desc" as const }, "c b a d"],
    ["S-2: through a link", { "team.name": "asc" as const }, "c b a d"],
    ["S-2: through an object", { "home.zip": "desc" as const }, "a b c d"],
    ["S-2: metadata", { "service.version": "desc" as const }, "d a b c"],
    ["S-2: id", { id: "desc" as const }, "d c b a"],
    ["S-3: null last ascending", { name: "asc" as const }, "b d c a"],
    ["S-3: null last descending", { name: "desc" as const }, "c d b a"],
    ["S-5: without a sort by id", undefined, "a b c d"],
  ])("%s: %j", (_, sort, ids) => {
    expect(sorted(db, sort)).toBe(ids);
  });

  it("S-5: ids are compared by code points", () => {
    expect(sorted(database([stored("😀"), stored("～")]))).toBe("～ 😀");
  });

  it("S-5: two records are never equal in an order", () => {
    expect(compareRecords(db, "users", ["age"], stored("x"), stored("y"))).toBeLessThan(0);
  });

  it("S-4: a random sort leaves all but its ties decided", () => {
    const sort = [{ age: "asc" as const }, { "*": "random" as const }];
    expect(isRandomSort(sort)).toBe(true);
    expect(isRandomSort(["age"])).toBe(false);
    const record = (id: string): AnyRecord => {
      const version = { a: 1, b: 0, c: 0, d: 3 }[id];
      const made = "2024-01-01T00:00:00Z";
      return { id, service: { version, createdAt: made, updatedAt: made } };
    };
    const request = { columns: [], sort };
    const fits = (ids: string, offset = 0): boolean =>
      sameUpToTies(db, "users", request, offset, [...ids].map(record));
    expect(fits("cbda")).toBe(true);
    expect(fits("cdba")).toBe(true);
    expect(fits("bda", 1)).toBe(true);
    expect(fits("bcda")).toBe(false);
    expect(fits("cbba")).toBe(false);
    expect(fits("cbdad")).toBe(false);
    expect(sameUpToTies(db, "users", request, 0, [{ id: "c" }])).toBe(false);
  });
});
