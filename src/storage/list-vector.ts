import type { StoredValue } from "../schema/columns.js";
import { type Codes, copyCodes, createCodes, MAX_CODE } from "./codes.js";
import type { Dictionary } from "./dictionary.js";
import { VectorFace } from "./vector-face.js";

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
