import { CREATED_AT_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../../schema/columns.js";
import type { Chunk } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/dictionary.js";
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
import { keepCodeTexts } from "./code-texts.js";
import { type CompileSelection, createProjection } from "./projection.js";
import { keepRecentTexts } from "./recent-texts.js";
import type { MakeRecord, Sink } from "./sink.js";

/**
 * Writes the member of one column after what is written, and leaves what ends its value to the next:
 * a string of a few parts costs so much for each part that an end goes into one with the next key.
 */
type Step = (chunk: Chunk, row: number, written: string) => string;

/** What may end a value that is written but for that; an object's end goes with that of its last member. */
const ENDS = ["", '"', "]", "}", '"}', "]}"] as const;
const NOTHING = 0;
const QUOTE = 1;
const BRACKET = 2;
const BRACE = 3;
const QUOTE_BRACE = 4;
const BRACKET_BRACE = 5;

/** Which of `ENDS` what is written lacks. Of one record at a time: none is begun between two steps. */
let end = NOTHING;

/** A text after each of `ENDS`. */
function afterEnds(text: string): readonly string[] {
  return ENDS.map((each) => each + text);
}

/** Records as JSON: the text that `JSON.stringify` gives of those of `records.ts`. */
const JSON_TEXT: Sink<Step, string> = {
  keyOf: (name, isFirst) => `${isFirst ? "" : ","}${JSON.stringify(name)}:`,
  number: (key, slot) => {
    const keys = afterEnds(key);
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as NumberVector | undefined; // as every one of that type
      const value = vector === undefined ? Number.NaN : vector.values[row]!;
      if (Number.isNaN(value)) return written;
      const opened = written + keys[end]!;
      end = NOTHING;
      const int = value | 0;
      return int === value ? opened + textOfInt(int) : opened + value;
    };
  },
  bool: (key, slot) => {
    const keys = afterEnds(key);
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as BoolVector | undefined; // as above
      const byte = vector === undefined ? NULL_BYTE : vector.bytes[row]!;
      if (byte === NULL_BYTE) return written;
      const opened = written + keys[end]!;
      end = NOTHING;
      return opened + (byte === TRUE_BYTE);
    };
  },
  instant: (key, slot) => {
    const keys = afterEnds(`${key}"`);
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as InstantVector | undefined; // as above
      if (vector === undefined || Number.isNaN(vector.ms[row]!)) return written;
      const opened = written + keys[end]!;
      end = QUOTE;
      return opened + formatInstant(vector.ms[row]!, microsOf(vector, row));
    };
  },
  list: (key, slot) => {
    const empty = afterEnds(`${key}[`);
    const firstOf = keepCodeTexts(afterEnds(`${key}[`), quote);
    const nextOf = keepCodeTexts([","], quote);
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as ListVector | undefined; // as above
      if (vector === undefined || vector.lengths[row] === NULL_LENGTH) return written;
      const { dictionary, items } = vector;
      const from = vector.starts[row]!;
      const to = from + vector.lengths[row]!;
      let text = written + (from === to ? empty[end]! : firstOf(dictionary, items[from]!, end));
      for (let at = from + 1; at < to; at++) text += nextOf(dictionary, items[at]!, NOTHING);
      end = BRACKET;
      return text;
    };
  },
  text: (key, slot) => {
    const keys = afterEnds(`${key}"`);
    const ofCode = keepCodeTexts(keys, escapeText);
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as TextVector | CodeVector | undefined; // as above
      if (vector === undefined) return written;
      const before = end;
      if (vector.kind === "code") {
        const code = vector.codes[row]!;
        if (code === NULL_CODE) return written;
        end = QUOTE;
        return written + ofCode(vector.dictionary, code, before);
      }
      const text = vector.texts[row]!;
      if (text === null) return written;
      end = QUOTE;
      return written + keys[before]! + escapeText(text);
    };
  },
  json: (key, slot, shape) => {
    const keys = afterEnds(key);
    return (chunk, row, written) => {
      const value = chunk.vectors[slot]?.get(row) as Json | undefined; // such columns hold JSON
      if (value == null) return written;
      const given = shape === undefined ? value : shape(value, chunk.idAt(row));
      if (given === undefined) return written;
      const opened = written + keys[end]!;
      end = NOTHING;
      return opened + JSON.stringify(given);
    };
  },
  object: (key, members) => {
    const first = members(true);
    const next = members(false);
    const keys = afterEnds(`${key}{`);
    return (chunk, row, written) => {
      const before = end;
      const opened = written + keys[before]!;
      const { length } = opened;
      end = NOTHING;
      let text = opened;
      for (let i = 0; i < next.length; i++)
        text = (text.length === length ? first : next)[i]!(chunk, row, text);
      if (text.length === length) {
        end = before;
        return written;
      }
      if (end >= BRACE) {
        text += ENDS[end]!;
        end = NOTHING;
      }
      end += BRACE;
      return text;
    };
  },
  link: (key, slot, recordOf) => {
    const keys = afterEnds(key);
    const ofCode = keepCodeTexts(afterEnds(`${key}{"id":"`), escapeText);
    return (chunk, row, written) => {
      const vector = chunk.vectors[slot] as CodeVector | undefined; // as every link vector
      const code = vector === undefined ? NULL_CODE : vector.codes[row]!;
      if (vector === undefined || code === NULL_CODE) return written;
      const before = end;
      const record = recordOf?.(vector.dictionary.values[code]!);
      if (record === undefined) {
        end = QUOTE_BRACE;
        return written + ofCode(vector.dictionary, code, before);
      }
      end = NOTHING;
      return written + keys[before]! + record;
    };
  },
  record: ({ steps, metadataColumn, reverse, isWhole }) => {
    const writeMetadata = createMetadataWriter(JSON_TEXT.keyOf(metadataColumn, false));
    const back = reverse.map(
      ([name, recordsFor]) => [JSON_TEXT.keyOf(name, false), recordsFor] as const,
    );
    const write = (chunk: Chunk, row: number): string => {
      const id = chunk.idAt(row);
      let text = `{"id":"${escapeText(id)}`;
      end = QUOTE;
      for (let i = 0; i < steps.length; i++) text = steps[i]!(chunk, row, text);
      for (const [key, recordsFor] of back) {
        text += `${ENDS[end]}${key}{"records":[`;
        text += recordsFor(id).join(); // each sets `end` for itself
        end = BRACKET_BRACE;
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
function createMetadataWriter(key: string): MakeRecord<string> {
  let ends = NOTHING;
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
      end !== ends ||
      version !== last.version ||
      created !== last.created ||
      createdMicros !== last.createdMicros ||
      updated !== last.updated ||
      updatedMicros !== last.updatedMicros
    ) {
      ends = end;
      last.version = version;
      last.created = created;
      last.createdMicros = createdMicros;
      last.updated = updated;
      last.updatedMicros = updatedMicros;
      const from = formatInstant(created, createdMicros);
      const to = formatInstant(updated, updatedMicros);
      text = `${ENDS[end]}${key}{"version":${version},"createdAt":"${from}","updatedAt":"${to}"}}`;
    }
    return text;
  };
}

function microsOf({ micros }: InstantVector, row: number): number {
  return micros === undefined ? 0 : micros[row]!;
}

/**
 * The text of a whole number. V8 keeps those of small ones, and writes others digit by digit: pages of
 * records with a number each, put together of three digits at a time, take a twentieth less.
 */
function textOfInt(int: number): string {
  if (int < 1000) return `${int}`;
  const thousands = Math.floor(int / 1000);
  return textOfInt(thousands) + threeDigits(int - thousands * 1000);
}

// Marked as above.
const THREE_DIGITS: string[] = /* @__PURE__ */ Array.from({ length: 1000 }, () => "");

function threeDigits(int: number): string {
  if (THREE_DIGITS[int] === "") THREE_DIGITS[int] = `${int}`.padStart(3, "0");
  return THREE_DIGITS[int]!;
}

function quote(text: string): string {
  return `"${escapeText(text)}"`;
}

/** The inside of a string in JSON. */
function escapeText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** Among others what `JSON.stringify` writes as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;
