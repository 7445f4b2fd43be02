import { type Codes, type Dictionary, NULL_CODE } from "../../storage/vectors.js";
import { wordsFor } from "./bitmap.js";
import { narrowByCode, narrowToCode } from "./kernels.js";

/** Memoized results of a test by dictionary code. */
export class CodeAnswers {
  readonly #dictionary: Dictionary | undefined;
  readonly #ask: (text: string) => boolean;
  #answers: Uint8Array;
  #isKnown: Uint8Array;
  #known = 1;
  /** The codes whose result is true: how many, and one of them; −1 is no code. */
  #matching = 0;
  #match = -1;

  constructor(
    dictionary: Dictionary | undefined,
    nullMatches: boolean,
    ask: (text: string) => boolean,
  ) {
    this.#dictionary = dictionary;
    this.#ask = ask;
    const size = dictionary?.size ?? 1;
    this.#answers = new Uint8Array(size);
    this.#isKnown = new Uint8Array(size);
    this.#isKnown[NULL_CODE] = 1;
    this.#set(NULL_CODE, nullMatches);
  }

  /** Narrows a chunk's rows to those whose code matches. */
  narrow(
    bits: Uint32Array,
    count: number,
    codes: Codes,
    answers: Uint8Array = this.forCodes(codes, count),
  ): void {
    const words = wordsFor(count);
    if (this.#matching > 1 || !narrowToCode(bits, words, codes, this.#match)) {
      narrowByCode(bits, words, codes, answers);
    }
  }

  of(code: number): boolean {
    this.#answer(code);
    return this.#answers[code] === 1;
  }

  /** Returns the results, complete for the given codes. */
  forCodes(codes: Codes, count: number): Uint8Array {
    for (let i = 0; i < count && this.#known < this.#isKnown.length; i++) {
      if (this.#isKnown[codes[i]!] === 0) this.#answer(codes[i]!);
    }
    return this.#answers;
  }

  #answer(code: number): void {
    if (this.#isKnown[code] === 1) return;
    this.#isKnown[code] = 1;
    this.#known++;
    this.#set(code, this.#ask(this.#dictionary!.values[code]!)); // every code is in the dictionary
  }

  #set(code: number, matches: boolean): void {
    if (!matches) return;
    this.#answers[code] = 1;
    this.#matching++;
    this.#match = code;
  }
}
