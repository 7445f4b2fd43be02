import { formatArray } from "../../sql/arrays.js";
import type { Row } from "../../sql/project.js";
import { readText, writeText } from "../../sql/text.js";
import { decodeValue, encodeJson, type SqlText } from "../../sql/values.js";
import type { Json } from "../../types.js";

/** A type of PostgreSQL, as far as values depend on it. */
export interface SqlType {
  /** Such as `int8`, `_text`. */
  readonly name: string;
  /** With its schema, quoted. */
  readonly full: string;
  readonly isArray: boolean;
}

/** A parameter as text, as the database reads it for a type; any JSON value is one. */
export function encodeParameter(value: unknown, { name, isArray }: SqlType): SqlText {
  if (value == null) return null;
  const isJson = name === "json" || name === "jsonb";
  if (typeof value === "string") return isJson ? encodeJsonText(value) : writeText(value);
  if (Array.isArray(value) && !isJson) return encodeArray(value, isArray);
  if (typeof value === "object") return encodeJson(value as Json); // the body was JSON
  return String(value);
}

/** JSON in a text has U+0000 as an escape, which the database would refuse. */
function encodeJsonText(text: string): string {
  if (!/\\u000[0-4]/.test(text)) return text;
  try {
    return encodeJson(JSON.parse(text) as Json);
  } catch {
    return text; // the database says what is wrong with it
  }
}

function encodeArray(members: readonly unknown[], isArray: boolean): string {
  const written = members.map((member) => {
    if (member == null) return "NULL";
    if (Array.isArray(member)) return encodeArray(member, isArray);
    const text = typeof member === "string" ? writeText(member) : JSON.stringify(member);
    return formatArray([text]).slice(1, -1);
  });
  return `{${written.join(",")}}`;
}

/** A value that PostgreSQL has made JSON of, as it is answered: numbers keep all their digits. */
function answerValue(text: SqlText, { name }: SqlType): string {
  if (text === null) return "null";
  if (name === "timestamptz") return text.replace(/\+00:00"$/, 'Z"');
  // Texts are stored in another way where they have such characters.
  return text.includes("\\u0001") ? JSON.stringify(decodeValue("json", text)) : text;
}

/** A column of an answer. */
export interface AnswerColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** The JSON text of what a statement gave. */
export function answerRows(
  columns: readonly AnswerColumn[],
  rows: readonly Row[],
  asArrays: boolean,
): string {
  const names = columns.map(({ name }) => readText(name));
  // Of columns of one name an object has the last.
  const shown = names.flatMap((name, i) => (names.lastIndexOf(name) === i ? [i] : []));
  const keys = names.map((name) => JSON.stringify(name));
  const found = rows.map((row) => {
    const values = columns.map(({ type }, i) => answerValue(row[i] ?? null, type));
    return asArrays
      ? `[${values.join(",")}]`
      : `{${shown.map((i) => `${keys[i]}:${values[i]}`).join(",")}}`;
  });
  const described = columns.map(({ type }, i) => ({ name: names[i], type: type.name }));
  return `{${asArrays ? '"rows"' : '"records"'}:[${found.join(",")}],"columns":${JSON.stringify(described)},"total":${rows.length}}`;
}
