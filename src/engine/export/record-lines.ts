import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafType,
  type Schema,
  type StoredValue,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../../schema/columns.js";
import { isFileType, type StoredFiles } from "../../schema/files.js";
import { asList } from "../../schema/read-files.js";
import { chunkAt, rowAt } from "../../storage/chunk.js";
import { type Dictionary, MAX_TEXT_CODES } from "../../storage/dictionary.js";
import { type ListVector, NULL_LENGTH } from "../../storage/list-vector.js";
import type { InstantVector, NumberVector } from "../../storage/number-vectors.js";
import type { TableVersion } from "../../storage/table.js";
import type { CodeVector, TextVector } from "../../storage/text-vectors.js";
import type { Vector } from "../../storage/vector.js";
import type { Json } from "../../types.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import type { LineWriter } from "./line-writer.js";

type ToJson = (value: Exclude<StoredValue, null>) => Json;

/** Writes the lines of records of one schema. */
export class RecordWriter {
  readonly #columns: readonly ColumnWriter[];
  readonly #created = new InstantWriter();
  readonly #updated = new InstantWriter();

  /** @param isApart whether the contents of files have lines of their own; else they go along */
  constructor({ leaves }: Schema, isApart = false) {
    this.#columns = leaves.map(({ slot, type }) => new ColumnWriter(slot, toJsonOf(type, isApart)));
  }

  /** @param slots of what an update changed; absent, it is the whole record */
  write(
    line: LineWriter,
    { chunks }: TableVersion,
    ordinal: number,
    slots?: readonly number[],
  ): void {
    const { vectors } = chunkAt(chunks, ordinal);
    const row = rowAt(ordinal);
    const updated = vectors[UPDATED_AT_SLOT] as InstantVector; // the types of the system columns
    line.writeBytes(slots === undefined ? RECORD : UPDATE);
    line.writeString((vectors[ID_SLOT] as TextVector).texts[row]!);
    line.writeComma();
    line.writeNumber((vectors[VERSION_SLOT] as NumberVector).values[row]!);
    line.writeComma();
    if (slots === undefined) {
      const created = vectors[CREATED_AT_SLOT] as InstantVector;
      this.#created.write(line, created, row);
      line.writeComma();
      if (isSameInstant(created, updated, row)) line.writeBytes(NULL);
      else this.#updated.write(line, updated, row);
    } else this.#updated.write(line, updated, row);
    for (const column of this.#columns) {
      const { slot } = column;
      if (slots !== undefined) {
        if (!slots.includes(slot)) continue;
        line.writeComma();
        line.writeNumber(slot);
      }
      line.writeComma();
      column.write(line, vectors[slot], row);
    }
    line.endLine();
  }
}

const encoder = new TextEncoder();
const NULL = encoder.encode("null");
const RECORD = encoder.encode('["r",');
const UPDATE = encoder.encode('["u",');
const LIST = encoder.encode("[");
const LIST_END = encoder.encode("]");

function isSameInstant(a: InstantVector, b: InstantVector, row: number): boolean {
  return a.ms[row] === b.ms[row] && (a.micros?.[row] ?? 0) === (b.micros?.[row] ?? 0);
}

/** Writes the values of one column. */
class ColumnWriter {
  readonly slot: number;
  readonly #toJson: ToJson;
  readonly #instants = new InstantWriter();
  /** The vector that was written from last, and its kind: vectors of a few kinds are slow to ask. */
  #vector: Vector | undefined;
  #kind: Vector["kind"] | undefined;
  /** What the first codes of a dictionary are written as. */
  #dictionary: Dictionary | undefined;
  #texts: Uint8Array[] = [];

  constructor(slot: number, toJson: ToJson) {
    this.slot = slot;
    this.#toJson = toJson;
  }

  write(line: LineWriter, vector: Vector | undefined, row: number): void {
    if (vector !== this.#vector) {
      this.#vector = vector;
      this.#kind = vector?.kind;
    }
    switch (this.#kind) {
      case "text": {
        const text = (vector as TextVector).texts[row]!; // by its kind, as below
        if (text !== null) line.writeString(text);
        else line.writeBytes(NULL);
        break;
      }
      case "code":
        this.#writeCode(
          line,
          (vector as CodeVector).dictionary,
          (vector as CodeVector).codes[row]!,
        );
        break;
      case "list":
        this.#writeList(line, vector as ListVector, row);
        break;
      case "number": {
        const number = (vector as NumberVector).values[row]!;
        if (Number.isNaN(number)) line.writeBytes(NULL);
        else line.writeNumber(number);
        break;
      }
      case "instant":
        this.#instants.write(line, vector as InstantVector, row);
        break;
      default: {
        const value = vector?.get(row) ?? null;
        if (value === null) line.writeBytes(NULL);
        else line.writeText(JSON.stringify(this.#toJson(value)));
      }
    }
  }

  #writeList(
    line: LineWriter,
    { starts, lengths, items, dictionary }: ListVector,
    row: number,
  ): void {
    const length = lengths[row]!;
    if (length === NULL_LENGTH) {
      line.writeBytes(NULL);
      return;
    }
    line.writeBytes(LIST);
    const start = starts[row]!;
    for (let i = start; i < start + length; i++) {
      if (i > start) line.writeComma();
      this.#writeCode(line, dictionary, items[i]!);
    }
    line.writeBytes(LIST_END);
  }

  #writeCode(line: LineWriter, dictionary: Dictionary, code: number): void {
    if (code >= MAX_TEXT_CODES) {
      line.writeString(dictionary.values[code]!);
      return;
    }
    if (dictionary !== this.#dictionary) {
      this.#dictionary = dictionary;
      this.#texts = [NULL];
    }
    const texts = this.#texts;
    while (texts.length <= code) {
      texts.push(encoder.encode(JSON.stringify(dictionary.values[texts.length])));
    }
    line.writeBytes(texts[code]!);
  }
}

/** Writes instants; most records of a load were made at one time. */
class InstantWriter {
  #ms = Number.NaN;
  #micros = 0;
  #bytes: Uint8Array | undefined;

  write(line: LineWriter, vector: InstantVector, row: number): void {
    const ms = vector.ms[row]!;
    const micros = vector.micros === undefined ? 0 : vector.micros[row]!;
    if (Number.isNaN(ms)) line.writeBytes(NULL);
    else if (ms !== this.#ms || micros !== this.#micros) {
      this.#ms = ms;
      this.#micros = micros;
      this.#bytes = undefined;
      line.writeInstant(ms, micros);
    } else {
      this.#bytes ??= encoder.encode(`"${formatInstant(ms, micros)}"`);
      line.writeBytes(this.#bytes);
    }
  }
}

/** What makes JSON of the values of a type, but of those that are written without it. */
function toJsonOf(type: LeafType, isApart: boolean): ToJson {
  if (!isApart || !isFileType(type)) return (value) => value as Json; // JSON is made of any other
  return (value) => {
    const files = asList(value as unknown as StoredFiles); // of a column of files
    const named = files.map(({ content, ...file }) => ({ ...file, content: content.hash }));
    return (type === "file" ? named[0] : named) as unknown as Json; // all but the content was
  };
}

export function format({ ms, micros }: Instant): string {
  return formatInstant(ms, micros);
}
