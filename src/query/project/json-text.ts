import { CREATED_AT_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../../schema/columns.js";
import { METADATA_KEYS } from "../../schema/record-names.js";
import type { Chunk } from "../../storage/chunk.js";
import { type ListVector, NULL_LENGTH } from "../../storage/vector.js";
import {
  type BoolVector,
  type CodeVector,
  type InstantVector,
  NULL_BYTE,
  type NumberVector,
  type TextVector,
  TRUE_BYTE,
} from "../../storage/vectors.js";
import type { Json } from "../../types.js";
import { type CompileSelection, createProjection } from "./projection.js";
import { createInstantReader, type Sink } from "./sink.js";

/** Appends a member with its separator. */
type Step = (chunk: Chunk, row: number, written: string) => string;

/** Writes the same JSON as `JSON.stringify` of the records of `records.ts`. */
const JSON_TEXT: Sink<Step, string> = {
  keyOf: (name, isFirst) => `${isFirst ? "" : ","}${JSON.stringify(name)}:`,
  number: (key, slot) => (chunk, row, written) => {
    const vector = chunk.vectors[slot] as NumberVector | undefined; // fixed by the column's type
    const value = vector === undefined ? Number.NaN : vector.values[row]!;
    return Number.isNaN(value) ? written : written + key + value;
  },
  bool: (key, slot) => (chunk, row, written) => {
    const vector = chunk.vectors[slot] as BoolVector | undefined; // as above
    const byte = vector === undefined ? NULL_BYTE : vector.bytes[row]!;
    return byte === NULL_BYTE ? written : written + key + (byte === TRUE_BYTE);
  },
  instant: (key, slot) => {
    const read = createInstantReader();
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as InstantVector | undefined; // as above
      const text = vector === undefined ? null : read(vector, row);
      return text === null ? written : `${written}${key}"${text}"`;
    };
  },
  list: (key, slot) => {
    const opening = `${key}["`;
    const empty = `${key}[]`;
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as ListVector | undefined; // as above
      if (vector === undefined || vector.lengths[row] === NULL_LENGTH) return written;
      const { values } = vector.dictionary;
      const from = vector.starts[row]!;
      const to = from + vector.lengths[row]!;
      if (from === to) return written + empty;
      let text = written + opening + escapeText(values[vector.items[from]!]!);
      for (let at = from + 1; at < to; at++) text += `","${escapeText(values[vector.items[at]!]!)}`;
      return `${text}"]`;
    };
  },
  text: (key, slot) => {
    const opening = `${key}"`;
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as TextVector | CodeVector | undefined; // as above
      if (vector === undefined) return written;
      const text = vector.kind === "text" ? vector.texts[row]! : vector.get(row);
      return text === null ? written : `${written}${opening}${escapeText(text)}"`;
    };
  },
  json: (key, slot, shape) => (chunk, row, written) => {
    const value = chunk.vectors[slot]?.get(row) as Json | undefined; // the column's type holds JSON
    if (value == null) return written;
    const shaped = shape === undefined ? value : shape(value, chunk.idAt(row));
    return shaped === undefined ? written : written + key + JSON.stringify(shaped);
  },
  object: (key, members) => {
    const first = members(true);
    const next = members(false);
    const opening = `${key}{`;
    return (chunk, row, written) => {
      const opened = written + opening;
      let text = opened;
      for (let i = 0; i < next.length; i++) {
        const steps = text.length === opened.length ? first : next;
        text = steps[i]!(chunk, row, text);
      }
      return text.length === opened.length ? written : `${text}}`;
    };
  },
  link: (key, slot, id, recordOf) => {
    const opening = `${key}{${JSON_TEXT.keyOf(id, true)}"`;
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as CodeVector | undefined; // links are dictionary-encoded
      const link = vector === undefined ? null : vector.get(row);
      if (link === null) return written;
      const record = recordOf?.(link);
      return record === undefined
        ? `${written}${opening}${escapeText(link)}"}`
        : written + key + record;
    };
  },
  record: ({ steps, names, reverse }) => {
    const isFlat = names.length > 2;
    const all = isFlat ? names : [...names, ...METADATA_KEYS];
    const [idKey, first, ...rest] = all.map((name) => JSON.stringify(name));
    const opening = `{${idKey}:"`;
    const version = isFlat ? `,${first}:` : `,${first}:{${rest.shift()}:`;
    const [createdAt, updatedAt] = [`,${rest[0]}:"`, `",${rest[1]}:"`];
    const end = isFlat ? '"}' : '"}}';
    const readCreatedAt = createInstantReader();
    const readUpdatedAt = createInstantReader();
    const back = reverse.map(
      ([name, recordsFor]) => [JSON_TEXT.keyOf(name, false), recordsFor] as const,
    );
    return (chunk, row) => {
      const { vectors } = chunk;
      const id = chunk.idAt(row);
      let text = `${opening}${escapeText(id)}"`;
      for (let i = 0; i < steps.length; i++) text = steps[i]!(chunk, row, text);
      for (const [key, recordsFor] of back) text += `${key}{"records":[${recordsFor(id).join()}]}`;
      text += version + (vectors[VERSION_SLOT] as NumberVector).values[row]!; // version vectors hold numbers
      text += createdAt + readCreatedAt(vectors[CREATED_AT_SLOT] as InstantVector, row);
      return text + updatedAt + readUpdatedAt(vectors[UPDATED_AT_SLOT] as InstantVector, row) + end;
    };
  },
};

/** Compiles a selection to a writer of JSON text. */
// Marked pure for tree shaking.
export const createJsonWriter: CompileSelection<string> =
  /* @__PURE__ */ createProjection(JSON_TEXT);

/** Returns a string's JSON without quotes. */
function escapeText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** Characters that `JSON.stringify` may escape. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;
