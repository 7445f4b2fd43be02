import type { ColumnDefinition, Json } from "../../types.js";
import { isObject, type JsonObject, ownValue } from "./model.js";

/** Compares by code point (T-4). */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  for (;;) {
    const [one, other] = [left.next(), right.next()];
    if (one.done || other.done) return Number(!one.done) - Number(!other.done);
    const difference = one.value.codePointAt(0)! - other.value.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
}

/** Microseconds since 1970; further digits are truncated (T-7). */
export function instantOf(text: string): bigint {
  const parts =
    /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(
      text,
    );
  if (parts === null) throw new Error(`oracle: not a datetime: ${text}`);
  const part = (index: number): number => Number(parts[index] ?? 0);
  const day = new Date(0);
  day.setUTCFullYear(part(1), part(2) - 1, part(3));
  const offset = (part(9) * 60 + part(10)) * (parts[8] === "-" ? -1 : 1);
  const seconds = (part(4) * 60 + part(5) - offset) * 60 + part(6);
  const fraction = (parts[7] ?? "").slice(0, 6).padEnd(6, "0");
  return (BigInt(day.getTime()) + BigInt(seconds) * 1000n) * 1000n + BigInt(fraction);
}

/** Formats an instant: UTC, without a zero fraction and trailing zeros (T-7). */
export function instantText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  const digits = String(fraction).padStart(6, "0").replace(/0+$/, "");
  return `${whole}${digits === "" ? "" : `.${digits}`}Z`;
}

/** Lower case by code point, unless it is longer than one (F-10). */
export function lowerCase(text: string): string {
  return [...text]
    .map((character) => {
      const lower = character.toLowerCase();
      return [...lower].length > 1 ? character : lower;
    })
    .join("");
}

/** `*` matches any code points, `?` exactly one, `\` escapes (F-11). */
export function matchesPattern(pattern: string, text: string): boolean {
  const characters = [...text];
  const rest = [...pattern];
  // Prefix lengths that the pattern so far matches.
  let reached = [true, ...characters.map(() => false)];
  while (rest.length > 0) {
    const token = rest.shift();
    const before = reached;
    if (token === "*") {
      const first = before.indexOf(true);
      reached = before.map((_, i) => first >= 0 && i >= first);
      continue;
    }
    const wanted = token === "\\" ? rest.shift() : token;
    if (wanted === undefined) throw new Error("oracle: a pattern ends in a lone backslash");
    reached = before.map((_, i) => {
      const fits = token === "?" || characters[i - 1] === wanted;
      return i > 0 && before[i - 1] === true && fits;
    });
  }
  return reached.at(-1) === true;
}

export function equalJson(a: Json, b: Json): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((member, i) => equalJson(member, b[i]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key] ?? null, b[key] ?? null))
    );
  }
  return a === b;
}

/** T-14: an object whose sub-columns are all null is null. */
export function isNullColumn(column: ColumnDefinition, value: Json): boolean {
  if (column.type !== "object" || !isObject(value)) return value === null;
  return subColumns(column).every((sub) => isNullColumn(sub, ownValue(value, sub.name)));
}

export function subColumns(column: ColumnDefinition): readonly ColumnDefinition[] {
  return column.columns ?? [];
}

/** F-8: equality of two values of a column, null equal to null. */
export function equalValues(column: ColumnDefinition, a: Json, b: Json): boolean {
  if (isNullColumn(column, a) || isNullColumn(column, b)) {
    return isNullColumn(column, a) && isNullColumn(column, b);
  }
  switch (column.type) {
    case "datetime":
      return instantOf(String(a)) === instantOf(String(b));
    case "link":
      return linkId(a) === linkId(b);
    case "object":
      return subColumns(column).every((sub) =>
        equalValues(sub, ownValue(a as JsonObject, sub.name), ownValue(b as JsonObject, sub.name)),
      );
    default:
      return equalJson(a, b);
  }
}

/** T-9: a link is an id, or an object with `id`. */
export function linkId(value: Json): Json {
  return isObject(value) ? ownValue(value, "id") : value;
}

export function valueAt(object: JsonObject, path: string): Json {
  return path
    .split(".")
    .reduce<Json>((at, name) => (isObject(at) ? ownValue(at, name) : null), object);
}
