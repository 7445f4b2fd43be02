import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANY, createShiftAnd } from "../../src/value/shift-and.js";

/** Where the first match ends, place after place. */
function endOfFirst(sequence: readonly number[], text: string, from: number): number {
  const points = Array.from(text.slice(from), (char) => char.codePointAt(0)!);
  for (let start = 0; start + sequence.length <= points.length; start++) {
    const piece = points.slice(start, start + sequence.length);
    if (!sequence.every((wanted, i) => wanted === ANY || wanted === piece[i])) continue;
    const before = points.slice(0, start + sequence.length);
    return from + String.fromCodePoint(...before).length;
  }
  return -1;
}

const letter: fc.Arbitrary<string> = fc.constantFrom("a", "b", "\u{1f600}");
const text: fc.Arbitrary<string> = fc.string({ unit: letter, maxLength: 400 });

function sequenceOf(part: string, wild: readonly boolean[]): number[] {
  return Array.from(part, (char, i) =>
    wild[i % wild.length] === true ? ANY : char.codePointAt(0)!,
  );
}

describe("createShiftAnd", () => {
  it("F-11: finds the first match, across any number of words", () => {
    const wild = fc.array(fc.boolean(), { minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), wild, ([...chars], start, length, wilds) => {
        fc.pre(chars.length > 0);
        const at = start % chars.length;
        const part = chars.slice(at, at + 1 + (length % 150)).join("");
        const sequence = sequenceOf(part, wilds);
        const whole = chars.join("");
        expect(createShiftAnd(sequence)(whole, 0)).toBe(endOfFirst(sequence, whole, 0));
        const none = sequenceOf(`${part}c`, wilds);
        expect(createShiftAnd(none)(whole, 0)).toBe(endOfFirst(none, whole, 0));
      }),
      { numRuns: 600 },
    );
  });

  it("F-11: keeps no bitmap of what has few places in a long sequence", () => {
    const points = Array.from({ length: 5000 }, (_, i) => 0x4e00 + i);
    const sequence = points.map((point, i) => (i % 3 === 1 ? ANY : point));
    const whole = `\u4e00\u4e01${String.fromCodePoint(...points)}x`;
    expect(createShiftAnd(sequence)(whole, 0)).toBe(5002);
    expect(createShiftAnd([...sequence, 0x78])(whole, 1)).toBe(5003);
    expect(createShiftAnd([...sequence, 0x79])(whole, 0)).toBe(-1);
  });
});
