import fc from "fast-check";
import { expect, it } from "vitest";
import { firstOf } from "../../src/value/heap.js";
import { NumberCodes } from "../../src/value/number-codes.js";
import { PairCodes } from "../../src/value/pair-codes.js";
import { Numbers, percentilesOf } from "../../src/value/percentiles.js";
import { runs, seed } from "../generated.js";

function assert(property: fc.IRawProperty<unknown>): void {
  void fc.assert(property, { seed, numRuns: Math.ceil(800 * runs) });
}

it("NumberCodes finds any numbers", () => {
  const codes = new NumberCodes();
  const numbers = Array.from({ length: 3000 }, (_, i) => [
    i,
    -i - 1,
    i + 0.5,
    i * 2 ** 30 + 2 ** 21,
  ]).flat();
  for (const [index, number] of numbers.entries()) {
    expect(codes.find(number, index + 1)).toBe(index + 1);
  }
  const expected = numbers.map((_, i) => i + 1);
  expect(numbers.map((number) => codes.find(number, -1))).toEqual(expected);
});

it("PairCodes numbers each pair once, whichever part grows first", () => {
  const part = fc.oneof(fc.nat(20), fc.nat(3000), fc.nat(2 ** 25));
  assert(
    fc.property(fc.array(fc.tuple(part, part), { maxLength: 100 }), (pairs) => {
      const codes = new PairCodes();
      const known = new Map<string, number>();
      for (const [outer, code] of [...pairs, ...pairs]) {
        const key = `${outer} ${code}`;
        if (!known.has(key)) known.set(key, known.size + 1);
        expect(codes.find(outer, code)).toBe(known.get(key));
      }
      expect(codes.size).toBe(known.size + 1);
    }),
  );
});

it("PairCodes tells pairs apart whose places in the table are equal modulo 2^32", () => {
  const codes = new PairCodes();
  expect(codes.find(1, 300_000)).toBe(1);
  expect(codes.find(2 ** 13 + 1, 300_000)).toBe(2);
});

it("firstOf returns the first members in order", () => {
  assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 12 }), (members, most) => {
      const sorted = members.slice().sort((a, b) => b - a);
      expect(firstOf(members, most, (a, b) => b - a)).toEqual(sorted.slice(0, most));
    }),
  );
});

it("X-6: percentiles of many numbers are those of the sorted ones", () => {
  const make = [
    (i: number) => (i % 51) / 10,
    (i: number) => ((i * 7919) % 10_007) - 5000,
    (i: number) => (i % 2 === 0 ? -1 : 1) * 2 ** (i % 1000),
    () => 7,
  ];
  const percentiles = [0, 1, 37.5, 50, 95, 99.99, 100];
  for (const numberOf of make) {
    const all = Float64Array.from({ length: 20_000 }, (_, i) => numberOf(i));
    const numbers = new Numbers();
    const of = Int32Array.from(all, (_, i) => (i % 3 === 0 ? 2 : 0));
    for (let from = 0; from < all.length; from += 4096) {
      const part = all.subarray(from, from + 4096);
      numbers.add(part, of.subarray(from, from + 4096));
    }
    for (const group of [0, 1, 2]) {
      const own = all.filter((_, i) => of[i] === group).sort();
      const small = Array.from({ length: own.length }, (_, i) => own[i]!);
      expect(percentilesOf(numbers.of(group), percentiles)).toEqual(
        percentiles.map((percentile) => interpolate(small, percentile)),
      );
    }
  }
});

function interpolate(sorted: readonly number[], percentile: number): number | null {
  if (sorted.length === 0) return null;
  const last = sorted.length - 1;
  const place = Math.min(Math.max((percentile * sorted.length) / 100 - 0.5, 0), last);
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  const share = place - Math.floor(place);
  const between = below + (above - below) * share;
  return Number.isFinite(between) ? between : below * (1 - share) + above * share;
}
