import type { Charge, Memory } from "../../engine/memory.js";
import { FormTable } from "./form-table.js";
import { foldWord } from "./words.js";

/** The id of a character run that folds to nothing. */
export const NO_WORD = -1;

const MANY_WORDS = 1 << 16;
/** Bytes of a word beside its characters, and the number of words that are charged at once. */
const WORD_BYTES = 120;
const CHARGED_WORDS = 1024;
/** Unsorted words allowed: a number, or a share of the sorted ones. */
const MAX_WAITING = 64;
const WAITING_SHARE = 1 / 8;

/**
 * Interned words of a table's texts. Append-only, so all versions of a table share it; a new
 * lexicon drops unused words.
 */
export class Lexicon {
  readonly words: string[] = [];
  /** Scratch counters by id; users reset them to zero. */
  counts: Int32Array = new Int32Array(64);
  readonly #ids: Map<string, number> = new Map();
  readonly #idsByForm: FormTable = new FormTable();
  /** Ids in the order of their words by code units, without the last words. */
  #sorted: Int32Array = new Int32Array(0);
  /** The number of words when the used ones were last counted. */
  #lengthAtCheck = MANY_WORDS / 2;
  readonly #memory: Memory | undefined;
  #charge: Charge | undefined;
  #bytes = 0;

  /** @param memory charged with its words, which may take many times their text if each is another */
  constructor(memory?: Memory) {
    this.#memory = memory;
  }

  intern(text: string, start = 0, end: number = text.length): number {
    const existing = this.#idsByForm.get(text, start, end);
    if (existing !== undefined) return existing;
    const word = foldWord(text.slice(start, end));
    const id = word === "" ? NO_WORD : (this.#ids.get(word) ?? this.#add(word));
    this.#idsByForm.add(text, start, end, id);
    return id;
  }

  find(word: string): number {
    return this.#ids.get(word) ?? NO_WORD;
  }

  /** The last `waiting` ids are not among the sorted ones. */
  order(): { readonly sorted: Int32Array; readonly waiting: number } {
    const { length } = this.words;
    const waiting = length - this.#sorted.length;
    if (waiting <= Math.max(MAX_WAITING, this.#sorted.length * WAITING_SHARE))
      return { sorted: this.#sorted, waiting };
    const added = this.words.slice(this.#sorted.length).sort();
    this.#sorted = this.#merge(added);
    return { sorted: this.#sorted, waiting: 0 };
  }

  isUsageDue(): boolean {
    return this.words.length > 2 * this.#lengthAtCheck;
  }

  hasManyUsed(used: number): boolean {
    this.#lengthAtCheck = this.words.length;
    return 2 * used >= this.words.length;
  }

  #add(word: string): number {
    this.#bytes += WORD_BYTES + 2 * word.length;
    if (this.words.length % CHARGED_WORDS === CHARGED_WORDS - 1) {
      this.#charge ??= this.#memory?.chargeFor(this, "words of the search");
      this.#charge?.set(this.#bytes);
    }
    const id = this.words.push(word) - 1;
    this.#ids.set(word, id);
    if (id === this.counts.length) this.counts = new Int32Array(2 * id); // all counters are zero here
    return id;
  }

  #merge(added: readonly string[]): Int32Array {
    const { words } = this;
    const before = this.#sorted;
    const merged = new Int32Array(words.length);
    let from = 0;
    let to = 0;
    for (const word of added) {
      while (from < before.length && words[before[from]!]! < word) merged[to++] = before[from++]!;
      merged[to++] = this.#ids.get(word)!; // every word has an id
    }
    while (from < before.length) merged[to++] = before[from++]!;
    return merged;
  }
}
