import type { StoredValue } from "../schema/columns.js";
import type { Instant } from "../value/datetime.js";
import { VectorFace } from "./vector-face.js";

/** `int` and `float`: NaN is null. */
export class NumberVector extends VectorFace {
  readonly kind = "number";
  readonly values: Float64Array;

  constructor(
    capacity: number,
    values: Float64Array = new Float64Array(capacity).fill(Number.NaN),
  ) {
    super();
    this.values = values;
  }

  get(row: number): number | null {
    const value = this.values[row]!;
    return Number.isNaN(value) ? null : value;
  }

  set(row: number, value: StoredValue): void {
    this.values[row] = value === null ? Number.NaN : (value as number); // coerced to a number
  }

  copy(count: number, capacity: number): NumberVector {
    return new NumberVector(capacity, copyFloats(this.values, count, capacity));
  }
}

/** `datetime`: milliseconds, NaN for null; microseconds only if needed. */
export class InstantVector extends VectorFace {
  readonly kind = "instant";
  readonly ms: Float64Array;
  micros: Uint16Array | undefined;

  constructor(
    capacity: number,
    ms: Float64Array = new Float64Array(capacity).fill(Number.NaN),
    micros?: Uint16Array,
  ) {
    super();
    this.ms = ms;
    this.micros = micros;
  }

  get(row: number): Instant | null {
    const ms = this.ms[row]!;
    return Number.isNaN(ms)
      ? null
      : { ms, micros: this.micros === undefined ? 0 : this.micros[row]! };
  }

  set(row: number, value: StoredValue): void {
    const instant = value as Instant | null; // coerced to an instant
    this.ms[row] = instant === null ? Number.NaN : instant.ms;
    const micros = instant === null ? 0 : instant.micros;
    if (micros !== 0) this.micros ??= new Uint16Array(this.ms.length);
    if (this.micros !== undefined) this.micros[row] = micros;
  }

  copy(count: number, capacity: number): InstantVector {
    let micros: Uint16Array | undefined;
    if (this.micros !== undefined) {
      micros = new Uint16Array(capacity);
      micros.set(this.micros.subarray(0, count));
    }
    return new InstantVector(capacity, copyFloats(this.ms, count, capacity), micros);
  }
}

export const FALSE_BYTE = 0;
export const TRUE_BYTE = 1;
export const NULL_BYTE = 2;

export class BoolVector extends VectorFace {
  readonly kind = "bool";
  readonly bytes: Uint8Array;

  constructor(capacity: number, bytes: Uint8Array = new Uint8Array(capacity).fill(NULL_BYTE)) {
    super();
    this.bytes = bytes;
  }

  get(row: number): boolean | null {
    const byte = this.bytes[row];
    return byte === NULL_BYTE ? null : byte === TRUE_BYTE;
  }

  set(row: number, value: StoredValue): void {
    this.bytes[row] = value === null ? NULL_BYTE : value === true ? TRUE_BYTE : FALSE_BYTE;
  }

  copy(count: number, capacity: number): BoolVector {
    const bytes = new Uint8Array(capacity).fill(NULL_BYTE, count);
    bytes.set(this.bytes.subarray(0, count));
    return new BoolVector(capacity, bytes);
  }
}

function copyFloats(source: Float64Array, count: number, capacity: number): Float64Array {
  if (capacity === source.length) return source.slice();
  const copy = new Float64Array(capacity).fill(Number.NaN, count);
  copy.set(source.subarray(0, count));
  return copy;
}
