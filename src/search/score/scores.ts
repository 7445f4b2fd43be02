import type { QueryRun } from "../../query/query-run.js";
import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { ColumnIndex } from "../segments/column-index.js";
import { RowSums } from "./row-sums.js";
import type { Term } from "./terms.js";

export interface ScoreTarget {
  readonly index: ColumnIndex;
  readonly weight: number;
}

export interface ChunkScores {
  readonly scores: Float64Array;
  readonly rows: Uint32Array;
}

/** Constants of the score: BM25 with k₁ = 1.2 and b = 0.75. */
const GAIN = 2.2;
const BASE = 0.3;
const BY_LENGTH = 0.9;

/** Scores each record by its best column, which sums the terms. */
export function scoreRecords(
  { table: { chunks }, checkTime }: QueryRun,
  targets: readonly ScoreTarget[],
  terms: readonly Term[],
): readonly (ChunkScores | undefined)[] {
  const found: (ChunkScores | undefined)[] = new Array(chunks.length).fill(undefined);
  const scratch = { sums: new RowSums(), scores: new RowSums() };
  for (const target of targets) {
    const counted = terms.map((term) => {
      return { term, ...countMatches(target.index, term, scratch.sums, checkTime) };
    });
    for (const [index, chunk] of chunks.entries()) {
      checkTime?.();
      const matched = counted.filter(({ inChunks }) => inChunks[index] === 1);
      if (matched.length === 0) continue;
      found[index] ??= {
        scores: new Float64Array(chunk.count),
        rows: new Uint32Array(CHUNK_WORDS),
      };
      raiseScores(found[index], target, matched, index, scratch);
    }
  }
  return found;
}

interface TermMatches {
  readonly records: number;
  readonly inChunks: Uint8Array;
}

function countMatches(
  { chunks }: ColumnIndex,
  term: Term,
  sums: RowSums,
  checkTime: QueryRun["checkTime"],
): TermMatches {
  const inChunks = new Uint8Array(chunks.length);
  let records = 0;
  for (const [index, chunk] of chunks.entries()) {
    checkTime?.();
    for (const part of chunk?.parts ?? []) term.addTo(part, sums);
    if (sums.count === 0) continue;
    records += sums.count;
    inChunks[index] = 1;
    sums.clear();
  }
  return { records, inChunks };
}

function raiseScores(
  best: ChunkScores,
  { index, weight }: ScoreTarget,
  matched: readonly (TermMatches & { readonly term: Term })[],
  place: number,
  { sums, scores }: { readonly sums: RowSums; readonly scores: RowSums },
): void {
  const chunk = index.chunks[place]!; // it has matches
  for (const { term, records } of matched) {
    const rarity = Math.log(1 + (index.records - records + 0.5) / (records + 0.5));
    for (const part of chunk.parts) term.addTo(part, sums);
    for (let i = 0; i < sums.count; i++) {
      const row = sums.rows[i]!;
      const frequency = sums.sums[row]! / term.length;
      const length = chunk.lengths[row]! / index.meanLength;
      const gain = (GAIN * frequency) / (frequency + BASE + BY_LENGTH * length);
      scores.add(row, weight * rarity * gain);
    }
    sums.clear();
  }
  for (let i = 0; i < scores.count; i++) {
    const row = scores.rows[i]!;
    if (best.scores[row]! < scores.sums[row]!) best.scores[row] = scores.sums[row]!;
    best.rows[row >>> 5]! |= 1 << (row & 31);
  }
  scores.clear();
}
