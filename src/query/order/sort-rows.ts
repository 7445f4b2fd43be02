import { checkEvery } from "../../value/check-every.js";
import { compareNumbers } from "../../value/compare.js";
import { NULL_NUMBER } from "../bound/point.js";
import { COMPARED_ROWS, TEXT_KEY_ROUNDS } from "../thresholds.js";

/** Returns sortable keys of one level. */
export type KeysAt = (rows: Int32Array, level: number) => Float64Array;

export interface Sorting {
  readonly levels: number;
  readonly keysAt: KeysAt;
  readonly compare: (a: number, b: number) => number;
  readonly checkTime?: (() => void) | undefined;
}

/** Sorts by numeric keys, level by level: several times faster than comparing rows. */
export function sortRows(rows: Int32Array, sorting: Sorting): Int32Array {
  const sorted = rows.slice();
  sortRun(sorted, sorting, 0, 0);
  return sorted;
}

/** @param round earlier sorts of the run at this level */
function sortRun(run: Int32Array, sorting: Sorting, level: number, round: number): void {
  const { levels, keysAt, compare, checkTime } = sorting;
  if (run.length <= COMPARED_ROWS || level === levels || round === TEXT_KEY_ROUNDS) {
    run.sort(compare);
    return;
  }
  const keys = keysAt(run, level);
  const places = Int32Array.from(keys, (_, place) => place);
  const check = checkEvery(4096, checkTime);
  places.sort((a, b) => {
    check();
    return compareNumbers(keys[a]!, keys[b]!);
  });
  const keyAt = (at: number): number => keys[places[at]!]!;
  if (keyAt(0) === keyAt(run.length - 1)) {
    sortRun(run, sorting, level + 1, 0);
    return;
  }
  run.set(places.map((place) => run[place]!));
  for (let start = 0, end = 0; start < run.length; start = end) {
    while (end < run.length && keyAt(end) === keyAt(start)) end++;
    if (end - start > 1) sortRun(run.subarray(start, end), sorting, level, round + 1);
  }
}

/** Numeric keys of the text after the common prefix: 7 ASCII or 3 other characters. */
export function textKeys(
  texts: readonly (string | null)[],
  descending: boolean,
  check: () => void,
): Float64Array {
  const prefix = commonPrefix(texts);
  const isAscii = texts.every((text) => text === null || hasAscii(text, prefix, 7));
  // 0 marks the end of a text, so characters are shifted by 1.
  const [length, radix] = isAscii ? [7, 0x81] : [3, 0x10001];
  return Float64Array.from(texts, (text) => {
    check();
    let key = text === null ? NULL_NUMBER : 0;
    for (let i = prefix; text !== null && i < prefix + length; i++) {
      key = key * radix + (i < text.length ? codePointRank(text.charCodeAt(i)) + 1 : 0);
    }
    return descending ? -key : key;
  });
}

/** Ranks surrogates above other code units, to match code point order. */
function codePointRank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function commonPrefix(texts: readonly (string | null)[]): number {
  const first = texts.find((text) => text !== null) ?? "";
  let { length } = first;
  for (const text of texts) {
    if (text === null) continue;
    let same = 0;
    while (same < length && text.charCodeAt(same) === first.charCodeAt(same)) same++;
    length = same;
  }
  return length;
}

function hasAscii(text: string, from: number, count: number): boolean {
  const end = Math.min(text.length, from + count);
  for (let i = from; i < end; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
