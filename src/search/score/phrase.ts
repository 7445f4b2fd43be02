import { hasBit } from "../../query/filter/bitmap.js";
import type { LivePart } from "../segments/column-index.js";
import { forEachPlace, seek } from "../segments/seek.js";
import type { Segment } from "../segments/segment.js";
import type { MatchingWords } from "../words/matching-words.js";
import type { RowSums } from "./row-sums.js";

/** Places in the texts of a segment: rows, and the number of a word in each, in their order. */
interface Places {
  readonly rows: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

/**
 * Counts for each row where words come one after the other, followed by one of some others
 * (rule Q-4).
 *
 * @param ids of the first words, one at least
 */
export function addPhrase(
  { segment, rows }: LivePart,
  ids: readonly number[],
  last: MatchingWords,
  sums: RowSums,
): void {
  const beginnings = findBeginnings(segment, ids);
  if (beginnings === undefined) return;
  forEachPlace(segment, last, (place) => {
    intersect(beginnings, occurrencesAt(segment, place), ids.length, (row) => {
      if (rows === undefined || hasBit(rows, row)) sums.add(row, 1);
    });
  });
}

/** Where some words come one after the other; undefined where they do not. */
function findBeginnings(segment: Segment, ids: readonly number[]): Places | undefined {
  let found: Places | undefined;
  for (const [offset, id] of ids.entries()) {
    const place = seek(segment.ids, id);
    if (segment.ids[place] !== id) return undefined;
    const occurrences = occurrencesAt(segment, place);
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

function occurrencesAt({ rows, positions, starts }: Segment, place: number): Places {
  return { rows, positions, from: starts[place]!, to: starts[place + 1]! };
}

/**
 * Visits the places that have one of the others so many words after them. It goes through the fewer
 * of both and looks for each among the more: of words that begin alike, most are rare.
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
    const wanted = position + shift;
    found = skipTo(many, found, row, wanted);
    if (found < many.to && many.rows[found] === row && many.positions[found] === wanted)
      visit(row, areFewer ? position : wanted);
  }
}

/** The first place from `from` on that is not before another (exponential search). */
function skipTo(
  { rows, positions, to }: Places,
  from: number,
  row: number,
  position: number,
): number {
  const isBefore = (at: number): boolean =>
    rows[at]! < row || (rows[at] === row && positions[at]! < position);
  let low = from;
  let step = 1;
  while (low + step <= to && isBefore(low + step - 1)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, to);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
