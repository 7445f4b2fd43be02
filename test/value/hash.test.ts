import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checksum, createRandom, hashString, randomRank } from "../../src/value/hash.js";
import { formatRecordId, idTail } from "../../src/value/id.js";
import { seed } from "../generated.js";
import { anyCharacter } from "./any-character.js";

const CURSOR_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const ids = Array.from({ length: 4096 }, (_, n) => formatRecordId(n, idTail(1, 8)));

/** Random seeds, and one with a single bit. */
const SEEDS = [0x2f6b41c9, -0x5dcba987, 0x7ffffffe, 2];

describe.each(SEEDS)("hashString with the seed %d", (hashSeed) => {
  const hash = (text: string): number => hashString(text, hashSeed);

  it("differs for short texts, and for texts of other length or order", () => {
    const texts = [
      "",
      "a",
      "b",
      "aa",
      "ab",
      "ba",
      "aaa",
      "\u0000",
      "\u0000\u0000",
      "a\u0000",
      "\u0000a",
      "\uffff",
      "a\uffff",
    ];
    expect(new Set(texts.map(hash)).size).toBe(texts.length);
  });

  it("spreads consecutive ids over a table", () => {
    const slots = new Set(ids.map((id) => hash(id) & 8191));
    // 4,096 random hashes fill 3,223 of 8,192 slots on average.
    expect(slots.size).toBeGreaterThan(3100);
  });
});

describe("hashString", () => {
  it("has no more collisions of consecutive ids than random hashes", () => {
    const tail = idTail(2, 8);
    const ids = Array.from({ length: 200_000 }, (_, n) => formatRecordId(n, tail));
    let collisions = 0;
    for (const hashSeed of SEEDS) {
      collisions += ids.length - new Set(ids.map((id) => hashString(id, hashSeed))).size;
    }
    // 200,000 random 32-bit hashes have 5 collisions on average.
    expect(collisions).toBeLessThan(SEEDS.length * 25);
  });

  it("E-5: texts that collide in one process do not in the next", () => {
    // Colliding blocks of four characters, found by chance.
    const [seed, other] = SEEDS as [number, number];
    const textByHash = new Map<number, string>();
    const equal: [string, string][] = [];
    for (let i = 0; equal.length < 8; i++) {
      const text = String.fromCharCode(i & 255, 7 * i, i >>> 8, 5 * i);
      const hash = hashString(text, seed);
      const known = textByHash.get(hash);
      if (known === undefined) textByHash.set(hash, text);
      else if (known !== text) equal.push([known, text]);
    }
    for (const [a, b] of equal) expect(hashString(a, other)).not.toBe(hashString(b, other));
    // And pairs of characters that collide within one multiplication.
    const pairOf = (unit: number, hashSeed: number): number =>
      Math.imul(unit, 0x9e3779b1 ^ ((hashSeed & 0xffff) << 8));
    const units = new Map<number, number>();
    const wrong: string[] = [];
    for (let unit = 0; unit < 0x10000; unit++) {
      const known = units.get(pairOf(unit, seed) >>> 16);
      units.set(pairOf(unit, seed) >>> 16, unit);
      if (known === undefined) continue;
      const low = (pairOf(unit, seed) ^ pairOf(known, seed)) & 0xffff;
      const [a, b] = [String.fromCharCode(0, known), String.fromCharCode(low, unit)];
      const collides = hashString(a, seed) === hashString(b, seed);
      if (!collides || hashString(a, other) === hashString(b, other)) wrong.push(a + b);
    }
    expect(wrong).toEqual([]);
  });

  it("E-5: has a random seed by default", () => {
    expect(hashString("a")).toBe(hashString("a"));
    const first = hashString("abcd");
    expect(SEEDS.some((seed) => hashString("abcd", seed) === first)).toBe(false);
  });
});

describe("randomRank", () => {
  it("S-4: is a whole number below 2^53, a function of seed and id", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.string({ unit: anyCharacter, maxLength: 30 }), (seed, id) => {
        const rank = randomRank(seed, id);
        expect(Number.isSafeInteger(rank) && rank >= 0).toBe(true);
        expect(randomRank(seed, [...id].join(""))).toBe(rank);
      }),
    );
  });

  it("S-4: is stable, so that cursors of earlier versions neither repeat nor miss records", () => {
    const ranks = [
      randomRank(0, ""),
      randomRank(0, "a"),
      randomRank(1, "a"),
      randomRank(2 ** 53 - 1, "rec_0123456789abcdefghij"),
    ];
    expect(ranks).toStrictEqual([
      263171297888949, 8492701404896105, 1076163263206837, 873169493541556,
    ]);
  });

  it("S-4: gives every order of four records equally often", () => {
    const records = ["a", "b", ids[0]!, ids[1]!];
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 24_000; seed++) {
      const rank = new Map(records.map((id) => [id, randomRank(seed, id)]));
      const order = [...records].sort((x, y) => rank.get(x)! - rank.get(y)!).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(160);
  });
});

describe("checksum", () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 60 });

  it("G-4: is eight characters of the cursor's alphabet", () => {
    fc.assert(
      fc.property(text, (t) => /^[A-Za-z0-9_-]{8}$/.test(checksum(t))),
      { seed },
    );
  });

  it("G-13: detects every changed character of a cursor", () => {
    const cursor = "eyJmIjpbXSwicyI6W10sImsiOlsxLCJyZWNfMDAwMDAwMDAwMGFiY2RlZmdoaWoiXX0";
    const whole = checksum(cursor);
    for (let at = 0; at < cursor.length; at++) {
      for (const char of CURSOR_CHARACTERS) {
        if (char === cursor[at]) continue;
        expect(checksum(cursor.slice(0, at) + char + cursor.slice(at + 1))).not.toBe(whole);
      }
    }
  });

  it("G-13: detects a changed, added or removed character", () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(text, unit, text, unit, (before, char, after, other) => {
        const whole = checksum(before + char + after);
        expect(checksum(before + after)).not.toBe(whole);
        expect(checksum(before + other + after) === whole).toBe(char === other);
        expect(checksum(before + char + other + after)).not.toBe(whole);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it("G-4: is stable, so that cursors of earlier versions are accepted", () => {
    expect(["", "a", "cursor"].map(checksum)).toStrictEqual(["qz58C5yg", "GoCxs6aB", "MEdMrxfG"]);
  });
});

describe("createRandom", () => {
  const draw = (seed: number, count: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: count }, () => random());
  };

  it("is stable, so that new versions give the same answers", () => {
    expect(draw(1, 4)).toStrictEqual([407313921, 475071132, 4108429505, 301192635]);
  });

  it("differs for every seed, small, large or negative", () => {
    const seeds = [0, 1, 2, -1, -2, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 52, 2 ** 53 - 1];
    const sequences = seeds.map((seed) => draw(seed, 3).join());
    expect(new Set(sequences).size).toBe(seeds.length);
  });

  it("shares no state between two generators", () => {
    const first = createRandom(5);
    const second = createRandom(5);
    first();
    expect([first(), second(), second()]).toStrictEqual([draw(5, 2)[1], ...draw(5, 2)]);
  });
});
