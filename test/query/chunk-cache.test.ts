import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  keepByPostings,
  keepContaining,
  narrowByPrefix,
  PREFIX_LENGTH,
  prefixRange,
} from "../../src/query/chunk-cache.js";
import { countBits, setRange } from "../../src/query/kernels.js";
import { CHUNK_ROWS, CHUNK_WORDS } from "../../src/storage/chunk.js";
import { Dictionary } from "../../src/storage/dictionary.js";
import { ListVector } from "../../src/storage/list-vector.js";
import { CodeVector, TextVector } from "../../src/storage/text-vectors.js";

const ROWS = Array.from({ length: CHUNK_ROWS }, (_, row) => row);

/** A bitmap of the rows for which a condition holds. */
function bitsWhere(holds: (row: number) => boolean): Uint32Array {
  const bits = new Uint32Array(CHUNK_WORDS);
  for (const row of ROWS) if (holds(row)) bits[row >>> 5]! |= 1 << (row & 31);
  return bits;
}

const all = (): Uint32Array => {
  const bits = new Uint32Array(CHUNK_WORDS);
  setRange(bits, 0, CHUNK_ROWS);
  return bits;
};
const some = (): Uint32Array => bitsWhere((row) => row % 3 === 0);

describe("bitmaps of codes", () => {
  /** A chunk with so many codes, those of a row either one or a list of two. */
  function makeVector(kind: "code" | "list", kinds: number): ListVector | CodeVector {
    const dictionary = new Dictionary();
    const texts = Array.from({ length: kinds }, (_, i) => `t${i}`);
    for (const text of texts) dictionary.encode(text);
    const vector =
      kind === "code"
        ? new CodeVector(CHUNK_ROWS, dictionary)
        : new ListVector(CHUNK_ROWS, dictionary);
    for (const row of ROWS) {
      const text = texts[row % kinds]!;
      vector.set(row, kind === "code" ? text : [text, texts[(row + 1) % kinds]!]);
    }
    return vector;
  }

  it.each<["code" | "list", kinds: number]>([
    ["code", 3],
    ["code", 15],
    ["list", 9],
    ["list", 128],
  ])("keep the rows of a %s column with %i values from the second time on", (kind, kinds) => {
    const vector = makeVector(kind, kinds);
    const answers = Uint8Array.from({ length: kinds + 1 }, (_, code) => code % 2);
    const codesOf = (row: number): number[] =>
      kind === "code" ? [(row % kinds) + 1] : [(row % kinds) + 1, ((row + 1) % kinds) + 1];
    expect(keepByPostings(all(), vector, CHUNK_ROWS, answers, 1, true), "first").toBe(false);
    for (const wanted of [0, 1] as const) {
      for (const inside of [true, false]) {
        for (const start of [all, some]) {
          const bits = start();
          const before = start();
          expect(keepByPostings(bits, vector, CHUNK_ROWS, answers, wanted, inside)).toBe(true);
          const isIn = (row: number): boolean =>
            codesOf(row).some((code) => answers[code] === wanted) === inside;
          const isSet = (row: number): boolean => ((before[row >>> 5]! >>> (row & 31)) & 1) === 1;
          expect(bits).toEqual(bitsWhere((row) => isSet(row) && isIn(row)));
        }
      }
    }
  });

  it.each<["code" | "list", kinds: number]>([
    ["code", 17],
    ["list", 129],
  ])("are not kept for a %s column with %i values", (kind, kinds) => {
    const vector = makeVector(kind, kinds);
    const answers = new Uint8Array(kinds + 1);
    const bits = some();
    for (let time = 0; time < 3; time++) {
      expect(keepByPostings(bits, vector, CHUNK_ROWS, answers, 1, true)).toBe(false);
    }
    expect(bits).toEqual(some());
  });

  it("are not kept for a chunk that still fills", () => {
    const vector = makeVector("code", 3);
    for (let time = 0; time < 3; time++) {
      const answers = new Uint8Array(4);
      expect(keepByPostings(all(), vector, CHUNK_ROWS - 1, answers, 1, true)).toBe(false);
    }
    expect(vector.cache).toBeUndefined();
  });
});

const BEGINNINGS = [
  "",
  "a",
  "ab",
  "abc",
  "abcd",
  "abcde",
  "abd",
  "b",
  "þ",
  "ÿ",
  "ÿz",
  "ā",
  "\u0000",
];

/** Texts that begin and go on by different periods, with null among them. */
const texts: readonly (string | null)[] = ROWS.map((row) =>
  row % 19 === 0
    ? null
    : `${BEGINNINGS[row % BEGINNINGS.length]}${["", "x", "abab", "b"][row % 4]}`,
);

