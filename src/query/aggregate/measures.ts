import { compareStrings } from "../../value/compare.js";
import { compareInstants, type Instant } from "../../value/datetime.js";
import { PairCodes } from "../../value/pair-codes.js";
import { Numbers, percentilesOf } from "../../value/percentiles.js";
import { Sums } from "../../value/sums.js";
import type { ColumnRef } from "../bound/column-ref.js";
import { type Predicate, TRUE } from "../bound/condition.js";
import { hasBit } from "../filter/bitmap.js";
import { compileFilter } from "../filter/row-filter.js";
import type { Plan } from "../plan/plan.js";
import type { Source } from "../source.js";
import {
  CodeReader,
  type Codes,
  createValueReader,
  NumberReader,
  type PresentValue,
} from "./columns.js";
import { type Grouping, IntervalCodes, oneGroup, SplitGroups } from "./groups.js";
import { eachPiece, type Piece, rowOf } from "./pieces.js";
import type { Interval } from "./time-buckets.js";

/** A value computed for each group. */
export type Measure =
  /** The number of rows that match. */
  | { readonly kind: "count"; readonly predicate: Predicate }
  /** The number of values, or of distinct ones. */
  | { readonly kind: "present" | "uniqueCount"; readonly column: ColumnRef }
  | { readonly kind: "sum" | "average"; readonly column: ColumnRef }
  | { readonly kind: "min" | "max"; readonly column: ColumnRef; readonly isNumeric: boolean }
  | {
      readonly kind: "percentiles";
      readonly column: ColumnRef;
      readonly percentiles: readonly number[];
    };

type MeasuredValue = PresentValue | null | readonly (number | null)[];

/** Returns the value of a group, after all rows were folded. */
export type ValueOf = (group: number) => MeasuredValue;

interface Fold {
  fold(piece: Piece): void;
  /** Whether all rows must be folded once more. */
  again?(): boolean;
  /** Releases the state of the fold, except the values. */
  finish(): ValueOf;
}

/** Folds of one pass: the state of many groups may be large. */
const FOLDS_OF_A_PASS = 16;

/** Groups and measures over the rows of a source, computed chunk by chunk. */
export class Folding {
  readonly root: Grouping = oneGroup();
  readonly #source: Source;
  readonly #groupings: Grouping[] = [];
  readonly #folds: { readonly fold: Fold; valueOf: ValueOf }[] = [];
  // By column; numbers also by grouping.
  readonly #readers: Map<string, NumberReader> = new Map();
  readonly #codes: Map<string, Codes> = new Map();
  readonly #numbers: Map<string, Numbers> = new Map();

  constructor(source: Source) {
    this.#source = source;
  }

