import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareStrings } from "../../src/value/compare.js";
import { firstIdAt, formatRecordId, idTail, isRecordId } from "../../src/value/id.js";
import { seed } from "../generated.js";

const number = fc.oneof(
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 53 }).map((bits) => Math.max(0, 2 ** bits - 1)),
);
const TAIL = "abcdefgh";

/** The parts of an id, by the definition of base32hex. */
function decode(id: string): { seconds: bigint; engine: bigint; counter: bigint; rest: bigint } {
  let bits = 0n;
  for (const digit of id.slice(4)) bits = bits * 32n + BigInt(Number.parseInt(digit, 32));
  const { counter, engine } = {
    counter: (bits >> 4n) & 0x1fffffn,
    engine: (bits >> 25n) & 0xffffffffffn,
  };
  return { seconds: bits >> 68n, engine, counter, rest: bits & 0xfn };
}

describe("formatRecordId", () => {
  it("R-3: is rec_ and an xid of seconds, the engine's part and a counter", () => {
    fc.assert(
      fc.property(number, fc.integer(), (n, seed) => {
        const tail = idTail(seed, 8);
        const id = formatRecordId(n, tail);
        expect(id).toMatch(/^rec_[0-9a-v]{20}$/);
        expect(isRecordId(id)).toBe(true);
        expect(decode(id)).toStrictEqual({
          seconds: BigInt(n) >> 21n,
          engine: BigInt(Number.parseInt(tail, 32)),
          counter: BigInt(n) & 0x1fffffn,
          rest: 0n,
        });
      }),
      { seed },
    );
  });

  it("R-3: ids sort by number", () => {
    fc.assert(
      fc.property(number, number, fc.integer(), (a, b, seed) => {
        const tail = idTail(seed, 8);
        const order = compareStrings(formatRecordId(a, tail), formatRecordId(b, tail));
        expect(Math.sign(order)).toBe(Math.sign(a - b));
      }),
    );
  });
});

describe("firstIdAt", () => {
  it("R-3: begins with the seconds of a time, later for later milliseconds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 41 }), (ms) => {
        const n = firstIdAt(ms);
        expect(decode(formatRecordId(n, TAIL)).seconds).toBe(BigInt(Math.floor(ms / 1000)));
        expect(firstIdAt(ms + 1)).toBeGreaterThan(n + 2047);
        expect(firstIdAt(ms + 0.5)).toBe(n);
      }),
      { seed },
    );
  });

  it("R-3: stays within the range of ids, whatever the clock", () => {
    expect(firstIdAt(Date.UTC(1, 0))).toBe(0);
    const last = firstIdAt(Date.UTC(9999, 0));
    expect(last).toBe(firstIdAt(2 ** 45));
    expect(Number.MAX_SAFE_INTEGER - last).toBeGreaterThan(2 ** 31 - 2 ** 21);
  });
});

describe("idTail", () => {
  it("R-3: is characters 0-9a-v, a function of the seed", () => {
    const tails = new Set<string>();
    for (let seed = 0; seed < 2000; seed++) {
      expect(idTail(seed, 8)).toMatch(/^[0-9a-v]{8}$/);
      expect(idTail(seed, 8)).toBe(idTail(seed, 8));
      tails.add(idTail(seed, 8));
      tails.add(idTail(seed + 2 ** 40, 8));
    }
    expect(tails.size).toBe(4000);
  });

  it("R-3: is stable, so that ids don't change with a new version", () => {
    expect([0, 1, 2 ** 53 - 1].map((seed) => idTail(seed, 10))).toStrictEqual([
      "peccr47rgp",
      "33u2hsud0l",
      "h1s46tlp3e",
    ]);
  });
});

describe("isRecordId", () => {
  it("R-3: accepts 255 characters of two units, and refuses more", () => {
    expect(isRecordId("😀".repeat(255))).toBe(true);
    for (const id of ["\ue000".repeat(256), `${"x".repeat(255)}\ude00`, "x".repeat(100_000)]) {
      expect(isRecordId(id)).toBe(false);
    }
  });

  it("R-3: equals its definition", () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "a",
        "😀",
        "\u001f",
        "\u0020",
        "\u007e",
        "\u007f",
        "\u009f",
        "\u00a0",
        "\ud83d",
        "\ude00",
      ),
      fc.constantFrom("x".repeat(252), "😀".repeat(252)),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), (parts) => {
        const text = parts.join("");
        const count = [...text].length;
        const good = count >= 1 && count <= 255 && !/[\p{Cc}\p{Cs}]/u.test(text);
        expect(isRecordId(text)).toBe(good);
      }),
      { seed, numRuns: 2000 },
    );
  });
});
