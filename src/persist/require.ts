import { readNumber, refuseValue } from "../shape/fields.js";
import * as s from "../shape/schema.js";
import { type Instant, parseInstant } from "../value/datetime.js";

/** Parts of a line; the reader of lines adds the number of the line to errors. */
export const COUNT: s.Schema<number> = s.wholeOf(0);

export function refusePart(what: string, expected: string, found: unknown): never {
  refuseValue(found, expected, { what, rule: "E-3" });
}

export function requireCount(value: unknown, what: string): number {
  return readNumber(value, [0], { what, rule: "E-3" });
}

export function requireInstant(value: unknown, what: string): Instant {
  return parseInstant(value) ?? refusePart(what, "an RFC 3339 date-time", value);
}
