import type { Chunk } from "../../storage/chunk.js";
import type { Json } from "../../types.js";

/**
 * One form of records. A step puts one column of a row into a record, nothing if it is null.
 * It reads vectors of one kind: a step for all kinds is several times slower.
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
  /** @param members makes the steps of the members; null if all are null (rule T-14) */
  readonly object: (key: string, members: (isFirst: boolean) => readonly Step[]) => Step;
  /** The linked record; its id alone without `recordOf`. */
  readonly link: (
    key: string,
    slot: number,
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
  readonly metadataColumn: string;
  /** Name, and records by id (rule P-11). */
  readonly reverse: readonly (readonly [name: string, recordsFor: (id: string) => readonly R[]])[];
}
