import { eachSetBit } from "../../query/filter/kernels.js";
import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { Vector } from "../../storage/vector.js";
import { checkEvery } from "../../value/check-every.js";
import { textsIn } from "../../value/json.js";
import { lowerBound } from "../../value/lower-bound.js";
import { copiedInto } from "../words/form-table.js";
import { type Lexicon, NO_WORD } from "../words/lexicon.js";
import type { MatchingWords } from "../words/matching-words.js";
import { WordReader } from "../words/words.js";

/** Inverted index of some rows of a column in a chunk. */
export interface Segment {
  readonly lexicon: Lexicon;
  readonly ids: Int32Array;
  /** Occurrences of word `i` are `starts[i]` to `starts[i + 1]`. */
  readonly starts: Uint32Array;
  readonly rows: Uint16Array;
  /** The word's position in its row; list items are separated by a gap. */
  readonly positions: Uint16Array | Uint32Array;
}

/** The length of a null row. */
export const NO_TEXT = -1;

export interface Segmenter {
  readonly lexicon: Lexicon;
  /** Reused buffers, so segments don't reallocate. */
  readonly occurrences: Occurrences;
  readonly checkTime: (() => void) | undefined;
}

export function createSegmenter(lexicon: Lexicon, checkTime: (() => void) | undefined): Segmenter {
  return { lexicon, occurrences: new Occurrences(), checkTime };
}

/** Indexes the rows whose bits are set; `lengths` receives their word counts. */
export function buildSegment(
  { lexicon, occurrences, checkTime }: Segmenter,
  vector: Vector,
  rows: Uint32Array,
  lengths: Int32Array,
): Segment {
  occurrences.clear();
  const check = checkEvery(checkTime);
  const read = createRowReader({ lexicon, checkTime }, vector, check);
  eachSetBit(rows, CHUNK_WORDS, (row) => {
    check();
    const items = read(row);
    lengths[row] = items === undefined ? NO_TEXT : 0;
    let position = 0;
    for (const ids of items ?? []) {
      for (let at = 0; at < ids.length; at++) occurrences.add(ids[at]!, row, position + at);
      lengths[row]! += ids.length;
      position += ids.length + 1; // the gap keeps phrases within an item
    }
  });
  return occurrences.sort(lexicon);
}

/** Its words may be long, too. */
const LONG_TEXT = 10_000;

type RowReader = (row: number) => readonly (readonly number[])[] | undefined;

/** @param check called for each word, as texts may be long */
function createRowReader(
  { lexicon, checkTime }: Pick<Segmenter, "lexicon" | "checkTime">,
  vector: Vector,
  check: () => void,
): RowReader {
  const reader = new WordReader();
  const idsIn = (text: string): readonly number[] => {
    const ids: number[] = [];
    if (text.length > LONG_TEXT) checkTime?.();
    reader.open(text);
    while (reader.next()) {
      check();
      const id = lexicon.intern(text, reader.start, reader.end);
      if (id !== NO_WORD) ids.push(id);
    }
    return ids;
  };
  switch (vector.kind) {
    case "text":
      return (row) => {
        const text = vector.texts[row]!;
        return text === null ? undefined : [idsIn(text)];
      };
    case "code":
    case "list": {
      // Dictionary values repeat.
      const formsByWord = new Map<string, readonly number[]>();
      const recall = (text: string): readonly number[] => {
        const ids = formsByWord.get(text) ?? idsIn(text);
        formsByWord.set(text, ids);
        return ids;
      };
      return (row) => {
        const value = vector.get(row);
        return value === null
          ? undefined
          : typeof value === "string"
            ? [recall(value)]
            : value.map(recall);
      };
    }
    case "value":
      return (row) => {
        const value = vector.get(row);
        return value === null ? undefined : Array.from(textsIn(value), idsIn);
      };
    default:
      return () => undefined;
  }
}

class Occurrences {
  #count = 0;
  #ids: Int32Array = new Int32Array(64);
  #rows: Uint16Array = new Uint16Array(64);
  #positions: Uint32Array = new Uint32Array(64);
  #lastPosition = 0;

  /** The previous segment may have been aborted by a timeout. */
  clear(): void {
    this.#count = 0;
    this.#lastPosition = 0;
  }

  add(id: number, row: number, position: number): void {
    const at = this.#count++;
    if (at === this.#ids.length) this.#grow();
    this.#ids[at] = id;
    this.#rows[at] = row;
    this.#positions[at] = position;
    if (position > this.#lastPosition) this.#lastPosition = position;
  }

  sort(lexicon: Lexicon): Segment {
    const count = this.#count;
    const occurring = this.#ids;
    const { counts } = lexicon;
    const distinct: number[] = [];
    for (let at = 0; at < count; at++) {
      if (counts[occurring[at]!]!++ === 0) distinct.push(occurring[at]!);
    }
    const ids = Int32Array.from(distinct).sort();
    const starts = new Uint32Array(ids.length + 1);
    for (let index = 0; index < ids.length; index++) {
      starts[index + 1] = starts[index]! + counts[ids[index]!]!;
      counts[ids[index]!] = starts[index]!; // now the next write index
    }
    const rows = new Uint16Array(count);
    const positions = this.#lastPosition > 0xffff ? new Uint32Array(count) : new Uint16Array(count);
    for (let at = 0; at < count; at++) {
      const to = counts[occurring[at]!]!++;
      rows[to] = this.#rows[at]!;
      positions[to] = this.#positions[at]!;
    }
    for (const id of distinct) counts[id] = 0;
    return { lexicon, ids, starts, rows, positions };
  }

  #grow(): void {
    const capacity = 2 * this.#ids.length;
    this.#ids = copiedInto(this.#ids, new Int32Array(capacity));
    this.#rows = copiedInto(this.#rows, new Uint16Array(capacity));
    this.#positions = copiedInto(this.#positions, new Uint32Array(capacity));
  }
}

/** Visits the words that a segment contains, with their index in both. */
export function forEachMatch(
  { ids }: Segment,
  words: MatchingWords,
  visit: (place: number, index: number) => void,
): void {
  const isShorter = ids.length < words.ids.length;
  const [few, many] = isShorter ? [ids, words.ids] : [words.ids, ids];
  let low = 0;
  for (let at = 0; at < few.length && low < many.length; at++) {
    const id = few[at]!;
    low = lowerBound(low, many.length, (each) => many[each]! >= id);
    if (many[low] !== id) continue;
    if (isShorter) visit(at, low);
    else visit(low, at);
  }
}
