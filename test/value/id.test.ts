import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareStrings } from "../../src/value/compare.js";
import { formatRecordId, idTail, isRecordId } from "../../src/value/id.js";
import { seed } from "../generated.js";

const counter = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 50 - 1 }),
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 50 }).map((bits) => Math.max(0, 2 ** bits - 1)),
);

describe("formatRecordId", () => {
  it.each([
    [0, "rec_0000000000abcdefghij"],
    [32, "rec_0000000010abcdefghij"],
    [2 ** 32 + 33, "rec_0004000011abcdefghij"],
    [2 ** 50 - 1, "rec_vvvvvvvvvvabcdefghij"],
  ])("R-3: writes %d as %s", (n, id) => {
    expect(formatRecordId(n, "abcdefghij")).toBe(id);
  });

  it("R-3: is rec_, the counter in base 32 and the tail", () => {
    fc.assert(
      fc.property(counter, fc.integer(), (n, seed) => {
        const tail = idTail(seed);
        expect(formatRecordId(n, tail)).toBe(`rec_${n.toString(32).padStart(10, "0")}${tail}`);
        expect(formatRecordId(n, tail)).toMatch(/^rec_[0-9a-v]{20}$/);
        expect(isRecordId(formatRecordId(n, tail))).toBe(true);
      }),
      { seed },
    );
  });

  it("R-3: ids sort by counter", () => {
    fc.assert(
      fc.property(counter, counter, fc.integer(), (a, b, seed) => {
        const tail = idTail(seed);
        const order = compareStrings(formatRecordId(a, tail), formatRecordId(b, tail));
        expect(Math.sign(order)).toBe(Math.sign(a - b));
      }),
    );
  });
});

describe("idTail", () => {
  it("R-3: is ten characters 0-9a-v, a function of the seed", () => {
    const tails = new Set<string>();
    for (let seed = 0; seed < 2000; seed++) {
      expect(idTail(seed)).toMatch(/^[0-9a-v]{10}$/);
      expect(idTail(seed)).toBe(idTail(seed));
      tails.add(idTail(seed));
      tails.add(idTail(seed + 2 ** 40));
    }
    expect(tails.size).toBe(4000);
  });

  it("R-3: is stable, so that ids don't change with a new version", () => {
    expect([0, 1, 2 ** 53 - 1].map(idTail)).toStrictEqual([
      "peccr47rgp",
      "33u2hsud0l",
      "h1s46tlp3e",
    ]);
  });
});

describe("isRecordId", () => {
  it.each([
    "rec_0123456789abcdefghij",
    "\u00a0",
    "\u2028",
    "__proto__",
    "😀".repeat(255),
    `${"x".repeat(254)}😀`,
  ])("R-3: accepts %j", (id) => {
    expect(isRecordId(id)).toBe(true);
  });

  it.each([
    "",
    "a\nb",
    "\u0080",
    "\u009fa",
    "a\ude00",
    `${"x".repeat(255)}😀`,
    "\ue000".repeat(256),
    `${"x".repeat(255)}\ude00`,
    "x".repeat(100_000),
    undefined,
    null,
    1,
    ["a"],
    { id: "a" },
    Object("a"),
  ])("R-3: refuses %j", (id) => {
    expect(isRecordId(id)).toBe(false);
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
