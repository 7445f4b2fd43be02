import { FormTable } from "./form-table.js";
import { foldWord } from "./words.js";

/** In place of a run of characters that is no word once it is folded (rule Q-2). */
export const NO_WORD = -1;

/** Smaller lexicons are not looked through for words that no text has any more. */
const MANY_WORDS = 1 << 16;
/** Words that may wait to be put in order, and the share of those in order that may. */
const MAX_WAITING = 64;
const WAITING_SHARE = 1 / 8;

/**
 * The words of a table's texts, each under an id. It only grows, and an id keeps its meaning, so
 * all versions of a table share it; what is in no text any more goes when a new one is begun.
 */
export class Lexicon {
  /** By id, as they are compared. */
  readonly words: string[] = [];
  /** Zeros by id, for whoever counts words; put back to zeros by them. */
  counts: Int32Array = new Int32Array(64);
  readonly #ids: Map<string, number> = new Map();
  readonly #idsByForm: FormTable = new FormTable();
  /** The ids of the first words in the order of the words, by code units. */
  #sorted: Int32Array = new Int32Array(0);
  /** How many words there were when it was last told how many are used. */
  #lookedThrough = MANY_WORDS / 2;

  /** The id of the word that a piece of a text is, given to it now if it has none. */
  intern(text: string, start = 0, end: number = text.length): number {
    const known = this.#idsByForm.get(text, start, end);
    if (known !== undefined) return known;
    const word = foldWord(text.slice(start, end));
    const id = word === "" ? NO_WORD : (this.#ids.get(word) ?? this.#add(word));
    this.#idsByForm.add(text, start, end, id);
    return id;
  }

  /** The id of a word as it is compared, or {@link NO_WORD}. */
  find(word: string): number {
    return this.#ids.get(word) ?? NO_WORD;
  }

  /** The ids of the words in order, and how many of the last have yet to be put there. */
  order(): { readonly sorted: Int32Array; readonly waiting: number } {
    const { length } = this.words;
    const waiting = length - this.#sorted.length;
    if (waiting <= Math.max(MAX_WAITING, this.#sorted.length * WAITING_SHARE))
      return { sorted: this.#sorted, waiting };
    const added = this.words.slice(this.#sorted.length).sort(); // by code units
    this.#sorted = this.#merge(added);
    return { sorted: this.#sorted, waiting: 0 };
  }

  /** Whether it has grown so much that its words are worth being looked through. */
  isDue(): boolean {
    return this.words.length > 2 * this.#lookedThrough;
  }

  /** Whether so many of its words are used that it may stay. */
  isWorthKeeping(used: number): boolean {
    this.#lookedThrough = this.words.length;
    return 2 * used >= this.words.length;
  }

  #add(word: string): number {
    const id = this.words.push(word) - 1;
    this.#ids.set(word, id);
    if (id === this.counts.length) this.counts = new Int32Array(2 * id); // nobody counts meanwhile
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
