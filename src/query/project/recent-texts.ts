import { VERSION_SLOT } from "../../schema/columns.js";
import { CHUNK_MASK, type Chunk } from "../../storage/chunk.js";
import type { NumberVector } from "../../storage/number-vectors.js";

/** Characters that are kept for a table; with more, it begins anew. */
const MAX_CHARACTERS = 250_000;

/** What a record was written as, once it was asked for a second time; until then undefined. */
interface Written {
  version: number;
  text: string | undefined;
}

/**
 * Keeps the texts of records that are asked for again and again, as the first pages of a table are.
 *
 * A record is told by its place and its version: each write of it counts the version up (rule R-2),
 * and where two branches do so apart, each has a chunk of its own. That holds as long as the text
 * says only what is in the record itself; what lies behind its links may change without it.
 */
export class RecentTexts {
  /** By row; weak, so that a table that is gone can be freed. */
  #byChunk = new WeakMap<Chunk, Map<number, Written>>();
  #room = MAX_CHARACTERS;

  /** The text of a row as it was last written, or written now. */
  get(chunk: Chunk, ordinal: number, write: (ordinal: number) => string): string {
    const row = ordinal & CHUNK_MASK;
    const version = (chunk.vectors[VERSION_SLOT] as NumberVector).values[row]!; // as every such vector
    const known = this.#byChunk.get(chunk)?.get(row);
    if (known?.version === version && known.text !== undefined) return known.text;
    const text = write(ordinal);
    if (known?.version === version) known.text = flatten(text);
    else this.#add(chunk, row, { version, text: undefined }, text.length);
    return text;
  }

  #add(chunk: Chunk, row: number, written: Written, length: number): void {
    this.#room -= length;
    if (this.#room < 0) {
      this.#room = MAX_CHARACTERS;
      this.#byChunk = new WeakMap();
      return;
    }
    let rows = this.#byChunk.get(chunk);
    if (rows === undefined) {
      rows = new Map();
      this.#byChunk.set(chunk, rows);
    }
    rows.set(row, written);
  }
}

/**
 * Has V8 make one string of the parts that a text was put together from: it keeps them, which takes
 * more memory, until something reads the characters. Reading it as a number is the cheapest that does.
 */
function flatten(text: string): string {
  Number(text);
  return text;
}
