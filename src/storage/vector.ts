import { assert } from "../errors.js";
import type { LeafType, StoredValue } from "../schema/columns.js";
import type { Json } from "../types.js";
import { type Dictionary, MAX_TEXT_CODES } from "./dictionary.js";
import { ListVector } from "./list-vector.js";
import { BoolVector, InstantVector, NumberVector } from "./number-vectors.js";
import { CodeVector, TextVector } from "./text-vectors.js";
import { copyValues, nulls, type VectorFace } from "./vector-face.js";

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

/** `json`, `vector`, `file` and `file[]`: values that no kernel looks into. */
export class ValueVector implements VectorFace {
  owner: symbol | undefined = undefined;
  cache: unknown = undefined;
  readonly kind = "value";
  readonly values: (Json | readonly number[])[];

  constructor(capacity: number, values: (Json | readonly number[])[] = nulls(capacity)) {
    this.values = values;
  }

  get(row: number): Json | readonly number[] {
    return this.values[row]!;
  }

  set(row: number, value: StoredValue): void {
    this.values[row] = value as Json | readonly number[]; // coerced to such a value
  }

  copy(count: number, capacity: number): ValueVector {
    return new ValueVector(capacity, copyValues(this.values, count, capacity));
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
  switch (type) {
    case "int":
    case "float":
      return new NumberVector(capacity);
    case "datetime":
      return new InstantVector(capacity);
    case "bool":
      return new BoolVector(capacity);
    case "string":
    case "text":
    case "email":
      return dictionary === undefined || dictionary.size >= MAX_TEXT_CODES
        ? new TextVector(capacity)
        : new CodeVector(capacity, dictionary);
    case "link":
      assert(dictionary, "a link column has a dictionary");
      return new CodeVector(capacity, dictionary);
    case "multiple":
      assert(dictionary, "a list column has a dictionary");
      return new ListVector(capacity, dictionary);
    default:
      return new ValueVector(capacity);
  }
}
