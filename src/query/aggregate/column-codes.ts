import type { StoredValue } from "../../schema/columns.js";
import { rowAt, vectorAt } from "../../storage/chunk.js";
import { type Dictionary, NULL_CODE } from "../../storage/dictionary.js";
import type { Json } from "../../types.js";
import type { Instant } from "../../value/datetime.js";
import { canonicalJson } from "../../value/json.js";
import type { ColumnRef } from "../bound/column-ref.js";
import { followKeys } from "../filter/value-test.js";
import { createFollow } from "../follow.js";
import { checkRows, type Source, sourceAfter } from "../source.js";

export type PresentValue = Exclude<StoredValue, null>;

export interface ColumnCodes {
  /** Indexed by position in the row list; {@link NO_CODE} for null. */
  readonly codes: Int32Array;
  readonly values: readonly PresentValue[];
}

export const NO_CODE = -1;

export function gatherNumbers(source: Source, ref: ColumnRef, rows: Int32Array): Float64Array {
  const numbers = new Float64Array(rows.length).fill(Number.NaN);
  const { chunks } = sourceAfter(source, ref.hops).table;
  const ordinals = followRows(source, ref, rows);
  const check = checkRows(source);
  for (let i = 0; i < ordinals.length; i++) {
    check();
    const ordinal = ordinals[i]!;
    const vector = ordinal < 0 ? undefined : vectorAt(chunks, ordinal, ref.slot);
    if (vector?.kind === "number") numbers[i] = vector.values[rowAt(ordinal)]!;
    else if (vector !== undefined && ref.keys !== undefined) {
      numbers[i] = Number(followKeys(vector.get(rowAt(ordinal)), ref.keys) ?? Number.NaN);
    }
  }
  return numbers;
}

export function encodeColumn(source: Source, ref: ColumnRef, rows: Int32Array): ColumnCodes {
  const codes = new Int32Array(rows.length).fill(NO_CODE);
  const { chunks } = sourceAfter(source, ref.hops).table;
  const ordinals = followRows(source, ref, rows);
  const encoder = new Encoder(ref.type);
  const check = checkRows(source);
  for (let i = 0; i < ordinals.length; i++) {
    check();
    const ordinal = ordinals[i]!;
    const vector = ordinal < 0 ? undefined : vectorAt(chunks, ordinal, ref.slot);
    if (vector === undefined) continue;
    if (vector.kind === "code") {
      const code = vector.codes[rowAt(ordinal)]!;
      if (code !== NULL_CODE) codes[i] = encoder.translate(vector.dictionary, code);
    } else {
      const stored = vector.get(rowAt(ordinal));
      const value = ref.keys === undefined ? stored : followKeys(stored, ref.keys);
      if (value !== null) codes[i] = encoder.encode(value);
    }
  }
  return { codes, values: encoder.values };
}

function followRows(source: Source, { hops }: ColumnRef, rows: Int32Array): Int32Array {
  const follow = createFollow(source, hops);
  if (follow === undefined) return rows;
  const check = checkRows(source);
  return rows.map((row) => {
    check();
    return follow(row);
  });
}

class Encoder {
  readonly values: PresentValue[] = [];
  readonly #type: ColumnRef["type"];
  readonly #codesByKey: Map<string | number | boolean, number> = new Map();
  /** Maps codes of another dictionary to codes of this one. */
  readonly #translations: Map<Dictionary, number[]> = new Map();

  constructor(type: ColumnRef["type"]) {
    this.#type = type;
  }

  encode(value: PresentValue): number {
    return this.#take(keyOf(value, this.#type), value);
  }

  translate(dictionary: Dictionary, code: number): number {
    let translation = this.#translations.get(dictionary);
    if (translation === undefined) {
      translation = [];
      this.#translations.set(dictionary, translation);
    }
    const known = translation[code];
    if (known !== undefined) return known;
    const text = dictionary.values[code]!;
    const taken = this.#take(text, text);
    translation[code] = taken;
    return taken;
  }

  #take(key: string | number | boolean, value: PresentValue): number {
    const known = this.#codesByKey.get(key);
    if (known !== undefined) return known;
    const code = this.values.push(value) - 1;
    this.#codesByKey.set(key, code);
    return code;
  }
}

function keyOf(value: PresentValue, type: ColumnRef["type"]): string | number | boolean {
  if (type === "json" || Array.isArray(value)) return canonicalJson(value as Json);
  if (typeof value !== "object") return value;
  const { ms, micros } = value as Instant; // the only remaining type
  return micros === 0 ? ms : `${ms}.${micros}`;
}
