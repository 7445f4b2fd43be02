import type { LeafType, Schema, StoredValue } from "../../schema/columns.js";
import { isFileType, type StoredFiles } from "../../schema/files.js";
import { asList } from "../../schema/read-files.js";
import { TRAITS } from "../../schema/traits.js";
import { metadataOf } from "../../storage/metadata.js";
import type { TableVersion } from "../../storage/table.js";
import type { Json } from "../../types.js";
import { formatInstant, type Instant } from "../../value/datetime.js";

type ToJson = (value: Exclude<StoredValue, null>) => Json;

/** Writes the lines of records of one schema, each as JSON without the bracket that closes it. */
export class RecordWriter {
  readonly #columns: readonly { readonly slot: number; readonly toJson: ToJson }[];
  /** Most records of a load were made at one time. */
  readonly #times = [createTimeWriter(), createTimeWriter()] as const;

  /** @param isApart whether the contents of files have lines of their own; else they go along */
  constructor({ leaves }: Schema, isApart = false) {
    this.#columns = leaves.map(({ slot, type }) => ({ slot, toJson: formatterOf(type, isApart) }));
  }

  write(table: TableVersion, ordinal: number): string {
    const { version, createdAt, updatedAt } = metadataOf(table, ordinal);
    const [writeCreated, writeUpdated] = this.#times;
    const isUntouched = updatedAt.ms === createdAt.ms && updatedAt.micros === createdAt.micros;
    const updated = isUntouched ? "null" : writeUpdated(updatedAt);
    let text = `["r",${quote(table.idAt(ordinal))},${version},${writeCreated(createdAt)},${updated}`;
    for (const { slot, toJson } of this.#columns) {
      text += `,${writeValue(table.get(ordinal, slot), toJson)}`;
    }
    return text;
  }

  /** Writes what an update changed in a record. */
  writeUpdate(table: TableVersion, ordinal: number, slots: readonly number[]): string {
    const { version, updatedAt } = metadataOf(table, ordinal);
    let text = `["u",${quote(table.idAt(ordinal))},${version},${this.#times[1](updatedAt)}`;
    for (const { slot, toJson } of this.#columns) {
      if (slots.includes(slot)) text += `,${slot},${writeValue(table.get(ordinal, slot), toJson)}`;
    }
    return text;
  }
}

/** Writes a value as `JSON.stringify` does, which is slow for what is short. */
function writeValue(value: StoredValue, toJson: ToJson): string {
  if (value === null) return "null";
  if (typeof value === "string") return quote(value);
  return typeof value === "number" ? `${value}` : JSON.stringify(toJson(value));
}

/** Writes a time, that of the call before at no cost. */
function createTimeWriter(): (time: Instant) => string {
  let ms = Number.NaN;
  let micros = 0;
  let text = "";
  return (time) => {
    if (time.ms !== ms || time.micros !== micros) {
      ({ ms, micros } = time);
      text = `"${format(time)}"`;
    }
    return text;
  };
}

/** As `JSON.stringify` has it; what it would escape is looked for, as most text has none of it. */
function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** What makes JSON of the values of a type. */
function formatterOf(
  type: LeafType,
  isApart: boolean,
): (value: Exclude<StoredValue, null>) => Json {
  if (TRAITS[type].stored === "instant") return (value) => format(value as Instant); // as stored
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
