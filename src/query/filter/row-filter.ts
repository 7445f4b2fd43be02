import type { StoredValue } from "../../schema/columns.js";
import type { Chunk } from "../../storage/chunk.js";
import type { Combination, Hop, Leaf, NullTest, Predicate } from "../bound/bound-query.js";
import { followKeys, openPath, type TableView } from "../query-run.js";
import { SAMPLE_CHUNKS } from "../thresholds.js";
import {
  assign,
  countBits,
  createBits,
  isEmpty,
  narrowBy,
  narrowToNull,
  setLiveRows,
  subtract,
  wordsFor,
} from "./kernels.js";
import { CodeAnswers, compileKernel } from "./leaf-kernels.js";
import { compileTest, type ValueTest } from "./value-test.js";

/** A compiled predicate of one table version; both methods decide alike. */
export interface RowFilter {
  /** Clears the bits of a chunk's rows that do not match; sets none. */
  narrow(chunk: Chunk, bits: Uint32Array): void;
  matches(ordinal: number): boolean;
  /** Cost per row, relative to comparing a number. */
  readonly cost: number;
}

/**
 * Receives the matching rows of an access path, each live row at most once, by whole chunks or one by
 * one. Returns false when it needs no later rows; an unordered path may continue all the same.
 */
export interface RowVisitor {
  row(row: number): boolean;
  /**
   * @param base the ordinal of the chunk's first row
   * @param bits the matching rows; valid during the call only
   */
  chunk(chunk: Chunk, base: number, bits: Uint32Array): boolean;
}

/** Live matching rows of a chunk, or of `from … to` in it. */
export function selectRows(
  filter: RowFilter,
  chunk: Chunk,
  bits: Uint32Array,
  from?: number,
  to?: number,
): void {
  setLiveRows(bits, chunk, from, to);
  filter.narrow(chunk, bits);
}

export function compileFilter(predicate: Predicate, view: TableView): RowFilter {
  switch (predicate.kind) {
    case "constant":
      return {
        narrow: (_chunk, bits) => {
          if (!predicate.value) bits.fill(0);
        },
        matches: () => predicate.value,
        cost: 0,
      };
    case "all":
      return compileAll(predicate, view);
    case "any":
      return compileAny(predicate, view);
    case "leaf":
    case "null":
      if (predicate.column.hops.length > 0) return compileLinked(predicate, view);
      return predicate.kind === "null"
        ? compileNull(predicate, view)
        : compileLeaf(predicate, view);
  }
}

/**
 * Each part tests the rows that passed the previous parts. After a sample, parts with the best
 * ratio of removed rows to cost run first (J. M. Hellerstein, Predicate migration, 1993).
 */
function compileAll(predicate: Combination, view: TableView): RowFilter {
  const parts = cheapestFirst(mergeRanges(predicate.parts), view);
  const rank = ({ filter, seen, left }: Part): number =>
    seen === left ? Number.MAX_VALUE : (filter.cost * seen) / (seen - left);
  // Reordering doesn't pay for small tables.
  let samples = view.table.chunks.length > SAMPLE_CHUNKS ? SAMPLE_CHUNKS : 0;
  return {
    narrow(chunk, bits) {
      const words = wordsFor(chunk.count);
      const isSample = samples > 0;
      for (const part of parts) {
        if (isEmpty(bits, words)) break;
        if (isSample) part.seen += countBits(bits, words);
        part.filter.narrow(chunk, bits);
        if (isSample) part.left += countBits(bits, words);
      }
      if (isSample && --samples === 0) parts.sort((a, b) => rank(a) - rank(b));
    },
    matches: (ordinal) => parts.every(({ filter }) => filter.matches(ordinal)),
    cost: costOfAll(parts),
  };
}

/** Merges a lower and an upper bound of a column into one range. */
function mergeRanges(parts: readonly Predicate[]): readonly Predicate[] {
  const merged: Predicate[] = [];
  for (const part of parts) {
    let joined: Predicate | undefined;
    for (let i = 0; i < merged.length && joined === undefined; i++) {
      joined = joinRanges(merged[i]!, part);
      if (joined !== undefined) merged[i] = joined;
    }
    if (joined === undefined) merged.push(part);
  }
  return merged;
}

function joinRanges(a: Predicate, b: Predicate): Predicate | undefined {
  if (a.kind !== "leaf" || b.kind !== "leaf") return undefined;
  if (a.test.kind !== "range" || b.test.kind !== "range") return undefined;
  const { low = b.test.low, high = b.test.high } = a.test;
  const isOneInterval =
    !a.negated &&
    !b.negated &&
    a.column.path === b.column.path &&
    (a.test.low === undefined) !== (b.test.low === undefined) &&
    (a.test.high === undefined) !== (b.test.high === undefined);
  return isOneInterval ? { ...a, test: { kind: "range", low, high } } : undefined;
}

