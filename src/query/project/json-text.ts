import { CREATED_AT_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../../schema/columns.js";
import type { Chunk } from "../../storage/chunk.js";
import { type ListVector, NULL_LENGTH } from "../../storage/list-vector.js";
import {
  type BoolVector,
  type InstantVector,
  NULL_BYTE,
  type NumberVector,
  TRUE_BYTE,
} from "../../storage/number-vectors.js";
import type { CodeVector, TextVector } from "../../storage/text-vectors.js";
import type { Json } from "../../types.js";
import { formatInstant } from "../../value/datetime.js";
import { idAt } from "./id-at.js";
import { type CompileSelection, createProjection } from "./projection.js";
import { keepRecentTexts } from "./recent-texts.js";
import type { Sink } from "./sink.js";

/** Writes the member of one column, its key and what separates it from the one before included. */
type Step = (chunk: Chunk, row: number) => string;

/** Records as JSON: the text that `JSON.stringify` gives of those of `records.ts`. */
const JSON_TEXT: Sink<Step, string> = {
  keyOf: (name, isFirst) => `${isFirst ? "" : ","}${JSON.stringify(name)}:`,
  number: (key, slot) => (chunk, row) => {
    const vector = chunk.vectors[slot] as NumberVector | undefined; // as every one of that type
    const value = vector === undefined ? Number.NaN : vector.values[row]!;
    const int = value | 0;
    // V8 keeps the texts of small integers; it has code of its own for them.
    if (int === value) return key + int;
    return Number.isNaN(value) ? "" : key + value;
  },
  bool: (key, slot) => (chunk, row) => {
    const vector = chunk.vectors[slot] as BoolVector | undefined; // as above
    const byte = vector === undefined ? NULL_BYTE : vector.bytes[row]!;
    return byte === NULL_BYTE ? "" : key + (byte === TRUE_BYTE);
  },
  instant: (key, slot) => {
    const opened = `${key}"`;
    return (chunk, row) => {
      const vector = chunk.vectors[slot] as InstantVector | undefined; // as above
      if (vector === undefined || Number.isNaN(vector.ms[row]!)) return "";
      return `${opened}${formatInstant(vector.ms[row]!, microsOf(vector, row))}"`;
    };
  },
  list: (key, slot) => {
    const opened = `${key}[`;
    return (chunk, row) => {
      const vector = chunk.vectors[slot] as ListVector | undefined; // as above
      if (vector === undefined || vector.lengths[row] === NULL_LENGTH) return "";
      const start = vector.starts[row]!;
      const end = start + vector.lengths[row]!;
      let items = "";
      for (let at = start; at < end; at++) {
        if (at > start) items += ",";
        items += `"${escapeText(vector.dictionary.values[vector.items[at]!]!)}"`;
      }
      return `${opened}${items}]`;
    };
  },
  text: (key, slot) => {
    const opened = `${key}"`;
    return (chunk, row) => {
      const vector = chunk.vectors[slot] as TextVector | CodeVector | undefined; // as above
      if (vector === undefined) return "";
      const text = vector.kind === "text" ? vector.texts[row]! : vector.get(row);
      return text === null ? "" : `${opened}${escapeText(text)}"`;
    };
  },
  json: (key, slot, shape) => (chunk, row) => {
    const value = chunk.vectors[slot]?.get(row) as Json | undefined; // such columns hold JSON
    if (value == null) return "";
    const given = shape === undefined ? value : shape(value, idAt(chunk, row));
    return given === undefined ? "" : key + JSON.stringify(given);
  },
  object: (key, members) => {
    const first = members(true);
    const next = members(false);
    const opened = `${key}{`;
    return (chunk, row) => {
      let written = "";
      for (let i = 0; i < next.length; i++) {
        written += (written === "" ? first : next)[i]!(chunk, row);
      }
      return written === "" ? "" : `${opened}${written}}`;
    };
  },
  link: (key, slot, recordOf) => (chunk, row) => {
    const vector = chunk.vectors[slot] as CodeVector | undefined; // as every link vector
    const id = vector === undefined ? null : vector.get(row);
    return id === null ? "" : key + (recordOf?.(id) ?? `{"id":"${escapeText(id)}"}`);
  },
  record: ({ steps, metadataColumn, reverse, isWhole }) => {
    const writeMetadata = createMetadataWriter(JSON_TEXT.keyOf(metadataColumn, false));
    const back = reverse.map(
      ([name, recordsFor]) => [JSON_TEXT.keyOf(name, false), recordsFor] as const,
    );
    const write = (chunk: Chunk, row: number): string => {
      const id = idAt(chunk, row);
      let text = `{"id":"${escapeText(id)}"`;
      for (let i = 0; i < steps.length; i++) text += steps[i]!(chunk, row);
      for (const [key, recordsFor] of back) {
        text += `${key}{"records":[${recordsFor(id).join()}]}`;
      }
      return text + writeMetadata(chunk, row);
    };
    return isWhole ? keepRecentTexts(write) : write;
  },
};

/** Compiles a selection to what writes records as JSON, without making them as objects. */
// Marked so that bundles which write no JSON can leave it out.
export const createJsonWriter: CompileSelection<string> =
  /* @__PURE__ */ createProjection(JSON_TEXT);

/** Writes the metadata and what ends a record; that of a load is the same for all its records. */
function createMetadataWriter(key: string): Step {
  const last = { version: Number.NaN, created: 0, createdMicros: 0, updated: 0, updatedMicros: 0 };
  let text = "";
  return ({ vectors }, row) => {
    const version = (vectors[VERSION_SLOT] as NumberVector).values[row]!; // as every such vector
    const createdAt = vectors[CREATED_AT_SLOT] as InstantVector;
    const updatedAt = vectors[UPDATED_AT_SLOT] as InstantVector;
    const created = createdAt.ms[row]!;
    const createdMicros = microsOf(createdAt, row);
    const updated = updatedAt.ms[row]!;
    const updatedMicros = microsOf(updatedAt, row);
    if (
      version !== last.version ||
      created !== last.created ||
      createdMicros !== last.createdMicros ||
      updated !== last.updated ||
      updatedMicros !== last.updatedMicros
    ) {
      last.version = version;
      last.created = created;
      last.createdMicros = createdMicros;
      last.updated = updated;
      last.updatedMicros = updatedMicros;
      const from = formatInstant(created, createdMicros);
      const to = formatInstant(updated, updatedMicros);
      text = `${key}{"version":${version},"createdAt":"${from}","updatedAt":"${to}"}}`;
    }
    return text;
  };
}

function microsOf({ micros }: InstantVector, row: number): number {
  return micros === undefined ? 0 : micros[row]!;
}

/** The inside of a string in JSON. */
function escapeText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** Among others what `JSON.stringify` writes as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;
