import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countBits,
  eachSetBit,
  hasBit,
  lowestBit,
  setRange,
  wordsFor,
} from "../../../src/query/filter/bitmap.js";
import { CHUNK_ROWS, CHUNK_WORDS } from "../../../src/storage/chunk.js";

describe("setRange", () => {
  const edges = [0, 1, 31, 32, 33, 63, 64, 100, CHUNK_ROWS - 33, CHUNK_ROWS - 1, CHUNK_ROWS];
  const pairs = edges.flatMap((from) =>
    edges.filter((to) => to >= from).map((to): [number, number] => [from, to]),
  );

  it.each(pairs)("sets the bits of %i … %i and no others", (from, to) => {
    const bits = new Uint32Array(CHUNK_WORDS).fill(0x5555_5555);
    setRange(bits, from, to);
    const set = Array.from({ length: CHUNK_ROWS }, (_, row) => row).filter(
      (row) => ((bits[row >>> 5]! >>> (row & 31)) & 1) === 1,
    );
    expect([set[0], set.at(-1), set.length]).toEqual(
      from === to ? [undefined, undefined, 0] : [from, to - 1, to - from],
    );
    expect(countBits(bits, wordsFor(CHUNK_ROWS))).toBe(to - from);
  });
});

describe("a walk over set bits", () => {
  const bitmaps = fc
    .array(fc.integer({ min: 0, max: 0xffff_ffff }), { minLength: 1, maxLength: 5 })
    .map((words) => Uint32Array.from(words));

  it("visits each row that is set, ascending", () => {
    fc.assert(
      fc.property(bitmaps, (bits) => {
        const visited: number[] = [];
        eachSetBit(bits, bits.length, (row) => visited.push(row));
        const rows = Array.from({ length: 32 * bits.length }, (_, row) => row);
        expect(visited).toEqual(rows.filter((row) => hasBit(bits, row)));
        expect(visited.length).toBe(countBits(bits, bits.length));
      }),
    );
  });

  it.each([0, 1, 5, 30, 31])("finds bit %i as the lowest set bit", (position) => {
    expect(lowestBit((1 << position) >>> 0)).toBe(position);
    expect(lowestBit((0xffff_ffff << position) >>> 0)).toBe(position);
  });
});
