import { type Dictionary, NULL_CODE } from "../../storage/dictionary.js";

/** Memoized results of a test by dictionary code. */
export class CodeAnswers {
  readonly #dictionary: Dictionary | undefined;
  readonly #ask: (text: string) => boolean;
  #answers: Uint8Array;
  #isKnown: Uint8Array;
  #known = 1;

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
    this.#answers[NULL_CODE] = nullMatches ? 1 : 0;
    this.#isKnown[NULL_CODE] = 1;
  }

  of(code: number): boolean {
    this.#answer(code);
    return this.#answers[code] === 1;
  }

  /** Returns the results, complete for the given codes. */
  forCodes(codes: Uint8Array | Uint16Array | Int32Array, count: number): Uint8Array {
    for (let i = 0; i < count && this.#known < this.#isKnown.length; i++) {
      if (this.#isKnown[codes[i]!] === 0) this.#answer(codes[i]!);
    }
    return this.#answers;
  }

  #answer(code: number): void {
    if (this.#isKnown[code] === 1) return;
    this.#isKnown[code] = 1;
    this.#known++;
    this.#answers[code] = this.#ask(this.#dictionary!.values[code]!) ? 1 : 0; // every code is in the dictionary
  }
}