  codesOf(column: ColumnRef): Codes {
    return remember(this.#codes, column.path, () => new CodeReader(this.#source, column));
  }

  intervalsOf(column: ColumnRef, interval: Interval): Codes {
    return new IntervalCodes(this.#numbersOf(column), interval, column.type === "datetime");
  }

  /** @param hasNulls whether null has groups */
  split(outer: Grouping, codes: Codes, hasNulls: boolean): Grouping {
    const grouping = new SplitGroups(outer, codes, hasNulls);
    this.#groupings.push(grouping);
    return grouping;
  }

  measure(measure: Measure, grouping: Grouping): ValueOf {
    const fold = this.#createFold(measure, grouping);
    const entry = { fold, valueOf: (): null => null } as { fold: Fold; valueOf: ValueOf };
    this.#folds.push(entry);
    return (group) => entry.valueOf(group);
  }

  /** Folds the rows of a plan. */
  run(plan: Plan): void {
    const checkTime = this.#source.checkTime ?? (() => {});
    const pass = (folds: readonly Fold[]): void =>
      eachPiece(this.#source, plan, (piece) => {
        for (const grouping of this.#groupings) {
          grouping.read(piece);
          checkTime();
        }
        for (const fold of folds) {
          fold.fold(piece);
          checkTime();
        }
      });
    // Without measures, groups are numbered all the same.
    for (let from = 0; from === 0 || from < this.#folds.length; from += FOLDS_OF_A_PASS) {
      const entries = this.#folds.slice(from, from + FOLDS_OF_A_PASS);
      pass(entries.map(({ fold }) => fold));
      const again = entries.map(({ fold }) => fold).filter((fold) => fold.again?.());
      if (again.length > 0) pass(again);
      for (const entry of entries) {
        entry.valueOf = entry.fold.finish();
        checkTime();
      }
    }
  }

  #createFold(measure: Measure, grouping: Grouping): Fold {
    switch (measure.kind) {
      case "count":
        return foldCounts(grouping, this.#matcherOf(measure.predicate));
      case "present": {
        const read = createValueReader(this.#source, measure.column);
        return foldCounts(grouping, (piece) => (i) => read(piece, i) !== null);
      }
      case "uniqueCount":
        return foldDistinct(grouping, this.codesOf(measure.column));
      case "sum":
      case "average":
        return foldSums(grouping, this.#numbersOf(measure.column), measure.kind === "average");
      case "min":
      case "max": {
        const sign = measure.kind === "min" ? 1 : -1;
        return measure.isNumeric
          ? foldExtremes(grouping, this.#numbersOf(measure.column), sign)
          : foldExtremeValues(grouping, createValueReader(this.#source, measure.column), sign);
      }
      case "percentiles": {
        const reader = this.#numbersOf(measure.column);
        const name = `${this.#groupings.indexOf(grouping)} ${measure.column.path}`;
        const known = this.#numbers.get(name);
        const numbers = remember(this.#numbers, name, () => new Numbers());
        return {
          fold: (piece) => {
            if (known === undefined) numbers.add(reader.read(piece), piece.count, grouping.of);
          },
          finish: () => (group) => percentilesOf(numbers.of(group), measure.percentiles),
        };
      }
    }
  }

  #matcherOf(predicate: Predicate): Test | undefined {
    if (predicate === TRUE) return undefined;
    const filter = compileFilter(predicate, this.#source);
    return (piece) => {
      const bits = piece.bits.slice();
      filter.narrow(piece.chunk, bits);
      return (i) => hasBit(bits, rowOf(piece, i));
    };
  }

  #numbersOf(column: ColumnRef): NumberReader {
    return remember(this.#readers, column.path, () => new NumberReader(this.#source, column));
  }
}

function remember<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** Returns a test of positions in a piece. */
type Test = (piece: Piece) => (position: number) => boolean;

function foldCounts(grouping: Grouping, test: Test | undefined): Fold {
  let counts = new Float64Array(1);
  return {
    fold: (piece) => {
      const { of, size } = grouping;
      const { count } = piece;
      counts = grow(counts, size, 0);
      const isCounted = test?.(piece);
      if (isCounted !== undefined) {
        for (let i = 0; i < count; i++) if (isCounted(i)) counts[of?.[i] ?? 0]!++;
      } else if (of === undefined) counts[0]! += count;
      else for (let i = 0; i < count; i++) counts[of[i]!]!++;
    },
    finish: () => (group) => counts[group] ?? 0,
  };
}

function foldDistinct(grouping: Grouping, codes: Codes): Fold {
  const pairs = new PairCodes();
  return {
    fold: (piece) => {
      const { of } = grouping;
      const read = codes.read(piece);
      if (of === undefined) return; // every code occurs
      for (let i = 0; i < piece.count; i++) if (read[i] !== 0) pairs.find(of[i]!, read[i]!);
    },
    finish: () => {
      if (grouping.outer === undefined) return () => codes.size - 1;
      const counts = new Float64Array(grouping.size);
      for (let pair = 1; pair < pairs.size; pair++) counts[pairs.outers[pair]!]!++;
      return (group) => counts[group]!;
    },
  };
}

function foldSums(grouping: Grouping, reader: NumberReader, isAverage: boolean): Fold {
  const sums = new Sums(isAverage);
  return {
    fold: (piece) => sums.add(reader.read(piece), piece.count, grouping.of, grouping.size),
    again: () => !sums.isDecided(),
    finish: () => {
      const values = sums.finish();
      return (group) => {
        const value = values[group] ?? Number.NaN;
        return Number.isFinite(value) ? value : null;
      };
    },
  };
}

function foldExtremes(grouping: Grouping, reader: NumberReader, sign: 1 | -1): Fold {
  let least = new Float64Array([Number.POSITIVE_INFINITY]);
  return {
    fold: (piece) => {
      const { of, size } = grouping;
      const numbers = reader.read(piece);
      least = grow(least, size, Number.POSITIVE_INFINITY);
      let best = least[0]!;
      // Comparisons with NaN are false.
      for (let i = 0; i < piece.count; i++) {
        const number = sign * numbers[i]!;
        if (of === undefined) {
          if (number < best) best = number;
        } else if (number < least[of[i]!]!) least[of[i]!] = number;
      }
      if (of === undefined) least[0] = best;
    },
    finish: () => (group) => {
      const number = least[group] ?? Number.POSITIVE_INFINITY;
      return Number.isFinite(number) ? sign * number + 0 : null;
    },
  };
}

function foldExtremeValues(
  grouping: Grouping,
  read: (piece: Piece, position: number) => PresentValue | null,
  sign: 1 | -1,
): Fold {
  const best: (PresentValue | undefined)[] = [];
  return {
    fold: (piece) => {
      const { of } = grouping;
      for (let i = 0; i < piece.count; i++) {
        const value = read(piece, i);
        if (value === null) continue;
        const group = of?.[i] ?? 0;
        const known = best[group];
        if (known === undefined || sign * comparePresent(value, known) < 0) best[group] = value;
      }
    },
    finish: () => (group) => best[group] ?? null,
  };
}

function grow(
  array: Float64Array<ArrayBuffer>,
  size: number,
  fill: number,
): Float64Array<ArrayBuffer> {
  if (size <= array.length) return array;
  const grown = new Float64Array(size + (size >>> 1)).fill(fill);
  grown.set(array);
  return grown;
}

export function comparePresent(a: PresentValue, b: PresentValue): number {
  if (typeof a === "string") return compareStrings(a, b as string); // of the same column
  if (typeof a === "object") return compareInstants(a as Instant, b as Instant);
  return Number(a) - Number(b);
}
