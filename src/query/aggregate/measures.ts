import { NUMERIC_TYPES } from "../../schema/traits.js";
import { compareStrings } from "../../value/compare.js";
import { compareInstants, type Instant } from "../../value/datetime.js";
import { Numbers, percentilesOf } from "../../value/percentiles.js";
import { grown, NO_FLOATS, NO_INTS, type SumKind, Sums } from "../../value/sums.js";
import { type ColumnRef, type Predicate, TRUE } from "../bound/bound-query.js";
import { hasBit } from "../filter/kernels.js";
import { compileFilter } from "../filter/row-filter.js";
import type { Plan } from "../plan/plan.js";
import type { TableView } from "../query-run.js";
import {
  CodeReader,
  type ColumnCodes,
  createValueReader,
  NumberReader,
  type PresentValue,
} from "./columns.js";
import { Grouping, IntervalCodes } from "./groups.js";
import { eachPiece, type Piece, rowOf } from "./pieces.js";
import type { Interval } from "./time-buckets.js";

/** A value computed for each group. */
export type Measure =
  /** The number of rows that match. */
  | { readonly kind: "count"; readonly predicate: Predicate }
  | {
      readonly kind: "uniqueCount" | "sum" | "average" | "min" | "max";
      readonly column: ColumnRef;
    }
  | {
      readonly kind: "percentiles";
      readonly column: ColumnRef;
      readonly percentiles: readonly number[];
    };

type MeasuredValue = PresentValue | null | readonly (number | null)[];

/** Returns the value of a group, after all rows were folded. */
type ValueOf = (group: number) => MeasuredValue;

interface Fold {
  fold(piece: Piece): void;
  /** Computes the values, or returns true if all rows must be folded once more. */
  again?(): boolean;
  /** Releases everything but the values. */
  finish?(): void;
}

interface ValueFold extends Fold {
  readonly valueOf: ValueOf;
}

interface SumFold extends Fold {
  want(kind: SumKind): ValueOf;
}

/** Folds of one pass: the state of many groups may be large. */
const FOLDS_OF_A_PASS = 16;

/** Groups and measures over the rows of a view, computed chunk by chunk. */
export class Folding {
  readonly root: Grouping = new Grouping();
  readonly #view: TableView;
  readonly #groupings: Grouping[] = [this.root];
  readonly #folds: Fold[] = [];
  // By column; sums and numbers also by grouping.
  readonly #readers: Map<string, NumberReader> = new Map();
  readonly #codes: Map<string, ColumnCodes> = new Map();
  readonly #sums: Map<string, SumFold> = new Map();
  readonly #numbers: Map<string, Numbers> = new Map();

  constructor(view: TableView) {
    this.#view = view;
  }

  codesOf(column: ColumnRef): ColumnCodes {
    const make = () => new CodeReader(this.#view, column, this.#numbersOf(column));
    return remember(this.#codes, column.path, make);
  }

  intervalsOf(column: ColumnRef, interval: Interval): ColumnCodes {
    const isTime = column.type === "datetime";
    return new IntervalCodes(this.#numbersOf(column), interval, isTime);
  }

  /** @param hasNulls whether null has groups */
  split(outer: Grouping, codes: ColumnCodes, hasNulls: boolean): Grouping {
    const grouping = new Grouping(outer, codes, hasNulls);
    this.#groupings.push(grouping);
    return grouping;
  }

  /** Folds the rows of a plan. */
  run(plan: Plan): void {
    const checkTime = this.#view.checkTime ?? (() => {});
    let isFirst = true;
    const pass = (folds: readonly Fold[]): void => {
      eachPiece(this.#view, plan, (piece) => {
        for (const grouping of this.#groupings) {
          grouping.read(piece);
          if (isFirst) grouping.count(piece);
          checkTime();
        }
        for (const fold of folds) {
          fold.fold(piece);
          checkTime();
        }
      });
      isFirst = false;
    };
    if (this.#folds.length === 0) pass([]); // groups are numbered all the same
    for (let from = 0; from < this.#folds.length; from += FOLDS_OF_A_PASS) {
      const folds = this.#folds.slice(from, from + FOLDS_OF_A_PASS);
      for (let left = folds; left.length > 0; left = left.filter((fold) => fold.again?.())) {
        pass(left);
      }
      for (const fold of folds) {
        fold.finish?.();
        checkTime();
      }
    }
  }

  measure(measure: Measure, grouping: Grouping): ValueOf {
    switch (measure.kind) {
      case "count": {
        const { predicate } = measure;
        if (predicate === TRUE) return (group) => grouping.countOf(group);
        return this.#add(foldCounts(grouping, compileFilter(predicate, this.#view))).valueOf;
      }
      case "uniqueCount":
        return this.#add(foldDistinct(grouping, this.codesOf(measure.column))).valueOf;
      case "sum":
      case "average": {
        const { column, kind } = measure;
        return remember(this.#sums, this.#nameOf(grouping, column), () =>
          this.#add(foldSums(grouping, this.#numbersOf(column))),
        ).want(kind);
      }
      case "min":
      case "max": {
        const { column, kind } = measure;
        const sign = kind === "min" ? 1 : -1;
        return NUMERIC_TYPES.has(column.type)
          ? this.#add(foldExtremes(grouping, this.#numbersOf(column), sign)).valueOf
          : this.#add(foldExtremeValues(grouping, createValueReader(this.#view, column), sign))
              .valueOf;
      }
      case "percentiles": {
        const { column, percentiles } = measure;
        const reader = this.#numbersOf(column);
        const numbers = remember(this.#numbers, this.#nameOf(grouping, column), () => {
          const all = new Numbers();
          this.#add({ fold: (piece) => all.add(reader.read(piece), grouping.of) });
          return all;
        });
        return (group) => percentilesOf(numbers.of(group), percentiles);
      }
    }
  }

  #add<F extends Fold>(fold: F): F {
    this.#folds.push(fold);
    return fold;
  }

  #nameOf(grouping: Grouping, { path }: ColumnRef): string {
    return `${this.#groupings.indexOf(grouping)} ${path}`;
  }

