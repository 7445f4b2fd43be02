import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import type { Vector } from "../../storage/vector.js";
import {
  type Codes,
  type Dictionary,
  FALSE_BYTE,
  NULL_BYTE,
  NULL_CODE,
  TRUE_BYTE,
} from "../../storage/vectors.js";
import type { Instant } from "../../value/datetime.js";
import type { FindIn } from "../../value/find-text.js";
import { reserve } from "../../value/memory.js";
import type { Leaf, Test } from "../bound/bound-query.js";
import type { TableView } from "../query-run.js";
import {
  keepByPostings,
  keepContaining,
  narrowByPrefix,
  PREFIX_LENGTH,
  prefixRange,
} from "./chunk-cache.js";
import { createJoinedSearch, isSearchable } from "./joined-text.js";
import {
  narrowBy,
  narrowByCode,
  narrowByItems,
  narrowToCode,
  narrowToInterval,
  narrowToText,
  wordsFor,
} from "./kernels.js";

/** Clears the bits of a vector's rows that do not match; returns false, and clears none, if it cannot read the vector. */
export type Kernel = (vector: Vector, count: number, bits: Uint32Array) => boolean;

export function compileKernel(
  leaf: Leaf,
  view: TableView,
  accept: (value: StoredValue) => boolean,
): Kernel | undefined {
  const { column, test } = leaf;
  switch (TRAITS[column.type].stored) {
    case "number":
      return intervalKernel(leaf, numberInterval(test), (vector) =>
        vector.kind === "number" ? vector.values : undefined,
      );
    case "instant":
      // Exact for vectors without microseconds.
      return intervalKernel(leaf, instantInterval(test), (vector) =>
        vector.kind === "instant" && vector.micros === undefined ? vector.ms : undefined,
      );
    case "bool": {
      const answers = new Uint8Array(3);
      answers[FALSE_BYTE] = accept(false) ? 1 : 0;
      answers[TRUE_BYTE] = accept(true) ? 1 : 0;
      answers[NULL_BYTE] = leaf.nullMatches ? 1 : 0;
      return (vector, count, bits) => {
        if (vector.kind !== "bool") return false;
        narrowByCode(bits, wordsFor(count), vector.bytes, answers);
        return true;
      };
    }
    case "list":
      return listKernel(leaf, view, accept);
    case "text":
    case "code":
      return textKernel(leaf, view, accept);
    case "value":
      return undefined;
  }
}

type Bounds = readonly [low: number, high: number];

/** @param valuesOf returns undefined for a vector of another kind */
function intervalKernel(
  { negated, nullMatches }: Leaf,
  bounds: Bounds | undefined,
  valuesOf: (vector: Vector) => Float64Array | undefined,
): Kernel | undefined {
  if (bounds === undefined) return undefined;
  const [low, high] = bounds;
  const interval = { low, high, inside: !negated, nulls: nullMatches };
  return (vector, count, bits) => {
    const values = valuesOf(vector);
    if (values !== undefined) narrowToInterval(bits, wordsFor(count), values, interval);
    return values !== undefined;
  };
}

function numberInterval(test: Test): Bounds | undefined {
  switch (test.kind) {
    case "equals":
      return [test.value as number, test.value as number]; // coerced to the column's type
    case "range": {
      const low = test.low === undefined ? Number.NEGATIVE_INFINITY : (test.low.value as number); // coerced
      const high = test.high === undefined ? Number.POSITIVE_INFINITY : (test.high.value as number);
      return [
        test.low?.inclusive === false ? nextUp(low) : low,
        test.high?.inclusive === false ? -nextUp(-high) : high,
      ];
    }
    default:
      return undefined;
  }
}

