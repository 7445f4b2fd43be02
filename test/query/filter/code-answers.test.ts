import fc from "fast-check";
import { expect, it } from "vitest";
import { wordsFor } from "../../../src/query/filter/kernels.js";
import { CodeAnswers } from "../../../src/query/filter/leaf-kernels.js";
import { CHUNK_ROWS } from "../../../src/storage/chunk.js";
import { Dictionary } from "../../../src/storage/vectors.js";
import { runs, seed } from "../../generated.js";

const TEXTS = Array.from({ length: 400 }, (_, i) => `text ${i}`);

it("narrows rows to matching codes, whether these are searched or tested row by row", () => {
  const dictionary = new Dictionary();
  for (const text of TEXTS) dictionary.encode(text);
  const part = fc.constantFrom(0, 0.001, 0.01, 0.3, 1);
  const given = fc.record({
    count: fc.constantFrom(0, 1, 33, 1500, CHUNK_ROWS - 1, CHUNK_ROWS),
    wanted: fc.uniqueArray(fc.constantFrom(...TEXTS), { maxLength: 3 }),
    nullMatches: fc.boolean(),
    often: part,
    chosen: part,
    random: fc.integer(),
  });
  fc.assert(
    fc.property(given, ({ count, wanted, nullMatches, often, chosen, random }) => {
      let state = random;
      const next = (): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        return (state >>> 0) / 2 ** 32;
      };
      const [frequent = TEXTS[0]!] = wanted;
      const codes = Uint16Array.from({ length: CHUNK_ROWS }, () =>
        next() < often ? dictionary.find(frequent) : Math.floor(next() * (TEXTS.length + 1)),
      );
      const bits = new Uint32Array(wordsFor(CHUNK_ROWS));
      const expected: number[] = [];
      for (let row = 0; row < count; row++) {
        if (next() < chosen) continue;
        bits[row >>> 5]! |= 1 << (row & 31);
        const code = codes[row]!;
        const matches = code === 0 ? nullMatches : wanted.includes(dictionary.values[code]!);
        if (matches) expected.push(row);
      }
      const answers = new CodeAnswers(dictionary.size, nullMatches, (code) =>
        wanted.includes(dictionary.values[code]!),
      );
      answers.narrow(bits, count, codes);
      const rows = Array.from({ length: CHUNK_ROWS }, (_, row) => row);
      expect(rows.filter((row) => (bits[row >>> 5]! & (1 << (row & 31))) !== 0)).toEqual(expected);
    }),
    { seed, numRuns: Math.ceil(300 * runs) },
  );
});