  #numbersOf(column: ColumnRef): NumberReader {
    return remember(this.#readers, column.path, () => new NumberReader(this.#view, column));
  }
}

function remember<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function foldCounts(grouping: Grouping, filter: ReturnType<typeof compileFilter>): ValueFold {
  let counts = NO_INTS;
  return {
    fold: (piece) => {
      const { of, size } = grouping;
      const bits = piece.bits.slice();
      counts = grown(counts, size);
      filter.narrow(piece.chunk, bits);
      for (let i = 0; i < piece.count; i++) {
        if (hasBit(bits, rowOf(piece, i))) counts[of?.[i] ?? 0]!++;
      }
    },
    valueOf: (group) => counts[group] ?? 0,
  };
}

function foldDistinct(grouping: Grouping, codes: ColumnCodes): ValueFold {
  let split: Grouping | undefined = new Grouping(grouping, codes, false);
  let counts = NO_INTS;
  return {
    fold: (piece) => {
      split!.read(piece); // until the last piece
      split!.count(piece);
    },
    finish: () => {
      counts = new Int32Array(grouping.size);
      for (let group = 1; group < split!.size; group++) {
        if (split!.countOf(group) !== 0) counts[split!.outerOf(group)]!++;
      }
      split = undefined;
    },
    valueOf: (group) => counts[group]!,
  };
}

function foldSums(grouping: Grouping, reader: NumberReader): SumFold {
  const sums = new Sums();
  const kinds = new Set<SumKind>();
  return {
    want: (kind) => {
      kinds.add(kind);
      return (group) => {
        const value = sums.resultOf(kind, group);
        return Number.isFinite(value) ? value : null;
      };
    },
    fold: (piece) => sums.add(reader.read(piece), grouping.of, grouping.size),
    again: () => !sums.round(kinds, (group) => grouping.countOf(group)),
  };
}

function foldExtremes(grouping: Grouping, reader: NumberReader, sign: 1 | -1): ValueFold {
  let least = NO_FLOATS;
  return {
    fold: (piece) => {
      least = grown(least, grouping.size, Number.POSITIVE_INFINITY);
      keepLeast(least, reader.read(piece), grouping.of, sign);
    },
    valueOf: (group) => {
      const number = least[group]!; // undefined for a group without rows
      return Number.isFinite(number) ? sign * number + 0 : null;
    },
  };
}

/** NaN is less than nothing. */
function keepLeast(
  least: Float64Array,
  numbers: Float64Array,
  of: Int32Array | undefined,
  sign: 1 | -1,
): void {
  if (of === undefined) {
    let first = least[0]!;
    for (let i = 0; i < numbers.length; i++) {
      const number = sign * numbers[i]!;
      if (number < first) first = number;
    }
    least[0] = first;
    return;
  }
  for (let i = 0; i < numbers.length; i++) {
    const number = sign * numbers[i]!;
    if (number < least[of[i]!]!) least[of[i]!] = number;
  }
}

function foldExtremeValues(
  grouping: Grouping,
  read: (piece: Piece, position: number) => PresentValue | null,
  sign: 1 | -1,
): ValueFold {
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
    valueOf: (group) => best[group] ?? null,
  };
}

export function comparePresent(a: PresentValue, b: PresentValue): number {
  if (typeof a === "string") return compareStrings(a, b as string); // of the same column
  if (typeof a === "object") return compareInstants(a as Instant, b as Instant);
  return Number(a) - Number(b);
}
