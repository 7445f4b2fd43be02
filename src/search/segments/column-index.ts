import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { Vector } from "../../storage/vector.js";
import { liveRows } from "../query-seam.js";
import { Lexicon } from "../words/lexicon.js";
import { createSegmenter, NO_TEXT, type Segment } from "./segment.js";
import { hasWords, isUpToDate, keptWords, type VectorWords, wordsOf } from "./vector-words.js";

/** The words of a column in all records of a version of a table. */
export interface ColumnIndex {
  /** By chunk; undefined where every row is null. */
  readonly chunks: readonly (ChunkIndex | undefined)[];
  /** Records that are not null there, and the words they have on average (rule Q-5). */
  readonly records: number;
  readonly meanLength: number;
}

/** The words of a column in a chunk. */
export interface ChunkIndex {
  readonly parts: readonly LivePart[];
  /** Words by row. */
  readonly lengths: Int32Array;
}

/** A segment, and those of its rows that are records; undefined where all are. */
export interface LivePart {
  readonly segment: Segment;
  readonly rows: Uint32Array | undefined;
}

/** What reading words takes from outside. */
interface Reading {
  readonly pin: () => void;
  /** Ends it where it works too long (rule L-10). */
  readonly checkTime: (() => void) | undefined;
}

/**
 * The words of some columns, read now as far as they have not been.
 *
 * @param reading `pin` makes sure that nothing of the table is changed in place from here on
 */
export function openColumns(
  table: TableVersion,
  slots: readonly number[],
  { pin, checkTime }: Reading,
): Map<number, ColumnIndex> {
  const segmenter = createSegmenter(findLexicon(table), checkTime);
  let isPinned = false;
  const readWords = (vector: Vector, count: number): VectorWords => {
    checkTime?.();
    if (!isPinned && !isUpToDate(vector, count)) {
      pin();
      isPinned = true;
    }
    return wordsOf(vector, count, segmenter);
  };
  return new Map(slots.map((slot) => [slot, openColumn(table, slot, readWords)]));
}

function openColumn(
  { chunks }: TableVersion,
  slot: number,
  readWords: (vector: Vector, count: number) => VectorWords,
): ColumnIndex {
  let records = 0;
  let total = 0;
  const opened = chunks.map((chunk) => {
    const vector = chunk.vectors[slot];
    if (vector === undefined || !hasWords(vector)) return undefined;
    const words = readWords(vector, chunk.count);
    const isWhole = chunk.deleted === undefined && words.count === chunk.count;
    if (isWhole) {
      records += words.present;
      total += words.total;
    } else {
      for (let row = 0; row < chunk.count; row++) {
        if (words.lengths[row] === NO_TEXT || chunk.isDeleted(row)) continue;
        records++;
        total += words.lengths[row]!;
      }
    }
    const live = new Uint32Array(CHUNK_WORDS);
    if (!isWhole) liveRows(chunk, live);
    const parts = words.parts.map((part) => ({
      segment: part.segment,
      rows: isWhole
        ? part.isWhole && part.size === chunk.count
          ? undefined
          : part.rows
        : part.rows.map((bits, word) => bits & live[word]!),
    }));
    return { parts, lengths: words.lengths };
  });
  return { chunks: opened, records, meanLength: total / records };
}

/** The lexicon that most words of a table are in, or a new one. */
function findLexicon(table: TableVersion): Lexicon {
  let found = new Lexicon();
  for (const { lexicon } of keptSegments(table)) {
    if (lexicon.words.length > found.words.length) found = lexicon;
  }
  if (!found.isDue()) return found;
  const used = new Set<number>();
  for (const { lexicon, ids } of keptSegments(table)) {
    if (lexicon === found) for (const id of ids) used.add(id);
  }
  if (found.isWorthKeeping(used.size)) return found;
  for (const vector of textVectors(table)) vector.kept = undefined;
  return new Lexicon();
}

function* keptSegments(table: TableVersion): Generator<Segment> {
  for (const vector of textVectors(table)) {
    for (const { segment } of keptWords(vector)?.parts ?? []) yield segment;
  }
}

function* textVectors({ chunks, schema }: TableVersion): Generator<Vector> {
  for (const { vectors } of chunks) {
    for (const { slot } of schema.leaves) {
      const vector = vectors[slot];
      if (vector !== undefined && hasWords(vector)) yield vector;
    }
  }
}
