import { expect } from "vitest";
import type { AnyBranch } from "../../src/engine/branch.js";
import type { AnyRecord } from "../../src/index.js";
import { type SearchResult, searchBranch, searchTable, vectorSearch } from "../../src/search.js";
import type { AnyTable } from "../../src/typed/table.js";
import type { UntypedBranch, UntypedTable } from "../rules/fixture.js";

export interface FoundMetadata {
  readonly table: string;
  readonly score: number;
  readonly highlight?: Readonly<Record<string, unknown>>;
}

/** Searches by an untyped request. */
export function search(table: UntypedTable, request: unknown): SearchResult {
  return searchTable(table as unknown as AnyTable, request as { query: string });
}

export function searchAll(branch: UntypedBranch, request: unknown): SearchResult {
  return searchBranch(branch as unknown as AnyBranch, request as { query: string });
}

export function searchVectors(table: UntypedTable, request: unknown): SearchResult {
  return vectorSearch(table as unknown as AnyTable, request as { column: string; queryVector: [] });
}

/** The sorted ids of found records. */
export function found(table: UntypedTable, query: string, options: object = {}): string[] {
  const request = { query, page: { size: 200 }, ...options };
  return search(table, request)
    .records.map(({ id }) => id)
    .sort();
}

export function metadataOf(record: AnyRecord): FoundMetadata {
  return record.service as FoundMetadata;
}

export function scoresOf({ records }: SearchResult): number[] {
  return records.map((record) => metadataOf(record).score);
}

/** The passages of the first record, by column. */
export function highlightOf({ records }: SearchResult): unknown {
  return records[0] && metadataOf(records[0]).highlight;
}

/** The answer is a page of the records with those scores, in their order, ties by id. */
export function expectHits(
  { records, totalCount }: SearchResult,
  scores: ReadonlyMap<string, number>,
  { size, offset = 0 }: { readonly size: number; readonly offset?: number },
  total: number = scores.size,
): void {
  const wanted = [...scores.values()].sort((a, b) => b - a).slice(offset, offset + size);
  expect(totalCount).toBe(total);
  expect(records).toHaveLength(wanted.length);
  let before = { score: Number.POSITIVE_INFINITY, id: "" };
  for (const [place, record] of records.entries()) {
    const { score } = metadataOf(record);
    expect(score).toBeCloseTo(wanted[place]!, 10);
    expect(score).toBeCloseTo(scores.get(record.id)!, 10);
    expect(score < before.score || (score === before.score && record.id > before.id)).toBe(true);
    before = { score, id: record.id };
  }
}
