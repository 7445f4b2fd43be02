import { NULL_CODE } from "../../storage/dictionary.js";
import { NULL_LENGTH } from "../../storage/list-vector.js";
import { NULL_BYTE } from "../../storage/number-vectors.js";
import type { Vector } from "../../storage/vector.js";
import { wordsFor } from "./bitmap.js";
import { narrowBy, narrowToInterval } from "./kernels.js";

export function narrowToNull(
  vector: Vector,
  count: number,
  bits: Uint32Array,
  isNull: boolean,
): void {
  const words = wordsFor(count);
  const keep = (isNullAt: (row: number) => boolean): void =>
    narrowBy(bits, words, (row) => isNullAt(row) === isNull);
  switch (vector.kind) {
    case "number":
    case "instant": {
      const values = vector.kind === "number" ? vector.values : vector.ms;
      // An empty interval: only `nulls` decides.
      const none = { low: Infinity, high: -Infinity, inside: isNull, nulls: isNull };
      narrowToInterval(bits, words, values, none);
      break;
    }
    case "bool":
      keep((row) => vector.bytes[row] === NULL_BYTE);
      break;
    case "code":
      keep((row) => vector.codes[row] === NULL_CODE);
      break;
    case "text":
      keep((row) => vector.texts[row] === null);
      break;
    case "list":
      keep((row) => vector.lengths[row] === NULL_LENGTH);
      break;
    case "value":
      keep((row) => vector.values[row] === null);
  }
}