/** Each part tests the rows that no previous part accepted. */
function compileAny(predicate: Combination, view: TableView): RowFilter {
  const parts = cheapestFirst(predicate.parts, view);
  const refused = createBits(view.table);
  const accepted = createBits(view.table);
  return {
    narrow(chunk, bits) {
      const words = wordsFor(chunk.count);
      assign(refused, bits, words);
      for (const part of parts) {
        if (isEmpty(refused, words)) break;
        assign(accepted, refused, words);
        part.filter.narrow(chunk, accepted);
        subtract(refused, accepted, words);
      }
      subtract(bits, refused, words);
    },
    matches: (ordinal) => parts.some(({ filter }) => filter.matches(ordinal)),
    cost: costOfAll(parts),
  };
}

/** A test through links, evaluated once per id of the first if there is memory for that. */
function compileLinked(leaf: Leaf | NullTest, view: TableView): RowFilter {
  const { hops } = leaf.column;
  const [{ slot }] = hops as readonly [Hop]; // checked by the caller
  const path = openPath(view, hops)!; // not empty
  const unlinked = { ...leaf, column: { ...leaf.column, hops: [] } };
  const inner = compileFilter(unlinked, path.end);
  const { table } = view;
  const nullMatches = leaf.kind === "null" ? leaf.isNull : leaf.nullMatches;
  const accept = (code: number): boolean => {
    const row = path.rowOfCode(code);
    return row < 0 ? nullMatches : inner.matches(row);
  };
  const answers = CodeAnswers.create(view, table.dictionaries.get(slot), nullMatches, accept);
  return {
    narrow(chunk, bits) {
      view.checkTime?.();
      const vector = chunk.vectors[slot];
      if (vector?.kind !== "code") keepIf(nullMatches, bits);
      else if (answers !== undefined) answers.narrow(bits, chunk.count, vector.codes);
      else narrowBy(bits, wordsFor(chunk.count), (row) => accept(vector.codes[row]!));
    },
    matches: (ordinal) => {
      const code = table.codeAt(ordinal, slot);
      return answers === undefined ? accept(code) : answers.of(code);
    },
    cost: 2,
  };
}

function compileNull({ column, isNull }: NullTest, { table }: TableView): RowFilter {
  const { slot, keys } = column;
  const matches = (value: StoredValue): boolean =>
    ((keys === undefined ? value : followKeys(value, keys)) === null) === isNull;
  return {
    narrow(chunk, bits) {
      const vector = chunk.vectors[slot];
      if (vector === undefined) keepIf(isNull, bits);
      else if (keys === undefined) narrowToNull(vector, chunk.count, bits, isNull);
      else narrowBy(bits, wordsFor(chunk.count), (row) => matches(vector.get(row)));
    },
    matches: (ordinal) => matches(table.get(ordinal, slot)),
    cost: column.type === "json" ? 20 : 1,
  };
}

function keepIf(keep: boolean, bits: Uint32Array): void {
  if (!keep) bits.fill(0);
}

function compileLeaf(leaf: Leaf, view: TableView): RowFilter {
  const { table, checkTime } = view;
  checkTime?.();
  const { column, negated, nullMatches, test } = leaf;
  const { slot, keys } = column;
  let holds: ValueTest | undefined; // lazy: most chunks need a kernel only
  const accept = (value: StoredValue): boolean => {
    if (value === null) return nullMatches;
    holds ??= compileTest(test, column.type, view);
    return holds(value) !== negated;
  };
  const acceptAt =
    keys === undefined ? accept : (value: StoredValue): boolean => accept(followKeys(value, keys));
  const kernel = keys === undefined ? compileKernel(leaf, view, accept) : undefined;
  return {
    narrow(chunk, bits) {
      checkTime?.();
      const vector = chunk.vectors[slot];
      if (vector === undefined) keepIf(nullMatches, bits);
      else if (kernel === undefined || !kernel(vector, chunk.count, bits)) {
        narrowBy(bits, wordsFor(chunk.count), (row) => acceptAt(vector.get(row)));
      }
    },
    matches: (ordinal) => acceptAt(table.get(ordinal, slot)),
    cost: costOf(leaf),
  };
}

interface Part {
  readonly filter: RowFilter;
  seen: number;
  left: number;
}

function cheapestFirst(predicates: readonly Predicate[], view: TableView): Part[] {
  return predicates
    .map((part) => ({ filter: compileFilter(part, view), seen: 0, left: 0 }))
    .sort((a, b) => a.filter.cost - b.filter.cost);
}

function costOfAll(parts: readonly Part[]): number {
  return parts.reduce((sum, { filter }) => sum + filter.cost, 0);
}

function costOf({ test, column }: Leaf): number {
  if (column.type === "json") return 20;
  if (test.kind === "items") return 4;
  if (test.kind === "text") return test.operator === "startsWith" ? 2 : 10;
  return test.kind === "among" ? 6 : 1;
}
