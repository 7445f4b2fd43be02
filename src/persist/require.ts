import { describe, refuse } from "../errors.js";
import { type Instant, parseInstant } from "../value/datetime.js";
import { isPlainObject } from "../value/json.js";

export function refusePart(what: string, expected: string, found: unknown): never {
  refuse("invalid_request", `${what}: expected ${expected}, found ${describe(found)}`);
}

export function requireFields(value: unknown, what: string): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : refusePart(what, "an object", value);
}

export function requireList(value: unknown, what: string): readonly unknown[] {
  return Array.isArray(value) ? value : refusePart(what, "an array", value);
}

export function requireText(value: unknown, what: string): string {
  return typeof value === "string" ? value : refusePart(what, "a string", value);
}

export function requireCount(value: unknown, what: string): number {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount ? value : refusePart(what, "a whole number from 0 up", value);
}

export function requireInstant(value: unknown, what: string): Instant {
  const instant = typeof value === "string" ? parseInstant(value) : undefined;
  return instant ?? refusePart(what, "an RFC 3339 date-time", value);
}
