import type { Memory } from "../../engine/memory.js";
import { setLiveRows } from "../../query/filter/kernels.js";
import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { Vector } from "../../storage/vector.js";
import type { SearchedTable } from "../bind/bind-table.js";
import { Lexicon } from "../words/lexicon.js";
import { createSegmenter, NO_TEXT, type Segment } from "./segment.js";
import { cachedWords, hasWords, isUpToDate, type VectorWords, wordsOf } from "./vector-words.js";

export interface ColumnIndex {
  /** By chunk; undefined if every row is null. */
  readonly chunks: readonly (ChunkIndex | undefined)[];
  /** The number of non-null records and their mean length in words. */
  readonly records: number;
  readonly meanLength: number;
}

export interface ChunkIndex {
  readonly parts: readonly LivePart[];
  readonly lengths: Int32Array;
}

/** A segment and the bit set of its live rows; undefined if all are. */
export interface LivePart {
  readonly segment: Segment;
  readonly rows: Uint32Array | undefined;
}

/** Returns the word indexes of columns, building those that are missing. */
export function openColumns(
  { run: { table, checkTime }, pin, memory }: SearchedTable,
  slots: readonly number[],
): Map<number, ColumnIndex> {
  const segmenter = createSegmenter(findLexicon(table, memory), checkTime);
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
    if (!isWhole) setLiveRows(live, chunk);
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

/** Returns the table's largest lexicon, or a new one if most of its words are unused. */
function findLexicon(table: TableVersion, memory: Memory | undefined): Lexicon {
  let found = new Lexicon(memory);
  for (const { lexicon } of cachedSegments(table)) {
    if (lexicon.words.length > found.words.length) found = lexicon;
  }
  if (!found.isUsageDue()) return found;
  const used = new Set<number>();
  for (const { lexicon, ids } of cachedSegments(table)) {
    if (lexicon === found) for (const id of ids) used.add(id);
  }
  if (found.hasManyUsed(used.size)) return found;
  for (const vector of textVectors(table)) vector.kept = undefined;
  return new Lexicon(memory);
}

function* cachedSegments(table: TableVersion): Generator<Segment> {
  for (const vector of textVectors(table)) {
    for (const { segment } of cachedWords(vector)?.parts ?? []) yield segment;
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
