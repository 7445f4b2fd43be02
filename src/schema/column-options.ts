import { type At, below, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import type { ColumnDefinition, Json } from "../types.js";
import { refuseValue } from "../value/fields.js";
import { copyJson, isPlainObject } from "../value/json.js";
import { isName } from "../value/names.js";
import { coerceValue, expectationOf, parseJson, type ValueType } from "./coerce.js";
import type { DefaultValue, LeafType, ObjectColumn } from "./columns.js";
import { isFileType } from "./files.js";
import { TRAITS } from "./traits.js";

/** Characters of JSON in a default (rule L-12). */
const MAX_DEFAULT_LENGTH = 65_536;

/** A definition whose options are read. */
export interface GivenColumn {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly path: string;
  readonly at: At;
  readonly profile: Profile;
}

export function readFlag(given: GivenColumn, option: "unique" | "notNull"): boolean {
  const value = given.definition[option];
  if (value === undefined || typeof value === "boolean") return value === true;
  const what = `column [${given.name}]: ${option}`;
  return refuseOption(given, option, { value, expected: "true or false", rule: "T-16", what });
}

/** The name of a link's table (rule T-17). */
export function readTarget(given: GivenColumn): string {
  const { link } = given.definition;
  const table = isPlainObject(link) ? link.table : undefined;
  if (isName(table)) return table;
  const expected = '{ "table": name of the target }';
  return refuseOption(given, "link", { value: table ?? link, expected, rule: "T-17" });
}

/** The length of a vector column's values (rule T-12). */
export function readDimension(given: GivenColumn): number {
  const { vector } = given.definition;
  const dimension = isPlainObject(vector) ? vector.dimension : undefined;
  const length = Number.isInteger(dimension) ? (dimension as number) : 0; // just checked
  if (length >= 2 && length <= 10_000) return length;
  const expected = '{ "dimension": 2 to 10000 }';
  return refuseOption(given, "vector", { value: dimension ?? vector, expected, rule: "T-12" });
}

/** The settings of a file column (rule T-13). */
export function readFileSettings(
  given: GivenColumn,
  type: LeafType,
): Partial<Pick<ColumnDefinition, "file" | "file[]">> {
  if (!isFileType(type)) return {};
  const settings = given.definition[type];
  if (settings === undefined) return {};
  const access = isPlainObject(settings) ? settings.defaultPublicAccess : null;
  if (access !== undefined && typeof access !== "boolean") {
    const expected = '{ "defaultPublicAccess": true or false }';
    refuseOption(given, type, { value: settings, expected, rule: "T-13", what: type });
  }
  return { [type]: access === undefined ? {} : { defaultPublicAccess: access } };
}

/** A value of the column's type, or a string with its JSON (rule T-16). */
export function readDefault(given: GivenColumn, column: ValueType): DefaultValue | undefined {
  const { defaultValue } = given.definition;
  if (defaultValue == null) return undefined;
  if (isFileType(column.type)) refuseDefault(given, "none: files have no defaults");
  if (TRAITS[column.type].stored === "instant" && defaultValue === "now") return { kind: "now" };
  const coerce = (value: unknown) => coerceValue(column, value, given.profile.base === "xata");
  const direct = coerce(defaultValue);
  const held = direct === undefined ? parseText(defaultValue) : undefined;
  const value = held === undefined ? direct : coerce(held);
  if (value === undefined) refuseDefault(given, expectationOf(column).expected);
  requireShort(given, value);
  return { kind: "value", value };
}

/** Read like a record's value at each use: there may be defaults inside. */
export function readObjectDefault(given: GivenColumn): ObjectColumn["defaultValue"] {
  const { defaultValue } = given.definition;
  if (defaultValue == null) return undefined;
  const value = typeof defaultValue === "string" ? parseText(defaultValue) : defaultValue;
  const copy = copyJson(value);
  if (!isPlainObject(value) || "fault" in copy) return refuseDefault(given, "an object");
  requireShort(given, copy.value);
  return { kind: "record", value: copy.value };
}

function parseText(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value)?.value : undefined;
}

/** Every record may get the default, hence its bound. */
function requireShort({ definition, path, at }: GivenColumn, value: unknown): void {
  const { defaultValue } = definition;
  const { length } = typeof defaultValue === "string" ? defaultValue : JSON.stringify(value);
  if (length <= MAX_DEFAULT_LENGTH) return;
  const expected = `at most ${MAX_DEFAULT_LENGTH} characters of JSON`;
  refuse("invalid_schema", `column [${path}]: defaultValue: expected ${expected}`, {
    path: below(at, "defaultValue"),
    rule: "L-12",
  });
}

function refuseDefault(given: GivenColumn, expected: string): never {
  const { defaultValue: value } = given.definition;
  const what = `column [${given.path}]: defaultValue`;
  return refuseOption(given, "defaultValue", { value, expected, rule: "T-16", what });
}

function refuseOption(
  { path, at }: GivenColumn,
  option: keyof ColumnDefinition,
  fault: { value: unknown; expected: string; rule: string; what?: string },
): never {
  const { value, expected, rule, what = `column [${path}]` } = fault;
  refuseValue(value, expected, { what, path: below(at, option), rule, code: "invalid_schema" });
}

/** The copy of a default that the schema shows. */
export function copyDefault({ definition }: GivenColumn): Json {
  const copy = copyJson(definition.defaultValue);
  return "fault" in copy ? null : copy.value;
}
