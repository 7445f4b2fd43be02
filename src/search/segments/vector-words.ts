import { countBits, setRange, subtract } from "../../query/filter/bitmap.js";
import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { Vector } from "../../storage/vector.js";
import { buildSegment, NO_TEXT, type Segment, type Segmenter } from "./segment.js";

/**
 * The words of a column in a chunk. They are kept with the vector they were made from, and drop with
 * it. A copy of the vector, some rows of which were then written, takes them along; its next search
 * reads those rows only, into a part of their own.
 */
export interface VectorWords {
  /** The vector whose rows they are of; another than that they are kept with if that is a copy. */
  readonly vector: Vector;
  /** Rows from 0 on. */
  readonly count: number;
  /** Each smaller than half of the one before it. */
  readonly parts: readonly Part[];
  /** Words by row, {@link NO_TEXT} for null. */
  readonly lengths: Int32Array;
  /** Rows that are not null, and the words of all rows. */
  readonly present: number;
  readonly total: number;
}

/** A segment, and the rows of which it is the one that counts. */
export interface Part {
  readonly segment: Segment;
  /** A bit for each row. */
  readonly rows: Uint32Array;
  readonly size: number;
  /** Whether the segment has no other rows. */
  readonly isWhole: boolean;
}

/** Whether a vector's words can be found: of columns with text (rule Q-1). */
export function hasWords({ kind }: Vector): boolean {
  return kind === "text" || kind === "code" || kind === "list";
}

/** The words kept with a vector, or with the one it was copied from. */
export function keptWords(vector: Vector): VectorWords | undefined {
  return vector.kept as VectorWords | undefined; // of such vectors nobody else keeps anything
}

/** Whether the words kept with a vector are of as many of its rows at least. */
export function isUpToDate(vector: Vector, count: number): boolean {
  const kept = keptWords(vector);
  return kept?.vector === vector && kept.count >= count;
}

/**
 * The words of the first rows of a vector, which no one may change in place from here on.
 *
 * @param segmenter for the words of rows that have not been read
 */
export function wordsOf(vector: Vector, count: number, segmenter: Segmenter): VectorWords {
  const kept = keptWords(vector);
  if (kept !== undefined && isUpToDate(vector, count)) return kept;
  const build = (rows: Uint32Array, lengths: Int32Array): Part => ({
    segment: buildSegment(segmenter, vector, rows, lengths),
    rows,
    size: countBits(rows, CHUNK_WORDS),
    isWhole: true,
  });
  const words = update(kept, vector, count, build);
  vector.kept = words;
  return words;
}

function update(
  kept: VectorWords | undefined,
  vector: Vector,
  count: number,
  build: (rows: Uint32Array, lengths: Int32Array) => Part,
): VectorWords {
  const changed = changedRows(kept, vector, count);
  const lengths = new Int32Array(count).fill(NO_TEXT);
  if (kept !== undefined) lengths.set(kept.lengths.subarray(0, count));
  const parts = keepRows(kept?.parts ?? [], count, changed);
  parts.push(build(changed, lengths));
  // As in a log-structured merge tree: a row is read again about as often as rows double.
  while (parts.length > 1 && parts.at(-1)!.size * 2 >= parts.at(-2)!.size) {
    const [before, last] = parts.splice(-2) as [Part, Part]; // there are two at least
    const rows = before.rows.map((bits, word) => bits | last.rows[word]!);
    parts.push(build(rows, lengths));
  }
  let present = 0;
  let total = 0;
  for (let row = 0; row < count; row++) {
    if (lengths[row] === NO_TEXT) continue;
    present++;
    total += lengths[row]!;
  }
  return { vector, count, parts, lengths, present, total };
}

/** The rows that have another value than those the words were made from, or were not read. */
function changedRows(kept: VectorWords | undefined, vector: Vector, count: number): Uint32Array {
  const changed = new Uint32Array(CHUNK_WORDS);
  const known = kept === undefined || kept.vector.kind !== vector.kind ? 0 : kept.count;
  for (let row = 0; row < count; row++) {
    if (row < known && (kept!.vector === vector || isSame(kept!.vector, vector, row))) continue;
    changed[row >>> 5]! |= 1 << (row & 31);
  }
  return changed;
}

/** Whether two vectors of one column have the same value in a row. */
function isSame(a: Vector, b: Vector, row: number): boolean {
  if (a.kind === "text" && b.kind === "text") return a.texts[row] === b.texts[row];
  // A dictionary's codes keep their meaning, but a column may be given another dictionary.
  if (a.kind === "code" && b.kind === "code")
    return a.dictionary === b.dictionary && a.codes[row] === b.codes[row];
  if (a.kind !== "list" || b.kind !== "list") return false;
  const length = a.lengths[row]!;
  if (a.dictionary !== b.dictionary || length !== b.lengths[row]) return false;
  const from = a.starts[row]!;
  const other = b.starts[row]!;
  for (let at = 0; at < length; at++) if (a.items[from + at] !== b.items[other + at]) return false;
  return true;
}

/** Of some parts the first rows, without those that changed; another branch may have had more. */
function keepRows(parts: readonly Part[], count: number, changed: Uint32Array): Part[] {
  const kept = new Uint32Array(CHUNK_WORDS);
  setRange(kept, 0, count);
  subtract(kept, changed, CHUNK_WORDS);
  return parts
    .map(({ segment, rows, size: before, isWhole }) => {
      const left = rows.map((bits, word) => bits & kept[word]!);
      const size = countBits(left, CHUNK_WORDS);
      return { segment, rows: left, size, isWhole: isWhole && size === before };
    })
    .filter(({ size }) => size > 0);
}
