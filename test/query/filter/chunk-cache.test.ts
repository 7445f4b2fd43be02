import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countBits, setRange } from "../../../src/query/filter/bitmap.js";
import {
  keepByPostings,
  keepContaining,
  narrowByPrefix,
  PREFIX_LENGTH,
  prefixRange,
} from "../../../src/query/filter/chunk-cache.js";
import { createJoinedSearch } from "../../../src/query/filter/joined-text.js";
import { CHUNK_ROWS, CHUNK_WORDS } from "../../../src/storage/chunk.js";
import { Dictionary } from "../../../src/storage/dictionary.js";
import { ListVector } from "../../../src/storage/list-vector.js";
import { CodeVector, TextVector } from "../../../src/storage/text-vectors.js";
import type { FindIn } from "../../../src/value/find-text.js";
import { runs, seed } from "../../generated.js";

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
/** How often the rows of a chunk that still fills are asked for before anything is kept. */
const USES_FILLING = 8;
const times = (count: number): number[] => Array.from({ length: count }, (_, time) => time);

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
    expect(
      keepByPostings(all(), vector, CHUNK_ROWS, { answers, wanted: 1, inside: true }),
      "first",
    ).toBe(false);
    for (const wanted of [0, 1] as const) {
      for (const inside of [true, false]) {
        for (const start of [all, some]) {
          const bits = start();
          const before = start();
          expect(keepByPostings(bits, vector, CHUNK_ROWS, { answers, wanted, inside })).toBe(true);
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
      expect(keepByPostings(bits, vector, CHUNK_ROWS, { answers, wanted: 1, inside: true })).toBe(
        false,
      );
    }
    expect(bits).toEqual(some());
  });

  it.each([1, 31, 32, 33, 1000])("keep the rows of a chunk that has %i of them", (count) => {
    const vector = makeVector("list", 9);
    const answers = Uint8Array.from({ length: 10 }, (_, code) => (code === 3 ? 1 : 0));
    const ask = (rows: number): Uint32Array | undefined => {
      const bits = bitsWhere((row) => row < rows);
      return keepByPostings(bits, vector, rows, { answers, wanted: 1, inside: true })
        ? bits
        : undefined;
    };
    const wanted = (rows: number): Uint32Array =>
      bitsWhere((row) => row < rows && (row % 9 === 1 || row % 9 === 2));
    // One more row, then a version from before.
    for (const rows of [count, count + 1, count]) {
      for (const time of times(USES_FILLING)) expect(ask(rows), `${rows} ${time}`).toBeUndefined();
      expect(ask(rows)).toEqual(wanted(rows));
    }
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
  "aÿ",
  "abcā",
  "\u0000",
];

/** Texts that begin and go on by different periods, with null among them. */
const texts: readonly (string | null)[] = ROWS.map((row) =>
  row % 19 === 0
    ? null
    : `${BEGINNINGS[row % BEGINNINGS.length]}${["", "x", "abab", "b"][row % 4]}`,
);

describe("keys of text prefixes", () => {
  it.each(["a", "ab", "abc", "abcd", "b", "þ", "x", "zzz", "abcde", "abcda"])(
    "narrow to those that begin with %j from the second time on",
    (prefix) => {
      const vector = new TextVector(CHUNK_ROWS, [...texts]);
      const range = prefixRange(prefix)!;
      const isExact = prefix.length <= PREFIX_LENGTH;
      const begins = (row: number): boolean => texts[row]?.startsWith(prefix) ?? false;
      const narrow = (bits: Uint32Array, exact: boolean): boolean =>
        narrowByPrefix(bits, vector, CHUNK_ROWS, { ...range, isExact: exact }, begins);
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
      narrowByPrefix(all(), vector, CHUNK_ROWS, { ...range, isExact: true }, (row) => {
        asked.push(texts[row]!);
        return false;
      });
      const unknown = (text: string | null): boolean =>
        text === null || /[\u00ff-\uffff]/.test(text.slice(0, PREFIX_LENGTH));
      expect(asked, "asked only where keys cannot tell").toEqual(texts.filter(unknown));
    },
  );

  it.each([1, 31, 32, 33, 1000])("narrow the rows of a chunk that has %i of them", (count) => {
    const vector = new TextVector(CHUNK_ROWS, [...texts]);
    const begins = (row: number): boolean => texts[row]?.startsWith("ab") ?? false;
    const ask = (rows: number): Uint32Array | undefined => {
      const bits = bitsWhere((row) => row < rows);
      const isDone = narrowByPrefix(
        bits,
        vector,
        rows,
        { ...prefixRange("ab")!, isExact: true },
        begins,
      );
      return isDone ? bits : undefined;
    };
    for (const rows of [count, count + 1]) {
      for (const time of times(USES_FILLING)) expect(ask(rows), `${rows} ${time}`).toBeUndefined();
      expect(ask(rows)).toEqual(bitsWhere((row) => row < rows && begins(row)));
    }
  });

  it.each(["", "\u0000", "a\u0000", "ÿ", "abcÿ", "😀"])("cannot tell of %j", (prefix) => {
    expect(prefixRange(prefix)).toBeUndefined();
  });

  it("are a byte for each character", () => {
    const range = (low: number, high: number) => ({ low: low - 2 ** 31, high: high - 2 ** 31 });
    expect(prefixRange("a")).toEqual(range(0x61000000, 0x61fefefe));
    expect(prefixRange("abcd")).toEqual(range(0x61626364, 0x61626364));
    expect(prefixRange("abcdÿ")).toEqual(range(0x61626364, 0x61626364));
    expect(prefixRange("þ")).toEqual(range(0xfe000000, 0xfefefefe));
  });
});

describe("texts joined to one", () => {
  const contains = (operand: string) => (row: number) => texts[row]?.includes(operand) ?? false;
  const needle = (text: string): FindIn => createJoinedSearch(text)!;

  it("keep those that contain a piece, or the others", () => {
    const operands = fc.oneof(
      fc.constantFrom(...BEGINNINGS.slice(1, -1), "bab", "cdx", "none"),
      fc.string({ unit: fc.constantFrom("a", "b", "x", "d"), minLength: 1, maxLength: 9 }),
    );
    const vector = new TextVector(CHUNK_ROWS, [...texts]);
    fc.assert(
      fc.property(operands, fc.boolean(), (operand, inside) => {
        const bits = all();
        expect(keepContaining(bits, vector, CHUNK_ROWS, needle(operand), inside)).toBe(true);
        expect(bits).toEqual(bitsWhere((row) => contains(operand)(row) === inside));
        const few = bitsWhere((row) => row % 50 === 0);
        keepContaining(few, vector, CHUNK_ROWS, needle(operand), inside);
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
    expect(keepContaining(bits, vector, CHUNK_ROWS, needle("aaab"), true)).toBe(true);
    expect(bits).toEqual(bitsWhere((i) => rows.includes(i)));
  });

  it("do not pay for few rows", () => {
    const vector = new TextVector(CHUNK_ROWS, [...texts]);
    const few = bitsWhere((row) => row < 95);
    expect(keepContaining(few, vector, CHUNK_ROWS, needle("a"), true)).toBe(false);
    expect(countBits(few, CHUNK_WORDS)).toBe(95);
    const enough = bitsWhere((row) => row < CHUNK_ROWS / 2);
    expect(keepContaining(enough, vector, CHUNK_ROWS, needle("a"), true)).toBe(true);
  });

  it("hold the rows of a chunk that still fills, and no more", () => {
    const vector = new TextVector(CHUNK_ROWS, [...texts]);
    for (const count of [1000, 1001]) {
      const bits = bitsWhere((row) => row < count);
      const ask = (): boolean => keepContaining(bits, vector, count, needle("ab"), true);
      for (const time of times(USES_FILLING)) expect(ask(), `${count} ${time}`).toBe(false);
      expect(ask()).toBe(true);
      expect(bits).toEqual(bitsWhere((row) => row < count && contains("ab")(row)));
    }
  });

  it.each(["", "\u0000", "a\u0000b"])("are not searched for %j", (operand) => {
    expect(createJoinedSearch(operand)).toBeUndefined();
  });
});

describe("a search in joined texts", () => {
  /** Every place at which a text stands, by the language alone. */
  function placesOf(text: string, haystack: string): number[] {
    return Array.from(haystack, (_, at) => at).filter((at) => haystack.startsWith(text, at));
  }

  function find(text: string, haystack: string): number[] {
    const indexIn = createJoinedSearch(text)!;
    const found: number[] = [];
    for (let at = indexIn(haystack, 0); at >= 0; at = indexIn(haystack, at + 1)) {
      if (found.length > haystack.length) throw new Error("a place is found again and again");
      found.push(at);
    }
    return found;
  }

  const STRETCH = "abaabaaabab".repeat(20);
  const common = fc.constantFrom("a", "a", "b");
  const rare = fc.constantFrom("q", "ÿ", "ā", "a");
  it.each<[string, fc.Arbitrary<string>]>([
    ["of common characters", fc.string({ unit: common, minLength: 1, maxLength: 12 })],
    [
      "with a rare one within",
      fc
        .tuple(
          fc.string({ unit: common, maxLength: 9 }),
          rare,
          fc.string({ unit: common, maxLength: 9 }),
        )
        .map((parts) => parts.join("")),
    ],
  ])("finds a text %s wherever it stands", (_, texts) => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.tuple(fc.nat(200), fc.nat(5)), { maxLength: 30 }),
        (text, others) => {
          // The needle and what is nearly it stand between longer stretches of common characters.
          const near = [text, text, text.slice(1), text.slice(0, -1), text.slice(0, 3), ""];
          const haystack = others
            .map(([length, i]) => `${STRETCH.slice(0, length)}${near[i]!}`)
            .join("");
          expect(find(text, haystack)).toEqual(placesOf(text, haystack));
        },
      ),
      { seed, numRuns: Math.ceil(300 * runs) },
    );
  });
});