/** The least number greater than a finite one. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const number = new Float64Array([value]);
  const bits = new BigInt64Array(number.buffer);
  bits[0]! += value > 0 ? 1n : -1n;
  return number[0]!;
}

function instantInterval(test: Test): Bounds | undefined {
  if (test.kind !== "range" && test.kind !== "equals") return undefined;
  const low = test.kind === "range" ? test.low : { value: test.value, inclusive: true };
  const high = test.kind === "range" ? test.high : { value: test.value, inclusive: true };
  const from = low?.value as Instant | undefined; // coerced to the column's type
  const to = high?.value as Instant | undefined;
  return [
    from === undefined
      ? Number.NEGATIVE_INFINITY
      : low?.inclusive && from.micros === 0
        ? from.ms
        : from.ms + 1,
    to === undefined
      ? Number.POSITIVE_INFINITY
      : high?.inclusive || to.micros > 0
        ? to.ms
        : to.ms - 1,
  ];
}

function textKernel(leaf: Leaf, view: TableView, accept: (value: StoredValue) => boolean): Kernel {
  const { test, negated, nullMatches } = leaf;
  // Compiled when a chunk needs them: for a long text each takes as long as reading it.
  let answers: CodeAnswers | undefined;
  let search: FindIn | undefined;
  const joined =
    test.kind === "text" && test.operator === "contains" && isSearchable(test.operand)
      ? test.operand
      : undefined;
  const equal = test.kind === "equals" && typeof test.value === "string" ? test.value : undefined;
  const isPrefixed = test.kind === "text" && test.operator === "startsWith";
  const prefix = isPrefixed ? test.operand : equal;
  // Prefix keys cannot decide negations and nulls.
  const range = prefix === undefined || negated || nullMatches ? undefined : prefixRange(prefix);
  const isExact = isPrefixed && test.operand.length <= PREFIX_LENGTH;
  const keys = range && { isExact, ...range };
  return (vector, count, bits) => {
    const words = wordsFor(count);
    if (vector.kind === "code") {
      const { dictionary } = vector;
      answers ??= CodeAnswers.create(view, dictionary, nullMatches, (code) =>
        accept(dictionary.values[code]!),
      );
      if (answers === undefined) return false;
      const results = answers.forCodes(vector.codes, count);
      if (!keepByPostings(bits, vector, count, { answers: results, wanted: 1, inside: true })) {
        answers.narrow(bits, count, vector.codes, results);
      }
      return true;
    }
    if (vector.kind !== "text") return false;
    const { texts } = vector;
    const acceptRow =
      equal === undefined
        ? (row: number): boolean => accept(texts[row]!)
        : (row: number): boolean => texts[row] === equal;
    if (keys !== undefined && narrowByPrefix(bits, vector, count, keys, acceptRow)) {
      return true;
    }
    if (joined !== undefined) search ??= createJoinedSearch(joined, view.checkTime);
    if (search !== undefined && keepContaining(bits, vector, count, search, !negated)) {
      // Null contains nothing, so the negation would match it.
      if (negated && !nullMatches) narrowBy(bits, words, (row) => texts[row] !== null);
    } else if (equal !== undefined) {
      narrowToText(bits, words, texts, { wanted: equal, inside: !negated, nulls: nullMatches });
    } else narrowBy(bits, words, acceptRow);
    return true;
  };
}

function listKernel(
  { test, negated }: Leaf,
  view: TableView,
  accept: (value: StoredValue) => boolean,
): Kernel | undefined {
  if (test.kind !== "items") return undefined;
  let answers: CodeAnswers | undefined;
  // ∀ p is ¬∃ ¬p.
  const answer = test.quantifier === "some" ? 1 : 0;
  const inside = (test.quantifier === "some") !== negated;
  return (vector, count, bits) => {
    if (vector.kind !== "list") return false;
    const { dictionary } = vector;
    // The test of an item is that of a list of one.
    answers ??= CodeAnswers.create(
      view,
      dictionary,
      false,
      (code) => accept([dictionary.values[code]!]) !== negated,
    );
    if (answers === undefined) return false;
    // F-14: a null list has length −1, so no items.
    const results = answers.forCodes(vector.items, vector.used);
    const question = { answers: results, wanted: answer, inside } as const;
    if (!keepByPostings(bits, vector, count, question)) {
      narrowByItems(bits, wordsFor(count), vector, question);
    }
    return true;
  };
}

/** Memoized results of a test by dictionary code. */
export class CodeAnswers {
  readonly #ask: (code: number) => boolean;
  readonly #answers: Uint8Array;
  readonly #isKnown: Uint8Array;
  #known = 1;
  /** The codes whose result is true: how many, and one of them; −1 is no code. */
  #matching = 0;
  #match = -1;

  /** Returns undefined if the call has no memory left: then each row is tested. */
  static create(
    { derived }: TableView,
    dictionary: Dictionary | undefined,
    nullMatches: boolean,
    ask: (code: number) => boolean,
  ): CodeAnswers | undefined {
    const size = dictionary?.size ?? 1;
    return reserve(derived, 2 * size) ? new CodeAnswers(size, nullMatches, ask) : undefined;
  }

  constructor(size: number, nullMatches: boolean, ask: (code: number) => boolean) {
    this.#ask = ask;
    this.#answers = new Uint8Array(size);
    this.#isKnown = new Uint8Array(size);
    this.#isKnown[NULL_CODE] = 1;
    this.#set(NULL_CODE, nullMatches);
  }

  /** Narrows a chunk's rows to those whose code matches. */
  narrow(
    bits: Uint32Array,
    count: number,
    codes: Codes,
    answers: Uint8Array = this.forCodes(codes, count),
  ): void {
    const words = wordsFor(count);
    if (this.#matching > 1 || !narrowToCode(bits, words, codes, this.#match)) {
      narrowByCode(bits, words, codes, answers);
    }
  }

  of(code: number): boolean {
    this.#answer(code);
    return this.#answers[code] === 1;
  }

  /** Returns the results, complete for the given codes. */
  forCodes(codes: Codes, count: number): Uint8Array {
    const size = this.#isKnown.length;
    const isSmall = size <= count; // so that every code is cheaper than every row
    for (let i = 0; i < count && this.#known < size; i++) this.#answer(isSmall ? i : codes[i]!);
    return this.#answers;
  }

  #answer(code: number): void {
    if (this.#isKnown[code] === 1) return;
    this.#isKnown[code] = 1;
    this.#known++;
    this.#set(code, this.#ask(code));
  }

  #set(code: number, matches: boolean): void {
    if (!matches) return;
    this.#answers[code] = 1;
    this.#matching++;
    this.#match = code;
  }
}
