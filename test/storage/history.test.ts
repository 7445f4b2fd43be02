import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexHistory, type TableIndex } from "../../src/storage/index-history.js";
import { seed } from "../generated.js";

/** The history of a table version, and a plain list of its written rows. */
interface Version {
  readonly history: IndexHistory;
  readonly written: readonly number[];
}

const TABLE_ROWS = 1_000_000;
const KEY = "order 4+";

const indexAt = (position: number): TableIndex => ({ position, byteLength: 8 });

function write({ history, written }: Version, rows: readonly number[]): Version {
  return {
    history: history.advance(written.length, rows, TABLE_ROWS),
    written: [...written, ...rows],
  };
}

/** A version with an index at position 0, after one write per row. */
function writeOneByOne(rows: readonly number[]): Version {
  const history = new IndexHistory();
  history.keepIndex(KEY, indexAt(0));
  return rows.reduce((version, row) => write(version, [row]), { history, written: [] } as Version);
}

describe("a history", () => {
  const step = fc.record({
    /** Picks the version to write to, or to index. */
    version: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    rows: fc.option(fc.array(fc.nat(1000), { maxLength: 300, size: "max" }), { freq: 3 }),
  });

  it("lists the rows written since an index, independent of other versions", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 16, size: "max" }), (steps) => {
        const versions: Version[] = [{ history: new IndexHistory(), written: [] }];
        /** The rows that each index covers, in the order of the writes. */
        const known = new Map<TableIndex, readonly number[]>();
        for (const { version, rows } of steps) {
          const base = versions[Math.floor(version * versions.length)]!;
          if (rows !== null) versions.push(write(base, rows));
          else {
            const index = indexAt(base.written.length);
            base.history.keepIndex(KEY, index);
            known.set(index, base.written);
            expect(base.history.findIndex(KEY, base.written.length)?.position).toBe(index.position);
          }
        }
        for (const { history, written } of versions) {
          const index = history.findIndex(KEY, written.length);
          if (index === undefined) continue;
          const before = known.get(index)!;
          expect(written.slice(0, before.length), "the index belongs to an ancestor").toEqual(
            before,
          );
          const since = [...new Set(written.slice(before.length))];
          expect([...history.writtenSince(index, written.length).rows]).toEqual(since);
          const between = history.writtenBetween(before.length, written.length);
          expect([...new Set(between)]).toEqual(since);
        }
      }),
      { seed },
    );
  });

  it("serves an earlier version only by its own index where the writes since are unknown", () => {
    const history = new IndexHistory(5);
    expect(history.advance(5, [3], TABLE_ROWS)).toBe(history);
    history.keepIndex(KEY, indexAt(6)); // writes are recorded from here on
    history.keepIndex(KEY, indexAt(5));
    const positions = [4, 5, 6].map((at) => history.findIndex(KEY, at)?.position);
    expect(positions).toEqual([undefined, 5, 6]);
    history.keepIndex("link 4", indexAt(5));
    expect(history.findIndex("link 4", 6)).toBeUndefined();
    const branch = history.advance(5, [7, 8], TABLE_ROWS);
    const index = branch.findIndex("link 4", 7)!;
    expect([...branch.writtenSince(index, 7).rows]).toEqual([7, 8]);
  });

  it("drops its indexes after writes of more than an eighth of the table, or than 2^20 rows", () => {
    const rows = Array.from({ length: 65 }, (_, row) => row);
    const isKept = (written: readonly number[], tableRows: number): boolean => {
      const { history } = writeOneByOne([]);
      const next = history.advance(0, written, tableRows);
      expect(next.demand).toBe(history.demand);
      return next.findIndex(KEY, written.length) !== undefined;
    };
    expect(isKept(rows, 65 * 8 - 1)).toBe(false);
    expect(isKept(rows, 65 * 8)).toBe(true);
    expect(isKept(rows.slice(0, 64), 64)).toBe(true);
    const most = Array.from({ length: 1 << 20 }, () => 0);
    expect(isKept(most, 1 << 24)).toBe(true);
    expect(isKept([...most, 0], 1 << 24)).toBe(false);
  });
});
