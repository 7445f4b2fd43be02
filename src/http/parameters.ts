import { describe, pointer, refuse } from "../errors.js";
import { DIALECTS, type ProfileName } from "../profile.js";
import { refuseValue } from "../shape/fields.js";
import type { Schema } from "../shape/schema.js";
import * as s from "../shape/schema.js";
import { suggest } from "../value/nearest.js";

/** A parameter of the query string; its text is read by the type of its schema. */
export interface Parameter<T> {
  readonly description: string;
  readonly schema: Schema<T>;
  readonly required?: true;
}

export type ParameterSet = Readonly<Record<string, Parameter<unknown>>>;

export type ParameterValues<P extends ParameterSet> = {
  readonly [name in keyof P]: (P[name] extends Parameter<infer T> ? T : never) | undefined;
};

/** Parses a query string; rejects unknown and missing parameters (rule E-3). */
export function readParameters<P extends ParameterSet>(
  known: P,
  search: string,
  base: ProfileName,
): ParameterValues<P> {
  const read: Record<string, unknown> = {};
  if (search !== "") {
    const given = new URLSearchParams(search);
    for (const name of new Set(given.keys())) {
      const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
      if (parameter === undefined) refuseUnknown(name, Object.keys(known));
      read[name] = readTexts(parameter.schema, given.getAll(name), name, base);
    }
  }
  for (const [name, { required }] of Object.entries(known)) {
    if (required && read[name] === undefined) refuseParameter(name, "a value", undefined);
  }
  return read as ParameterValues<P>; // each value was parsed by its parameter
}

/** Column names separated by commas, or repeated parameters (rule X-1). */
export const COLUMNS: Parameter<readonly string[]> = {
  description: "Columns to return, separated by commas.",
  schema: s.arrayOf(s.TEXT),
};

export const CREATE_ONLY: Parameter<boolean> = {
  description: "Fails if the id exists.",
  schema: s.FLAG,
};

export const IF_VERSION: Parameter<number> = {
  description: "The required version of the record.",
  schema: s.wholeOf(0),
};

function readTexts({ type }: Schema, texts: readonly string[], name: string, base: ProfileName) {
  if (type === "array") return texts.flatMap((text) => (text === "" ? [] : text.split(",")));
  const text = readOnce(texts, name);
  if (type === "boolean") return readFlag(text, name, base);
  if (type === "string") return text;
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  return refuseParameter(name, "a whole number from 0 up", text);
}

/** Reads a boolean; true without a value (rule X-1). */
function readFlag(text: string, name: string, base: ProfileName): boolean {
  // E-3: some clients send `True` and `False`.
  const value = DIALECTS[base].lenient && /^(?:True|False)$/.test(text) ? text.toLowerCase() : text;
  if (value === "" || value === "true") return true;
  return value === "false" ? false : refuseParameter(name, "true or false", text);
}

function readOnce(values: readonly string[], name: string): string {
  const [value = "", ...others] = values;
  if (others.length > 0) refuseParameter(name, "one value", `${values.length} of them`);
  return value;
}

function refuseUnknown(name: string, known: readonly string[]): never {
  const message = `query string: unknown parameter ${describe(name)}${suggest(name, known)}`;
  refuse("invalid_request", message, {
    path: pointer("", name),
    rule: "E-3",
    reason: { kind: "unknown_key", key: name },
  });
}

function refuseParameter(name: string, expected: string, found: string | undefined): never {
  refuseValue(found, expected, { what: name, path: pointer("", name), rule: "E-3" });
}
