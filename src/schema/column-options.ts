import { type At, below, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import {
  type RequestPart,
  readFields,
  readFlag,
  readNumber,
  refuseValue,
} from "../shape/fields.js";
import type { ColumnDefinition, Json } from "../types.js";
import { copyJson, isPlainObject } from "../value/json.js";
import { isName } from "../value/names.js";
import { coerceValue, expectationOf, parseJson, type ValueType } from "./coerce.js";
import type { DefaultValue, LeafType, ObjectColumn } from "./columns.js";
import { isFileType } from "./stored-files.js";
import { TRAITS } from "./traits.js";

/** Maximum characters of a default's JSON (rule L-12). */
const MAX_DEFAULT_LENGTH = 65_536;

/** A column definition to read options from. */
export interface ColumnInput {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly path: string;
  readonly at: At;
  readonly profile: Profile;
}

export function readOption(input: ColumnInput, option: "unique" | "notNull"): boolean {
  return readFlag(input.definition[option], partOf(input, option, input.name)) === true;
}

/** Throws if a file column has an option of other columns (rule T-19). */
export function requireNoOptions({ definition, path, at }: ColumnInput): void {
  for (const option of ["unique", "notNull", "defaultValue"] as const) {
    if (definition[option] == null || definition[option] === false) continue;
    const message = `column [${path}]: ${option}: a file column has none`;
    refuse("invalid_schema", message, { path: below(at, option), rule: "T-19" });
  }
}

/** Returns the name of a link's table (rule T-17). */
export function readLinkTarget(input: ColumnInput): string {
  const { value, part } = readKey(input, "link", "table", "T-17");
  return isName(value) ? value : refuseValue(value, '{ "table": name of the target }', part);
}

/** Returns the dimension of a vector column (rule T-12). */
export function readDimension(input: ColumnInput): number {
  const { value, part } = readKey(input, "vector", "dimension", "T-12");
  return readNumber(value, [2, 10_000], part);
}

/** Returns the settings of a file column (rule T-13). */
export function readFileSettings(
  input: ColumnInput,
  type: LeafType,
): Partial<Pick<ColumnDefinition, "file" | "file[]">> {
  if (!isFileType(type) || input.definition[type] === undefined) return {};
  const { value, part } = readKey(input, type, "defaultPublicAccess", "T-13");
  const access = readFlag(value, part);
  return { [type]: access === undefined ? {} : { defaultPublicAccess: access } };
}

/** Returns an option's only key and its path; the option's own path if it is missing. */
function readKey(
  { definition, path: column, at }: ColumnInput,
  option: keyof ColumnDefinition,
  key: string,
  rule: string,
): { readonly value: unknown; readonly part: RequestPart } {
  const path = below(at, option);
  const part = { what: `column [${column}]`, path, rule, code: "invalid_schema" } as const;
  const setting = definition[option];
  const { [key]: value } = readFields(setting, [key], part);
  return { value, part: setting === undefined ? part : { ...part, path: below(path, key) } };
}

/** Reads a default: a value of the column's type, or a string with its JSON (rule T-16). */
export function readDefault(input: ColumnInput, column: ValueType): DefaultValue | undefined {
  const { defaultValue } = input.definition;
  if (defaultValue == null) return undefined;
  if (TRAITS[column.type].stored === "instant" && defaultValue === "now") return { kind: "now" };
  const coerce = (value: unknown) => coerceValue(column, value, input.profile);
  const direct = coerce(defaultValue);
  const held = direct === undefined ? parseText(defaultValue) : undefined;
  const value = held === undefined ? direct : coerce(held);
  if (value === undefined) refuseDefault(input, expectationOf(column).expected);
  requireShort(input, value);
  return { kind: "value", value };
}

/** Reads an object's default like a record at each use, because members may have defaults. */
export function readObjectDefault(input: ColumnInput): ObjectColumn["defaultValue"] {
  const { defaultValue } = input.definition;
  if (defaultValue == null) return undefined;
  const value = typeof defaultValue === "string" ? parseText(defaultValue) : defaultValue;
  const copy = copyJson(value);
  if (!isPlainObject(value) || "fault" in copy) return refuseDefault(input, "an object");
  requireShort(input, copy.value);
  return { kind: "record", value: copy.value };
}

function parseText(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value)?.value : undefined;
}

/** Limits the size of a default, since every record may get it. */
function requireShort({ definition, path, at }: ColumnInput, value: unknown): void {
  const { defaultValue } = definition;
  const { length } = typeof defaultValue === "string" ? defaultValue : JSON.stringify(value);
  if (length <= MAX_DEFAULT_LENGTH) return;
  const expected = `at most ${MAX_DEFAULT_LENGTH} characters of JSON`;
  refuse("invalid_schema", `column [${path}]: defaultValue: expected ${expected}`, {
    path: below(at, "defaultValue"),
    rule: "L-12",
  });
}

function refuseDefault(input: ColumnInput, expected: string): never {
  const part = partOf(input, "defaultValue", input.path);
  refuseValue(input.definition.defaultValue, expected, part);
}

function partOf({ at }: ColumnInput, option: string, column: string): RequestPart {
  const what = `column [${column}]: ${option}`;
  return { what, path: below(at, option), rule: "T-16", code: "invalid_schema" };
}

/** Copies a default for the schema. */
export function copyDefault({ definition }: ColumnInput): Json {
  const copy = copyJson(definition.defaultValue);
  return "fault" in copy ? null : copy.value;
}
