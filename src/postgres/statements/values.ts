import { formatArray } from "../../sql/arrays.js";
import type { Row } from "../../sql/project.js";
import { readText, writeText } from "../../sql/text.js";
import { encodeJson, readJson, type SqlText, writeJson } from "../../sql/values.js";
import type { Json } from "../../types.js";

/** The parts of a PostgreSQL type that matter for values. */
export interface SqlType {
  readonly name: string;
  readonly full: string;
  readonly isArray: boolean;
}

export function encodeParameter(value: unknown, { name, isArray }: SqlType): SqlText {
  if (value == null) return null;
  const isJson = name === "json" || name === "jsonb";
  if (typeof value === "string") return isJson ? writeJson(value) : writeText(value);
  if (Array.isArray(value) && !isJson) return encodeArray(value, isArray);
  if (typeof value === "object") return encodeJson(value as Json); // the body was JSON
  return String(value);
}

function encodeArray(members: readonly unknown[], isArray: boolean): string {
  const encoded = members.map((member) => {
    if (member == null) return "NULL";
    if (Array.isArray(member)) return encodeArray(member, isArray);
    const text = typeof member === "string" ? writeText(member) : JSON.stringify(member);
    return formatArray([text]).slice(1, -1);
  });
  return `{${encoded.join(",")}}`;
}

export interface AnswerColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** The JSON of a column's name. */
export function writeName(name: string): string {
  return JSON.stringify(readText(name));
}

export function answerRows(
  columns: readonly AnswerColumn[],
  rows: readonly Row[],
  asArrays: boolean,
): string {
  const names = columns.map(({ name }) => writeName(name));
  // In objects the last of several columns with one name wins.
  const shown = names.flatMap((name, i) => (names.lastIndexOf(name) === i ? [i] : []));
  const found = rows.map((row) => {
    // Numbers keep all digits.
    const values = columns.map((_, i) => readJson(row[i] ?? "null"));
    return asArrays
      ? `[${values.join(",")}]`
      : `{${shown.map((i) => `${names[i]}:${values[i]}`).join(",")}}`;
  });
  const described = columns.map(
    ({ type }, i) => `{"name":${names[i]},"type":${JSON.stringify(type.name)}}`,
  );
  return `{${asArrays ? '"rows"' : '"records"'}:[${found.join(",")}],"columns":[${described.join(",")}],"total":${rows.length}}`;
}
