import type { LeafColumn, LeafType, StoredValue } from "../schema/columns.js";
import { LONG_VALUE, TRAITS } from "../schema/traits.js";
import type { Json } from "../types.js";
import { isArray } from "../value/json.js";
import {
  BoolVector,
  type Codes,
  CodeVector,
  copyCodes,
  copyValues,
  createCodes,
  type Dictionary,
  InstantVector,
  MAX_CODE,
  MAX_TEXT_CODES,
  NULL_CODE,
  NumberVector,
  nulls,
  TextVector,
  VectorFace,
} from "./vectors.js";

/** A column of one chunk, read by kernels. `set` never changes rows visible to other versions. */
export type Vector =
  | NumberVector
  | InstantVector
  | BoolVector
  | TextVector
  | CodeVector
  | ListVector
  | ValueVector;

/** `json`, files and `vector`; copies share a vector's number arrays. */
export class ValueVector extends VectorFace {
  readonly kind = "value";
  readonly isFloats: boolean;
  readonly values: (Json | Float64Array)[];

  constructor(
    capacity: number,
    isFloats: boolean,
    values: (Json | Float64Array)[] = nulls(capacity),
  ) {
    super();
    this.isFloats = isFloats;
    this.values = values;
  }

  get(row: number): Json {
    const value = this.values[row]!;
    return value instanceof Float64Array ? Array.from(value) : value;
  }

  set(row: number, value: StoredValue): void {
    this.values[row] =
      this.isFloats && value !== null
        ? new Float64Array(value as readonly number[]) // coerced to a list of numbers
        : (value as Json);
  }

  override take(): boolean {
    return false;
  }

  copy(count: number, capacity: number): ValueVector {
    return new ValueVector(capacity, this.isFloats, copyValues(this.values, count, capacity));
  }
}

export const NULL_LENGTH = -1;

/** `multiple`: codes at `start … start + length`. Copies drop unreferenced items. */
export class ListVector extends VectorFace {
  readonly kind = "list";
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
  readonly dictionary: Dictionary;
  items: Codes;
  used: number;

  constructor(
    capacity: number,
    dictionary: Dictionary,
    starts: Int32Array = new Int32Array(capacity),
    lengths: Int32Array = new Int32Array(capacity).fill(NULL_LENGTH),
    items: Codes = new Uint8Array(16),
    used = 0,
  ) {
    super();
    this.starts = starts;
    this.lengths = lengths;
    this.dictionary = dictionary;
    this.items = items;
    this.used = used;
  }

  get(row: number): readonly string[] | null {
    const length = this.lengths[row]!;
    if (length === NULL_LENGTH) return null;
    const start = this.starts[row]!;
    const list = new Array<string>(length);
    for (let i = 0; i < length; i++) list[i] = this.dictionary.values[this.items[start + i]!]!;
    return list;
  }

  set(row: number, value: StoredValue): void {
    const list = value as readonly string[] | null; // coerced to a list
    this.begin(row);
    if (list === null) this.lengths[row] = NULL_LENGTH;
    else for (const text of list) this.push(row, this.dictionary.encode(text));
  }

  override take(row: number, _column: LeafColumn, value: unknown): boolean {
    if (!isArray(value)) return false;
    let units = 0;
    this.begin(row);
    for (let i = 0; i < value.length; i++) {
      const member: unknown = value[i];
      if (typeof member !== "string") return false;
      units += member.length + 1;
      if (units >= LONG_VALUE) return false;
      let code = this.dictionary.find(member);
      if (code === NULL_CODE) {
        if (!member.isWellFormed()) return false;
        code = this.dictionary.encode(member);
      }
      this.push(row, code);
    }
    return true;
  }

  begin(row: number): void {
    this.starts[row] = this.used;
    this.lengths[row] = 0;
  }

  push(row: number, code: number): void {
    if (this.used === this.items.length || code > MAX_CODE[this.items.BYTES_PER_ELEMENT]!) {
      const capacity = this.used === this.items.length ? this.used * 2 : this.items.length;
      this.items = copyCodes(this.items, this.used, capacity, code);
    }
    this.items[this.used++] = code;
    this.lengths[row]!++;
  }

  copy(count: number, capacity: number): ListVector {
    const copy = new ListVector(
      capacity,
      this.dictionary,
      undefined,
      undefined,
      createCodes(Math.max(16, this.used), this.dictionary.size),
    );
    for (let row = 0; row < count; row++) {
      const length = this.lengths[row]!;
      const start = this.starts[row]!;
      copy.starts[row] = copy.used;
      copy.lengths[row] = length;
      for (let i = 0; i < length; i++) copy.items[copy.used++] = this.items[start + i]!;
    }
    return copy;
  }
}

/** Text columns without a dictionary are plain. */
export function createVector(
  type: LeafType,
  capacity: number,
  dictionary: Dictionary | undefined,
): Vector {
  switch (TRAITS[type].stored) {
    case "number":
      return new NumberVector(capacity);
    case "instant":
      return new InstantVector(capacity);
    case "bool":
      return new BoolVector(capacity);
    case "text":
      return dictionary === undefined || dictionary.size >= MAX_TEXT_CODES
        ? new TextVector(capacity)
        : new CodeVector(capacity, dictionary);
    // These columns have a dictionary.
    case "code":
      return new CodeVector(capacity, dictionary!);
    case "list":
      return new ListVector(capacity, dictionary!);
    case "value":
      return new ValueVector(capacity, type === "vector");
  }
}
