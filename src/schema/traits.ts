import type { ColumnType } from "../types.js";

/** Column types, `id`, and `item` for a member of a list. */
export type AnyType = ColumnType | "id" | "item";

/** Properties of a column type, except coercion. */
export interface Traits {
  readonly rule: `T-${number}` | "R-3";
  /** The expected value in messages (rule T-15). */
  readonly expected: string;
  /** The storage format; `code` is a dictionary code, `value` is JSON. */
  readonly stored: "bool" | "number" | "instant" | "text" | "code" | "list" | "value" | "none";
  /** Operators besides equality (rule F-18); `none` lacks equality, too. */
  readonly operators: "text" | "range" | "list" | "equality" | "none";
  /** Whether columns are sortable (rule S-2). */
  readonly sortable: boolean;
}

/** One row per type. */
export const TRAITS = {
  id: {
    rule: "R-3",
    expected: "a string",
    stored: "text",
    operators: "text",
    sortable: true,
  },
  bool: {
    rule: "T-1",
    expected: "true or false",
    stored: "bool",
    operators: "equality",
    sortable: true,
  },
  int: {
    rule: "T-2",
    expected: "a whole number within ±(2^53 − 1)",
    stored: "number",
    operators: "range",
    sortable: true,
  },
  float: {
    rule: "T-3",
    expected: "a finite number",
    stored: "number",
    operators: "range",
    sortable: true,
  },
  string: {
    rule: "T-4",
    expected: "a string of at most 2048 characters without lone surrogates",
    stored: "text",
    operators: "text",
    sortable: true,
  },
  text: {
    rule: "T-5",
    expected: "a string without lone surrogates",
    stored: "text",
    operators: "text",
    sortable: true,
  },
  email: {
    rule: "T-6",
    expected: "an e-mail address of at most 254 characters",
    stored: "text",
    operators: "text",
    sortable: true,
  },
  datetime: {
    rule: "T-7",
    expected: "an RFC 3339 date-time with an offset",
    stored: "instant",
    operators: "range",
    sortable: true,
  },
  multiple: {
    rule: "T-8",
    expected: "an array of strings without lone surrogates",
    stored: "list",
    operators: "list",
    sortable: false,
  },
  link: {
    rule: "T-9",
    expected: "the id of a record, or an object with that id",
    stored: "code",
    operators: "equality",
    sortable: true,
  },
  object: {
    rule: "T-10",
    expected: "an object",
    stored: "none",
    operators: "equality",
    sortable: false,
  },
  json: {
    rule: "T-11",
    expected: "a JSON value",
    stored: "value",
    operators: "equality",
    sortable: false,
  },
  vector: {
    rule: "T-12",
    expected: "an array of finite numbers",
    stored: "value",
    operators: "none",
    sortable: false,
  },
  file: {
    rule: "T-13",
    expected: "an object that describes a file",
    stored: "value",
    operators: "none",
    sortable: false,
  },
  "file[]": {
    rule: "T-13",
    expected: "an array of objects that describe files",
    stored: "value",
    operators: "none",
    sortable: false,
  },
  item: {
    rule: "T-8",
    expected: "a string",
    stored: "text",
    operators: "text",
    sortable: false,
  },
} as const;
TRAITS satisfies Readonly<Record<AnyType, Traits>>;

export const COLUMN_TYPES: readonly ColumnType[] = (Object.keys(TRAITS) as AnyType[]).filter(
  (type): type is ColumnType => type !== "id" && type !== "item",
);

export function isColumnType(type: unknown): type is ColumnType {
  return (COLUMN_TYPES as readonly unknown[]).includes(type);
}

/** Whether a type is always stored as codes. */
export function isCoded(type: AnyType): boolean {
  const { stored } = TRAITS[type];
  return stored === "code" || stored === "list";
}

/** Whether values may be long (rule L-12); a single file never is. */
export function isUnbounded(type: AnyType): boolean {
  const { stored } = TRAITS[type];
  return type === "text" || stored === "list" || stored === "value";
}

/** Minimum weight of a long value, usually in UTF-16 units. */
export const LONG_VALUE = 4096;
/** Maximum JSON bytes of a UTF-16 unit: an escaped control character. */
export const MAX_UNIT_BYTES = 6;

/** Maximum JSON bytes of a value that is not long (rules T-4, R-3). */
export function shortBytesOf(type: AnyType): number {
  const characters = isUnbounded(type) ? LONG_VALUE : type === "string" ? 2048 : 255;
  return characters * MAX_UNIT_BYTES;
}

/** Types of values with a trait, `id` included. */
export function typesWith(has: (traits: Traits) => boolean): ReadonlySet<string> {
  const types = Object.keys(TRAITS) as AnyType[]; // keyed by the type's own keys
  return new Set(types.filter((type) => type !== "object" && type !== "item" && has(TRAITS[type])));
}

export const NUMERIC_TYPES: ReadonlySet<string> = typesWith(({ stored }) => stored === "number");

/** Types with equality (rules F-8, X-6). */
export const COMPARABLE_TYPES: ReadonlySet<string> = typesWith(
  ({ operators }) => operators !== "none",
);

/** Types with some traits, such as `TypeWith<{ stored: "number" }>`. */
export type TypeWith<Wanted extends Partial<Traits>> = {
  [Type in AnyType]: (typeof TRAITS)[Type] extends Wanted ? Type : never;
}[AnyType];
