import { describe, pointer, refuse } from "../errors.js";
import { type JsonSchema, wholeOf } from "../json-schema.js";
import type { ProfileName } from "../profile.js";
import { refuseValue } from "../value/fields.js";
import { suggest } from "../value/nearest.js";

/** A parameter of the query string. */
export interface Parameter<T> {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** @param values several if the parameter is repeated */
  readonly read: (values: readonly string[], name: string, base: ProfileName) => T;
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
      read[name] = parameter.read(given.getAll(name), name, base);
    }
  }
  for (const [name, { required }] of Object.entries(known)) {
    if (required && read[name] === undefined) refuseParameter(name, "a value", undefined);
  }
  return read as ParameterValues<P>; // each value was parsed by its parameter
}

/** Column names separated by commas, or repeated parameters (rule X-1). */
export const COLUMNS: Parameter<string[]> = {
  description: "Columns to return, separated by commas.",
  schema: { type: "string" },
  required: false,
  read: (values) => values.flatMap((value) => (value === "" ? [] : value.split(","))),
};

/** A boolean; true without a value (rule X-1). */
export const CREATE_ONLY: Parameter<boolean> = {
  description: "Fails if the id exists.",
  schema: { type: "boolean" },
  required: false,
  read: (values, name, base) => {
    const given = readOnce(values, name);
    // E-3: some clients send `True` and `False`.
    const value =
      base === "xata" ? given.replace(/^(?:True|False)$/, (word) => word.toLowerCase()) : given;
    if (value === "" || value === "true") return true;
    if (value === "false") return false;
    return refuseParameter(name, "true or false", value);
  },
};

export const IF_VERSION: Parameter<number> = wholeParameter("The required version of the record.");

export function textParameter(description: string, required = false): Parameter<string> {
  return { description, schema: { type: "string" }, required, read: readOnce };
}

export function wholeParameter(description: string): Parameter<number> {
  return { description, schema: wholeOf(0), required: false, read: readWhole };
}

function readWhole(values: readonly string[], name: string): number {
  const value = readOnce(values, name);
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number)
    ? number
    : refuseParameter(name, "a whole number from 0 up", value);
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

export function refuseParameter(name: string, expected: string, found: string | undefined): never {
  refuseValue(found, expected, { what: name, path: pointer("", name), rule: "E-3" });
}
