import { CREATED_AT_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../../schema/columns.js";
import type { RecordNames } from "../../schema/record-names.js";
import type { Chunk } from "../../storage/chunk.js";
import type { ListVector } from "../../storage/vector.js";
import {
  type BoolVector,
  type CodeVector,
  type InstantVector,
  NULL_BYTE,
  type NumberVector,
  type TextVector,
  TRUE_BYTE,
} from "../../storage/vectors.js";
import type { AnyRecord, Json } from "../../types.js";
import { cloneJson } from "../../value/json.js";
import { type CompileSelection, createProjection } from "./projection.js";
import { createInstantReader, type Sink } from "./sink.js";

type Target = Record<string, unknown>;

type Step = (chunk: Chunk, row: number, target: Target) => void;

/** Creates records as new objects, which the caller may change (rule R-6). */
const OBJECTS: Sink<Step, AnyRecord> = {
  keyOf: (name) => name,
  number: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot] as NumberVector | undefined; // fixed by the column's type
    if (vector === undefined) return;
    const value = vector.values[row]!;
    if (!Number.isNaN(value)) target[key] = value;
  },
  bool: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot] as BoolVector | undefined; // as above
    const byte = vector === undefined ? NULL_BYTE : vector.bytes[row]!;
    if (byte !== NULL_BYTE) target[key] = byte === TRUE_BYTE;
  },
  instant: (key, slot) => {
    const read = createInstantReader();
    return (chunk, row, target) => {
      const vector = chunk.vectors[slot] as InstantVector | undefined; // as above
      const text = vector === undefined ? null : read(vector, row);
      if (text !== null) target[key] = text;
    };
  },
  list: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot] as ListVector | undefined; // as above
    const list = vector === undefined ? null : vector.get(row);
    if (list !== null) target[key] = list;
  },
  text: (key, slot) => (chunk, row, target) => {
    const vector = chunk.vectors[slot] as TextVector | CodeVector | undefined; // as above
    if (vector === undefined) return;
    const text = vector.kind === "text" ? vector.texts[row]! : vector.get(row);
    if (text !== null) target[key] = text;
  },
  json: (key, slot, shape) => (chunk, row, target) => {
    const value = chunk.vectors[slot]?.get(row) as Json | undefined; // the column's type holds JSON
    if (value == null) return;
    const shaped = shape === undefined ? cloneJson(value) : shape(value, chunk.idAt(row));
    if (shaped !== undefined) target[key] = shaped;
  },
  object: (key, members) => {
    const steps = members(true);
    return (chunk, row, target) => {
      const object: Target = {};
      for (let i = 0; i < steps.length; i++) steps[i]!(chunk, row, object);
      for (const _ in object) {
        target[key] = object;
        break;
      }
    };
  },
  link: (key, slot, idKey, recordOf) => (chunk, row, target) => {
    const vector = chunk.vectors[slot] as CodeVector | undefined; // links are dictionary-encoded
    const id = vector === undefined ? null : vector.get(row);
    if (id !== null) target[key] = recordOf?.(id) ?? { [idKey]: id };
  },
  record: ({ steps, names, reverse }) => {
    const [idKey, metadataKey = "", ...others] = names;
    const readCreatedAt = createInstantReader();
    const readUpdatedAt = createInstantReader();
    return (chunk, row) => {
      const id = chunk.idAt(row);
      const record = {} as AnyRecord; // its id is set at once
      record[idKey] = id;
      for (let i = 0; i < steps.length; i++) steps[i]!(chunk, row, record);
      for (const [name, recordsFor] of reverse) record[name] = { records: recordsFor(id) };
      record[metadataKey] = {
        version: (chunk.vectors[VERSION_SLOT] as NumberVector).values[row]!, // version vectors hold numbers
        createdAt: readCreatedAt(chunk.vectors[CREATED_AT_SLOT] as InstantVector, row),
        updatedAt: readUpdatedAt(chunk.vectors[UPDATED_AT_SLOT] as InstantVector, row),
      };
      if (others.length > 0) flatten(record, names);
      return record;
    };
  },
};

/** Moves the members of the metadata to columns of their own. */
function flatten(record: Target, [, first = "", ...others]: RecordNames): void {
  const values = Object.values(record[first] as object);
  for (const [index, name] of [first, ...others].entries()) record[name] = values[index];
}

export const createProject: CompileSelection<AnyRecord> = createProjection(OBJECTS);
