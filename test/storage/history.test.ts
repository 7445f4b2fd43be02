import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { History } from "../../src/storage/history.js";

/** A version of a table as its history has it, beside the plain list of the rows written so far. */
interface Version {
  readonly history: History;
  readonly written: readonly number[];
}

const TABLE_ROWS = 1_000_000;

describe("a history", () => {
  const step = fc.record({
    /** Which of the versions so far is written to. */
    version: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    rows: fc.array(fc.nat(1000), { maxLength: 300, size: "max" }),
  });

  it("tells each version what was written up to it, whichever others were written to meanwhile", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12, size: "max" }), fc.nat(), (steps, seed) => {
        const versions: Version[] = [{ history: new History(), written: [] }];
        for (const { version, rows } of steps) {
          const { history, written } = versions[Math.floor(version * versions.length)]!;
          const next = history.extend(written.length, rows, TABLE_ROWS);
          versions.push({ history: next!, written: [...written, ...rows] });
        }
        for (const { history, written } of versions) {
          const from = seed % (written.length + 1);
          expect(history.length).toBeGreaterThanOrEqual(written.length);
          expect([...history.writtenBetween(0, written.length)]).toEqual([...new Set(written)]);
          const rows = new Set(written.slice(from));
          expect([...history.writtenBetween(from, written.length)]).toEqual([...rows]);
        }
      }),
    );
  });

  it("goes on as itself where the last version is written to, and in a copy elsewhere", () => {
    const first = new History();
    const second = first.extend(0, [1], TABLE_ROWS)!;
    expect(second).toBe(first);
    const branch = first.extend(0, [2], TABLE_ROWS)!;
    expect(branch).not.toBe(first);
    expect([...first.writtenBetween(0, 1)]).toEqual([1]);
    expect([...branch.writtenBetween(0, 1)]).toEqual([2]);
  });

  it("tells what was written since an index, for a later version and an earlier one", () => {
    const history = new History();
    for (let row = 0; row < 10; row++) history.extend(row, [row % 6], TABLE_ROWS);
    const index = { position: 2, byteLength: 0 };
    expect([...history.writtenSince(index, 2)]).toEqual([]);
    expect([...history.writtenSince(index, 4)]).toEqual([2, 3]);
    expect([...history.writtenSince(index, 10)]).toEqual([2, 3, 4, 5, 0, 1]);
    expect([...history.writtenSince(index, 3)]).toEqual([2]);
    expect([...history.writtenSince({ position: 8, byteLength: 0 }, 10)]).toEqual([2, 3]);
  });

  it("gives a copy the indexes made up to where it begins", () => {
    const history = new History();
    for (let row = 0; row < 300; row++) history.extend(row, [row], TABLE_ROWS);
    history.indexes.set("early", { position: 256, byteLength: 0 });
    history.indexes.set("late", { position: 257, byteLength: 0 });
    const copy = history.extend(256, [], TABLE_ROWS)!;
    expect([...copy.indexes.keys()]).toEqual(["early"]);
    expect(copy.length).toBe(256);
    copy.indexes.clear();
    expect(history.indexes.size).toBe(2);
  });

  it("is given up where much of the table is written at once, or too often", () => {
    const rows = Array.from({ length: 65 }, (_, row) => row);
    expect(new History().extend(0, rows, 65 * 8 - 1)).toBeUndefined();
    expect(new History().extend(0, rows, 65 * 8)).toBeDefined();
    expect(new History().extend(0, rows.slice(0, 64), 64)).toBeDefined();
    expect(new History().extend((1 << 20) - 1, [1, 2], TABLE_ROWS)).toBeUndefined();
  });
});
