import type { LeafType, StoredValue } from "../schema/columns.js";
import { TRAITS } from "../schema/traits.js";
import type { Json } from "../types.js";
import {
  BoolVector,
  CodeVector,
  copyValues,
  type Dictionary,
  InstantVector,
  ListVector,
  MAX_TEXT_CODES,
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

  copy(count: number, capacity: number): ValueVector {
    return new ValueVector(capacity, this.isFloats, copyValues(this.values, count, capacity));
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
