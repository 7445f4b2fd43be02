import type { LeafType, StoredValue } from "../schema/columns.js";
import { TRAITS } from "../schema/traits.js";
import type { Json } from "../types.js";
import { type Dictionary, MAX_TEXT_CODES } from "./dictionary.js";
import { ListVector } from "./list-vector.js";
import { BoolVector, InstantVector, NumberVector } from "./number-vectors.js";
import { CodeVector, TextVector } from "./text-vectors.js";
import { copyValues, nulls, VectorFace } from "./vector-face.js";

/**
 * The values of one column in one chunk. Kernels read the arrays of a vector directly; all else
 * goes through `get` and `set`. A vector that is shared between versions is never `set` at a row
 * that another version can see.
 */
export type Vector =
  | NumberVector
  | InstantVector
  | BoolVector
  | TextVector
  | CodeVector
  | ListVector
  | ValueVector;

/**
 * `json`, `file` and `file[]`: values that no kernel looks into. And `vector`: the numbers of each
 * row in an array of their own, which copies share.
 */
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
        ? new Float64Array(value as readonly number[]) // coerced to such a list
        : (value as Json);
  }

  copy(count: number, capacity: number): ValueVector {
    return new ValueVector(capacity, this.isFloats, copyValues(this.values, count, capacity));
  }
}

/**
 * A vector of nulls for a column of that type.
 *
 * @param dictionary of a column that is kept as codes; a text column that is not has none
 */
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
    // Columns of these two are made with a dictionary.
    case "code":
      return new CodeVector(capacity, dictionary!);
    case "list":
      return new ListVector(capacity, dictionary!);
    case "value":
      return new ValueVector(capacity, type === "vector");
  }
}
