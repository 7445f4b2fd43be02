import type { Chunk } from "../../storage/chunk.js";
import type { Json } from "../../types.js";

/**
 * What records are made as. A sink gives a step for each column that the walk of `projection.ts`
 * comes to: a function of a chunk and a row that puts the column into a record, and nothing where it
 * is null (rule R-4). What a step gives and takes beside is the sink's own affair. Steps are made
 * once and run for each row, so each reads vectors of one kind only: one that sees all kinds is
 * several times slower.
 */
export interface Sink<Step, R> {
  /** What a member of a record or an object column goes under; some sinks mark the first one. */
  readonly keyOf: (name: string, isFirst: boolean) => string;
  readonly number: ValueStep<Step>;
  readonly bool: ValueStep<Step>;
  /** A `datetime` column. */
  readonly instant: ValueStep<Step>;
  /** A `multiple` column. */
  readonly list: ValueStep<Step>;
  /** A column of strings, kept plain or as codes. */
  readonly text: ValueStep<Step>;
  /** A column of JSON values; where `shape` is given, what that makes of them for a record. */
  readonly json: (key: string, slot: number, shape: ShapeValue | undefined) => Step;
  /**
   * An object column, which is null where all of its members are (rule T-14).
   *
   * @param members gives the steps of its members, made as the first to be put or not
   */
  readonly object: (key: string, members: (isFirst: boolean) => readonly Step[]) => Step;
  /**
   * A link column: the linked record, or an object with its id alone.
   *
   * @param recordOf undefined where the id is all that is asked for
   */
  readonly link: (
    key: string,
    slot: number,
    recordOf: ((id: string) => R | undefined) | undefined,
  ) => Step;
  readonly record: (parts: RecordParts<Step, R>) => MakeRecord<R>;
}

/** Gives a stored value another form, for the record of that id; undefined to leave it out. */
export type ShapeValue = (value: Json, id: string) => Json | undefined;

/** Makes the step of a column in a slot. */
type ValueStep<Step> = (key: string, slot: number) => Step;

/** Makes the record of a row. */
export type MakeRecord<R> = (chunk: Chunk, row: number) => R;

/** What a record is made of, beside its id. */
export interface RecordParts<Step, R> {
  readonly steps: readonly Step[];
  readonly metadataColumn: string;
  /** Reverse links: the name of each, and what gives the records for an id (rule P-11). */
  readonly reverse: readonly (readonly [name: string, recordsFor: (id: string) => readonly R[]])[];
}
