import { coerceValue } from "../schema/coerce.js";
import type { LeafColumn } from "../schema/columns.js";
import type { ValueSink } from "../schema/record.js";
import { isCoded, LONG_VALUE } from "../schema/traits.js";
import type { Instant } from "../value/datetime.js";
import { parseInstantInto } from "../value/datetime.js";
import { isArray } from "../value/json.js";
import type { Chunk } from "./chunk.js";
import { type CodeVector, type ListVector, MAX_TEXT_CODES, NULL_CODE } from "./vectors.js";

/**
 * The row after a draft's last one. Values are stored while a record is read, because temporary
 * objects would dominate the time of a bulk load. The row is invisible until it is counted.
 */
export class OpenRow implements ValueSink {
  /** Set before the first `take`. */
  last!: Chunk;
  readonly #instant: { -readonly [part in keyof Instant]: Instant[part] } = { ms: 0, micros: 0 };

  take(column: LeafColumn, value: unknown): boolean {
    const { vectors, count: row } = this.last;
    const vector = vectors[column.slot];
    if (vector === undefined || column.unique) return false;
    if (typeof value === "string" && value.length >= LONG_VALUE) return false;
    switch (vector.kind) {
      case "text":
      case "number": {
        const stored = coerceValue(column, value, false);
        if (stored === undefined) return false;
        vector.set(row, stored);
        return true;
      }
      case "code":
        return typeof value === "string" && takeText(vector, row, column, value);
      case "instant":
        if (typeof value !== "string" || !parseInstantInto(this.#instant, value)) return false;
        vector.set(row, this.#instant);
        return true;
      case "list":
        return isArray(value) && takeList(vector, row, value);
      default:
        return false;
    }
  }
}

function takeText(vector: CodeVector, row: number, column: LeafColumn, text: string): boolean {
  const { dictionary } = vector;
  const known = dictionary.find(text);
  if (known !== NULL_CODE) vector.setCode(row, known);
  else {
    if (!isCoded(column.type) && dictionary.size >= MAX_TEXT_CODES) return false;
    const stored = coerceValue(column, text, false);
    if (stored === undefined) return false;
    vector.set(row, stored);
  }
  return true;
}

function takeList(vector: ListVector, row: number, members: readonly unknown[]): boolean {
  const { dictionary } = vector;
  let units = 0;
  vector.begin(row);
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    if (typeof member !== "string") return false;
    units += member.length + 1;
    if (units >= LONG_VALUE) return false;
    let code = dictionary.find(member);
    if (code === NULL_CODE) {
      if (!member.isWellFormed()) return false;
      code = dictionary.encode(member);
    }
    vector.push(row, code);
  }
  return true;
}
