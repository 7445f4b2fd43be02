import { MAX_PAIR_TABLE } from "../thresholds.js";
import { type ColumnCodes, NO_CODE } from "./column-codes.js";

export interface Groups {
  readonly of: Int32Array;
  readonly count: number;
  /** The position of one row of each group; empty if a group may have no rows. */
  readonly first: Int32Array;
}

/** A single group with all rows, even if there are none. */
export function oneGroup(rowCount: number): Groups {
  return { of: new Int32Array(rowCount), count: 1, first: new Int32Array(1) };
}

/** Groups by each combination of values; null is a value. */
export function groupByColumns(columns: readonly ColumnCodes[], rowCount: number): Groups {
  let groups = oneGroup(rowCount);
  for (const { codes, values } of columns) groups = splitGroups(groups, codes, values.length);
  return groups;
}

/** Splits groups by another code; numbers new groups in order of occurrence. */
export function splitGroups(groups: Groups, codes: Int32Array, codeCount: number): Groups {
  const width = codeCount + 1; // one slot for null
  const find = createPairs(groups.count * width);
  const of = new Int32Array(codes.length);
  const first: number[] = [];
  for (let i = 0; i < codes.length; i++) {
    const pair = groups.of[i]! * width + (codes[i]! - NO_CODE);
    let group = find.get(pair);
    if (group === undefined) {
      group = first.push(i) - 1;
      find.set(pair, group);
    }
    of[i] = group;
  }
  return { of, count: first.length, first: Int32Array.from(first) };
}

interface Pairs {
  get(pair: number): number | undefined;
  set(pair: number, group: number): void;
}

function createPairs(pairCount: number): Pairs {
  if (pairCount > MAX_PAIR_TABLE) return new Map<number, number>();
  const table = new Int32Array(pairCount); // group number + 1; 0 for none
  return {
    get: (pair) => (table[pair] === 0 ? undefined : table[pair]! - 1),
    set: (pair, group) => {
      table[pair] = group + 1;
    },
  };
}
