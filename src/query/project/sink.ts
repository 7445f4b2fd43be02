import type { RecordNames } from "../../schema/record-names.js";
import type { Chunk } from "../../storage/chunk.js";
import type { InstantVector } from "../../storage/vectors.js";
import type { Json } from "../../types.js";
import { formatInstant } from "../../value/datetime.js";

/**
 * An output format of records. A step writes one column of a row; null is omitted.
 * Each step reads one kind of vector: a step for all kinds is several times slower.
 */
export interface Sink<Step, R> {
  /** A member's key; JSON marks the first. */
  readonly keyOf: (name: string, isFirst: boolean) => string;
  readonly number: ValueStep<Step>;
  readonly bool: ValueStep<Step>;
  readonly instant: ValueStep<Step>;
  readonly list: ValueStep<Step>;
  readonly text: ValueStep<Step>;
  /** @param shape converts a value for a record */
  readonly json: (key: string, slot: number, shape: ShapeValue | undefined) => Step;
  /** @param members creates the members' steps; null if all are null (rule T-14) */
  readonly object: (key: string, members: (isFirst: boolean) => readonly Step[]) => Step;
  /** Writes the linked record, or only its id if `recordOf` is absent. */
  readonly link: (
    key: string,
    slot: number,
    idColumn: string,
    recordOf: ((id: string) => R | undefined) | undefined,
  ) => Step;
  readonly record: (parts: RecordParts<Step, R>) => MakeRecord<R>;
}

/** Converts a stored value; undefined omits it. */
export type ShapeValue = (value: Json, id: string) => Json | undefined;

type ValueStep<Step> = (key: string, slot: number) => Step;

export type MakeRecord<R> = (chunk: Chunk, row: number) => R;

export interface RecordParts<Step, R> {
  readonly steps: readonly Step[];
  readonly names: RecordNames;
  /** The name, and the records by id (rule P-11). */
  readonly reverse: readonly (readonly [name: string, recordsFor: (id: string) => readonly R[]])[];
}

/** Formats a row's instant or null. Caches the last one: bulk loads repeat it. */
export function createInstantReader(): (vector: InstantVector, row: number) => string | null {
  let lastMs = Number.NaN;
  let lastMicros = 0;
  let lastText = "";
  return (vector, row) => {
    const ms = vector.ms[row]!;
    const micros = vector.micros === undefined ? 0 : vector.micros[row]!;
    if (ms === lastMs && micros === lastMicros) return lastText;
    if (Number.isNaN(ms)) return null;
    lastMs = ms;
    lastMicros = micros;
    lastText = formatInstant(ms, micros);
    return lastText;
  };
}
