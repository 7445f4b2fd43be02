import { countBits, eachSetBit, setLiveRows } from "../../query/filter/kernels.js";
import { CHUNK_WORDS, ordinalOf } from "../../storage/chunk.js";
import type { BoundSearch } from "../bind/bind-table.js";
import type { ParsedSettings } from "../request/request.js";
import { openColumns } from "../segments/column-index.js";
import type { Lexicon } from "../words/lexicon.js";
import { type ChunkScores, scoreRecords } from "./scores.js";
import { phraseTerm, type Term, wordTerm } from "./terms.js";
import { type Hit, TopHits } from "./top-hits.js";

export interface TableHits {
  /** By descending score, then id; at most `limit`. */
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly lexicons: ReadonlySet<Lexicon>;
}

export function termsOf(words: readonly string[], settings: ParsedSettings): readonly Term[] {
  if (words.length === 0) return [];
  if (settings.isPhrase) return [phraseTerm(words)];
  return [...new Set(words)].map((word) => wordTerm(word, settings.fuzziness));
}

export function findHits(search: BoundSearch, terms: readonly Term[], limit: number): TableHits {
  const { run } = search.table;
  const slots = search.targets.map(({ slot }) => slot);
  const columns = openColumns(search.table, slots);
  const targets = search.targets.map(({ slot, weight }) => ({
    index: columns.get(slot)!, // all slots were opened
    weight,
  }));
  const lexicons = new Set<Lexicon>();
  for (const { chunks } of columns.values()) {
    for (const chunk of chunks) {
      for (const { segment } of chunk?.parts ?? []) lexicons.add(segment.lexicon);
    }
  }
  return { lexicons, ...collectHits(search, scoreRecords(run, targets, terms), limit) };
}

/** Counts the records that a search's filter matches. */
export function countFiltered({ table: { run }, narrow }: BoundSearch): number {
  const rows = new Uint32Array(CHUNK_WORDS);
  let count = 0;
  for (const chunk of run.table.chunks) {
    run.checkTime?.();
    setLiveRows(rows, chunk);
    narrow?.(chunk, rows);
    count += countBits(rows, CHUNK_WORDS);
  }
  return count;
}

function collectHits(
  { table, narrow, boosts }: BoundSearch,
  found: readonly (ChunkScores | undefined)[],
  limit: number,
): Omit<TableHits, "lexicons"> {
  const { table: version } = table.run;
  const top = new TopHits(limit, (row) => version.idAt(row));
  let total = 0;
  for (const [index, chunk] of version.chunks.entries()) {
    if (found[index] === undefined) continue;
    table.run.checkTime?.();
    const { scores, rows } = found[index];
    const base = ordinalOf(index, 0);
    narrow?.(chunk, rows);
    for (const boost of boosts) boost(chunk, base, rows, scores);
    eachSetBit(rows, CHUNK_WORDS, (row) => {
      total++;
      top.offer(base + row, scores[row]!);
    });
  }
  return { hits: top.toSorted(), total };
}
