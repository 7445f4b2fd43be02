import type { Json } from "../../types.js";
import type { Pattern } from "./vector.js";

export interface Difference {
  readonly pointer: string;
  readonly expected: Json;
  readonly found: unknown;
}

/** How objects are compared: `subset` allows additional keys. */
export type Strictness = "exact" | "subset";

export function findDifference(
  pattern: Pattern,
  found: unknown,
  strictness: Strictness = "exact",
  pointer = "",
): Difference | undefined {
  const wrong: Difference = { pointer, expected: pattern, found };
  if (typeof pattern !== "object" || pattern === null) return pattern === found ? undefined : wrong;
  if (isArray(pattern)) {
    if (!Array.isArray(found) || found.length !== pattern.length) return wrong;
    return first(pattern.entries(), ([i, member]) =>
      findDifference(member, found[i], strictness, `${pointer}/${i}`),
    );
  }
  const [[name = "", operand = null] = [], ...others] = Object.entries(pattern);
  const matcher = others.length === 0 && name.startsWith("$") ? MATCHERS[name] : undefined;
  if (matcher !== undefined) return matcher(found, operand) ? undefined : wrong;
  if (!isObject(found)) return wrong;
  for (const key of strictness === "exact" ? Object.keys(found) : []) {
    if (!Object.hasOwn(pattern, key)) {
      return { pointer: `${pointer}/${key}`, expected: "nothing", found: found[key] };
    }
  }
  return first(Object.entries(pattern), ([key, member]) =>
    findDifference(
      member,
      Object.hasOwn(found, key) ? found[key] : undefined,
      strictness,
      `${pointer}/${key}`,
    ),
  );
}

function first<T>(
  entries: Iterable<T>,
  look: (entry: T) => Difference | undefined,
): Difference | undefined {
  for (const entry of entries) {
    const difference = look(entry);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

type Matcher = (found: unknown, operand: Json) => boolean;

const MATCHERS: { readonly [name: string]: Matcher } = {
  $match: (found, operand) => isText(found) && new RegExp(String(operand), "u").test(found),
  $type: (found, operand) => hasType(String(operand), found),
  $metadata: isMetadata,
  $json: (found, operand) => isText(found) && !findDifference(operand, parseBody(found)),
};

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z$/;

const TYPES: { readonly [type: string]: (found: unknown) => boolean } = {
  integer: Number.isInteger,
  array: Array.isArray,
  object: isObject,
  datetime: (found) => isText(found) && DATETIME.test(found),
};

function hasType(type: string, found: unknown): boolean {
  return TYPES[type]?.(found) ?? typeof found === type;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** a version, and valid times if there are any. */
function isMetadata(found: unknown): boolean {
  return (
    isObject(found) &&
    Number.isInteger(found.version) &&
    Number(found.version) >= 0 &&
    ["createdAt", "updatedAt"].every(
      (key) => found[key] === undefined || hasType("datetime", found[key]),
    )
  );
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
