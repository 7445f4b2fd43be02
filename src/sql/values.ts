import type { LeafType, StoredValue } from "../schema/columns.js";
import { reviveFiles } from "../schema/file-content.js";
import { TRAITS } from "../schema/traits.js";
import type { Json } from "../types.js";
import { formatInstant, type Instant, parseInstant } from "../value/datetime.js";
import { formatArray, parseArray } from "./arrays.js";
import { readText, writeText } from "./text.js";

/** Column types, with `id` and list items. */
export type SqlValueType = LeafType | "id" | "item";

export type SqlText = string | null;

/** Column types; texts compare by code points (T-4). */
const COLUMN_TYPES: Readonly<Record<SqlValueType, string>> = {
  bool: "boolean",
  int: "bigint",
  float: "double precision",
  string: 'text collate "C"',
  text: 'text collate "C"',
  email: 'text collate "C"',
  link: 'text collate "C"',
  id: 'text collate "C"',
  item: 'text collate "C"',
  datetime: "timestamptz",
  multiple: 'text[] collate "C"',
  // Stored unchanged; filters cast it to jsonb.
  json: "json",
  vector: "double precision[]",
  file: "json",
  "file[]": "json",
};

export function columnType(type: SqlValueType): string {
  return COLUMN_TYPES[type];
}

export function castType(type: SqlValueType): string {
  return COLUMN_TYPES[type].replace(' collate "C"', "");
}

/** Encodes a stored value; inverse of {@link decodeValue}. */
export function encodeValue(type: SqlValueType, value: StoredValue): SqlText {
  if (value === null) return null;
  switch (TRAITS[type].stored) {
    case "bool":
    case "number":
      return String(value);
    case "text":
    case "code":
      return writeText(value as string); // values of these types
    case "instant": {
      const { ms, micros } = value as Instant; // datetime columns
      return formatInstant(ms, micros);
    }
    case "list":
      return formatArray((value as readonly string[]).map(writeText)); // a list of strings
    case "value":
      if (type === "vector") return formatArray((value as readonly number[]).map(String)); // a list of numbers
      return encodeJson(
        type === "json" ? (value as Json) : (JSON.parse(JSON.stringify(value)) as Json), // file contents are JSON here
      );
  }
}

export function decodeValue(type: SqlValueType, text: SqlText): StoredValue {
  if (text === null) return null;
  switch (TRAITS[type].stored) {
    case "bool":
      return text === "t";
    case "number":
      return Number(text);
    case "text":
    case "code":
      return readText(text);
    case "instant":
      return decodeInstant(text);
    case "list":
      return parseArray(text).map(readText);
    case "value":
      if (type === "vector") return parseArray(text).map(Number);
      return type === "json"
        ? decodeJson(text)
        : (reviveFiles(decodeJson(text)) as unknown as Json); // a file column
  }
}

/** JSON with texts escaped by {@link writeText}, so that it can be cast to jsonb. */
export function encodeJson(value: Json): string {
  return writeJson(JSON.stringify(value));
}

function decodeJson(text: string): Json {
  return JSON.parse(readJson(text)) as Json; // the column holds JSON
}

/** Escapes the texts in JSON; without parsing it, so nesting of any depth is fine. */
export function writeJson(text: string): string {
  return mapEscapes(text, /\\u000[0-4]/y, writeText);
}

/** The inverse of {@link writeJson}. */
export function readJson(text: string): string {
  return mapEscapes(text, /\\u0001(?:\\u000[23]){3}/y, readText);
}

/** Maps the escapes that match; others, such as of a backslash, stay. */
function mapEscapes(text: string, pattern: RegExp, map: (text: string) => string): string {
  if (!text.includes("\\u000")) return text;
  const textsByValue = new Map<string, string>();
  let mapped = "";
  let from = 0;
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", at)) {
    pattern.lastIndex = at;
    const found = text[at + 1] === "u" ? pattern.exec(text)?.[0] : undefined;
    if (found === undefined) {
      at += 2;
      continue;
    }
    const escaped =
      textsByValue.get(found) ?? JSON.stringify(map(JSON.parse(`"${found}"`) as string));
    textsByValue.set(found, escaped);
    mapped += text.slice(from, at) + escaped.slice(1, -1);
    at += found.length;
    from = at;
  }
  return mapped + text.slice(from);
}

/** `2022-01-31 10:20:30.5+00`, from a session in UTC. */
function decodeInstant(text: string): Instant {
  const instant = parseInstant(isoOf(text));
  if (instant === undefined) throw new Error(`twinbase: no timestamp of a session in UTC: ${text}`);
  return instant;
}

/** Formats a timestamp as records show it (T-7). */
export function isoOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`;
}
