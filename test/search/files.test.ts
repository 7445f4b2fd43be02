import { describe, expect, it } from "vitest";
import { openFiles } from "../files/fixture.js";
import { expectRefused, type UntypedTable } from "../rules/fixture.js";
import { metadataOf, search } from "./fixture.js";

function open(): UntypedTable {
  const { people } = openFiles();
  people.insert([
    { id: "a", name: "red", photo: { name: "red", base64Content: "eHh4" } },
    { id: "b", name: "red", photo: { name: "blue", base64Content: "eA==" }, peer: "a" },
    { id: "c", name: "red" },
  ]);
  return people as unknown as UntypedTable;
}

describe("a search in a table with files", () => {
  it.each(["photo", "photo.name", "photo.mediaType", "papers", "photo.size"])(
    "Q-1: does not search them, and refuses the target %s",
    (column) => {
      const table = open();
      expect(search(table, { query: "blue" }).totalCount).toBe(0);
      const request = { query: "red", target: ["name", column] };
      expectRefused(() => search(table, request), "invalid_request", "Q-1", "/target/1");
    },
  );

  it.each([
    [{ numericBooster: { column: "photo.size", factor: 10 } }, { a: 30, b: 10, c: 0 }],
    [{ numericBooster: { column: "peer.photo.size", factor: 10 } }, { a: 0, b: 30, c: 0 }],
    [{ valueBooster: { column: "photo.name", value: "blue", factor: 5 } }, { a: 0, b: 5, c: 0 }],
    [{ valueBooster: { column: "photo.version", value: 1, factor: 5 } }, { a: 5, b: 5, c: 0 }],
  ])("Q-5, F-18: %j adds %j", (booster, added) => {
    const table = open();
    const scores = (boosters: readonly object[]): Map<string, number> =>
      new Map(
        search(table, { query: "red", boosters }).records.map((record) => [
          record.id,
          metadataOf(record).score,
        ]),
      );
    const before = scores([]);
    for (const [id, score] of scores([booster])) {
      expect(score - before.get(id)!).toBeCloseTo(added[id as keyof typeof added], 9);
    }
  });
});
