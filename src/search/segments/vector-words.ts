import { countBits, setRange, subtract } from "../../query/filter/kernels.js";
import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { Vector } from "../../storage/vector.js";
import { buildSegment, NO_TEXT, type Segment, type Segmenter } from "./segment.js";

/**
 * The words of a column in a chunk, cached on their vector. A modified copy inherits the cache; its
 * next search reads only the changed rows, into a new part.
 */
export interface VectorWords {
  /** The vector whose rows were read: the original, if the cache is on a copy. */
  readonly vector: Vector;
  readonly count: number;
  /** Parts, each smaller than half of the previous one. */
  readonly parts: readonly Part[];
  readonly lengths: Int32Array;
  /** The number of non-null rows, and of words in all rows. */
  readonly present: number;
  readonly total: number;
}

export interface Part {
  readonly segment: Segment;
  readonly rows: Uint32Array;
  readonly size: number;
  readonly isWhole: boolean;
}

/** Whether the vector can belong to a searchable column. */
export function hasWords(vector: Vector): boolean {
  const { kind } = vector;
  if (kind === "value") return !vector.isFloats;
  return kind === "text" || kind === "code" || kind === "list";
}

export function cachedWords(vector: Vector): VectorWords | undefined {
  return vector.kept as VectorWords | undefined; // no one else caches on them
}

export function isUpToDate(vector: Vector, count: number): boolean {
  const cached = cachedWords(vector);
  return cached?.vector === vector && cached.count >= count;
}

/** Requires that the vector is not changed in place afterwards. */
export function wordsOf(vector: Vector, count: number, segmenter: Segmenter): VectorWords {
  const cached = cachedWords(vector);
  if (cached !== undefined && isUpToDate(vector, count)) return cached;
  const build = (rows: Uint32Array, lengths: Int32Array): Part => ({
    segment: buildSegment(segmenter, vector, rows, lengths),
    rows,
    size: countBits(rows, CHUNK_WORDS),
    isWhole: true,
  });
  const words = update(cached, vector, count, build);
  vector.kept = words;
  return words;
}

function update(
  cached: VectorWords | undefined,
  vector: Vector,
  count: number,
  build: (rows: Uint32Array, lengths: Int32Array) => Part,
): VectorWords {
  const changed = changedRows(cached, vector, count);
  const lengths = new Int32Array(count).fill(NO_TEXT);
  if (cached !== undefined) lengths.set(cached.lengths.subarray(0, count));
  const parts = limitRows(cached?.parts ?? [], count, changed);
  parts.push(build(changed, lengths));
  // A log-structured merge tree: rows are read again O(log n) times.
  while (parts.length > 1 && parts.at(-1)!.size * 2 >= parts.at(-2)!.size) {
    const [before, last] = parts.splice(-2) as [Part, Part]; // length > 1
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

function changedRows(cached: VectorWords | undefined, vector: Vector, count: number): Uint32Array {
  const changed = new Uint32Array(CHUNK_WORDS);
  const cachedCount = cached === undefined || cached.vector.kind !== vector.kind ? 0 : cached.count;
  for (let row = 0; row < count; row++) {
    if (row < cachedCount && (cached!.vector === vector || isSame(cached!.vector, vector, row)))
      continue;
    changed[row >>> 5]! |= 1 << (row & 31);
  }
  return changed;
}

function isSame(a: Vector, b: Vector, row: number): boolean {
  if (a.kind === "text" && b.kind === "text") return a.texts[row] === b.texts[row];
  // Codes of one dictionary are stable, but the column may have got another dictionary.
  if (a.kind === "code" && b.kind === "code")
    return a.dictionary === b.dictionary && a.codes[row] === b.codes[row];
  if (a.kind === "value" && b.kind === "value") return a.values[row] === b.values[row];
  if (a.kind !== "list" || b.kind !== "list") return false;
  const length = a.lengths[row]!;
  if (a.dictionary !== b.dictionary || length !== b.lengths[row]) return false;
  const from = a.starts[row]!;
  const other = b.starts[row]!;
  for (let at = 0; at < length; at++) if (a.items[from + at] !== b.items[other + at]) return false;
  return true;
}

/** Drops changed rows, and rows from `count` on, which may come from another branch. */
function limitRows(parts: readonly Part[], count: number, changed: Uint32Array): Part[] {
  const unchanged = new Uint32Array(CHUNK_WORDS);
  setRange(unchanged, 0, count);
  subtract(unchanged, changed, CHUNK_WORDS);
  return parts
    .map(({ segment, rows, size: before, isWhole }) => {
      const left = rows.map((bits, word) => bits & unchanged[word]!);
      const size = countBits(left, CHUNK_WORDS);
      return { segment, rows: left, size, isWhole: isWhole && size === before };
    })
    .filter(({ size }) => size > 0);
}