describe("keys of what texts begin with", () => {
  it.each(["a", "ab", "abc", "abcd", "b", "þ", "x", "zzz", "abcde", "abcda"])(
    "narrow to those that begin with %j from the second time on",
    (prefix) => {
      const vector = new TextVector(CHUNK_ROWS, [...texts]);
      const range = prefixRange(prefix)!;
      const isExact = prefix.length <= PREFIX_LENGTH;
      const begins = (row: number): boolean => texts[row]?.startsWith(prefix) ?? false;
      const narrow = (bits: Uint32Array, exact: boolean): boolean =>
        narrowByPrefix(bits, vector, CHUNK_ROWS, range, exact, begins);
      expect(narrow(all(), isExact), "first").toBe(false);
      for (const [name, isSet] of [
        ["all", () => true],
        ["many", (row: number) => row % 3 === 0],
        ["few", (row: number) => row % 7 === 0],
        ["none", () => false],
      ] as const) {
        const bits = bitsWhere(isSet);
        expect(narrow(bits, isExact)).toBe(true);
        expect(bits, name).toEqual(bitsWhere((row) => isSet(row) && begins(row)));
      }
      const asked: (string | null)[] = [];
      narrowByPrefix(all(), vector, CHUNK_ROWS, range, true, (row) => {
        asked.push(texts[row]!);
        return false;
      });
      const unknown = (text: string | null): boolean =>
        text === null || /[\u00ff-\uffff]/.test(text.slice(0, PREFIX_LENGTH));
      expect(asked, "asked only where keys cannot tell").toEqual(texts.filter(unknown));
    },
  );

  it("are not kept for a chunk that still fills", () => {
    const vector = new TextVector(CHUNK_ROWS, texts.slice(0, -1));
    for (let time = 0; time < 3; time++) {
      const range = prefixRange("a")!;
      expect(narrowByPrefix(all(), vector, CHUNK_ROWS - 1, range, true, () => true)).toBe(false);
    }
  });

  it.each(["", "\u0000", "a\u0000", "ÿ", "abcÿ", "😀"])("cannot tell of %j", (prefix) => {
    expect(prefixRange(prefix)).toBeUndefined();
  });

  it("are a byte for each character", () => {
    const range = (low: number, high: number): number[] => [low - 2 ** 31, high - 2 ** 31];
    expect(prefixRange("a")).toEqual(range(0x61000000, 0x61fefefe));
    expect(prefixRange("abcd")).toEqual(range(0x61626364, 0x61626364));
    expect(prefixRange("abcdÿ")).toEqual(range(0x61626364, 0x61626364));
    expect(prefixRange("þ")).toEqual(range(0xfe000000, 0xfefefefe));
  });
});

describe("texts joined to one", () => {
  const contains = (operand: string) => (row: number) => texts[row]?.includes(operand) ?? false;

  it("keep those that contain another, or the others", () => {
    const operands = fc.oneof(
      fc.constantFrom(...BEGINNINGS.slice(1, -1), "bab", "cdx", "none"),
      fc.string({ unit: fc.constantFrom("a", "b", "x", "d"), minLength: 1, maxLength: 4 }),
    );
    const vector = new TextVector(CHUNK_ROWS, [...texts]);
    fc.assert(
      fc.property(operands, fc.boolean(), (operand, inside) => {
        const bits = all();
        expect(keepContaining(bits, vector, CHUNK_ROWS, operand, inside)).toBe(true);
        expect(bits).toEqual(bitsWhere((row) => contains(operand)(row) === inside));
        const few = bitsWhere((row) => row % 50 === 0);
        keepContaining(few, vector, CHUNK_ROWS, operand, inside);
        const left = bitsWhere((row) => row % 50 === 0 && contains(operand)(row) === inside);
        expect(few).toEqual(left);
      }),
    );
  });

  it.each([
    ["the first and the last", [0, CHUNK_ROWS - 1]],
    ["two that stand side by side", [7, 8]],
    ["distances that double and do not", [1, 2, 4, 9, 16, 33, 100, 1000, 3000, 4000]],
  ])("are found in %s of their rows", (_, rows) => {
    const others = ROWS.map((i) => (rows.includes(i) ? "xaaab, aaab" : i % 3 === 0 ? null : "aaa"));
    const bits = all();
    const vector = new TextVector(CHUNK_ROWS, others);
    expect(keepContaining(bits, vector, CHUNK_ROWS, "aaab", true)).toBe(true);
    expect(bits).toEqual(bitsWhere((i) => rows.includes(i)));
  });

  it("do not pay for few rows, a chunk that fills, or an operand that spans two texts", () => {
    const vector = new TextVector(CHUNK_ROWS, [...texts]);
    const few = bitsWhere((row) => row < 95);
    expect(keepContaining(few, vector, CHUNK_ROWS, "a", true)).toBe(false);
    expect(countBits(few, CHUNK_WORDS)).toBe(95);
    expect(keepContaining(all(), vector, CHUNK_ROWS - 1, "a", true)).toBe(false);
    for (const operand of ["", "\u0000", "a\u0000b"]) {
      expect(keepContaining(all(), vector, CHUNK_ROWS, operand, true)).toBe(false);
    }
    const enough = bitsWhere((row) => row < CHUNK_ROWS / 2);
    expect(keepContaining(enough, vector, CHUNK_ROWS, "a", true)).toBe(true);
  });
});
