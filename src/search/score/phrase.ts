import { hasBit } from "../../query/filter/kernels.js";
import { gallop, lowerBound } from "../../value/lower-bound.js";
import type { LivePart } from "../segments/column-index.js";
import type { Segment } from "../segments/segment.js";
import { forEachMatch } from "../segments/segment.js";
import type { MatchingWords } from "../words/matching-words.js";
import type { RowSums } from "./row-sums.js";

/** Occurrences in a segment, by row and word position, ascending. */
interface Places {
  readonly rows: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

/** Counts, per row, the occurrences of a phrase whose last word is any of some words. */
export function addPhrase(
  { segment, rows }: LivePart,
  ids: readonly number[],
  last: MatchingWords,
  sums: RowSums,
): void {
  const beginnings = findBeginnings(segment, ids);
  if (beginnings === undefined) return;
  forEachMatch(segment, last, (index) => {
    intersect(beginnings, occurrencesAt(segment, index), ids.length, (row) => {
      if (rows === undefined || hasBit(rows, row)) sums.add(row, 1);
    });
  });
}

function findBeginnings(segment: Segment, ids: readonly number[]): Places | undefined {
  let found: Places | undefined;
  for (const [offset, id] of ids.entries()) {
    const { ids: known } = segment;
    const index = lowerBound(0, known.length, (each) => known[each]! >= id);
    if (segment.ids[index] !== id) return undefined;
    const occurrences = occurrencesAt(segment, index);
    if (found === undefined) {
      found = occurrences;
      continue;
    }
    const rows: number[] = [];
    const positions: number[] = [];
    intersect(found, occurrences, offset, (row, position) => {
      rows.push(row);
      positions.push(position);
    });
    if (rows.length === 0) return undefined;
    found = { rows, positions, from: 0, to: rows.length };
  }
  return found;
}

function occurrencesAt({ rows, positions, starts }: Segment, index: number): Places {
  return { rows, positions, from: starts[index]!, to: starts[index + 1]! };
}

/**
 * Visits the occurrences that have one of `others` `offset` words later. Iterates over the shorter
 * list and searches the longer one: matches of a prefix are mostly rare words.
 */
function intersect(
  places: Places,
  others: Places,
  offset: number,
  visit: (row: number, position: number) => void,
): void {
  const areFewer = places.to - places.from <= others.to - others.from;
  const [few, many] = areFewer ? [places, others] : [others, places];
  const shift = areFewer ? offset : -offset;
  let found = many.from;
  for (let at = few.from; at < few.to && found < many.to; at++) {
    const row = few.rows[at]!;
    const position = few.positions[at]!;
    const target = position + shift;
    const { rows, positions } = many;
    found = gallop(found, many.to, (index) => {
      return rows[index]! > row || (rows[index] === row && positions[index]! >= target);
    });
    if (found < many.to && many.rows[found] === row && many.positions[found] === target)
      visit(row, areFewer ? position : target);
  }
}
