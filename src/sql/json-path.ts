import { formatArray } from "./arrays.js";
import type { StatementWriter } from "./statement.js";
import { writeText } from "./text.js";

/**
 * The value at a JSON path (F-17). PostgreSQL would also accept `-1`, `01` and ` 1` as positions.
 */
export function jsonPath(writer: StatementWriter, json: string, keys: readonly string[]): string {
  let value = json;
  let steps: string[] = [];
  const follow = (): void => {
    if (steps.length > 0) value = `(${value} #> ${writer.bind(formatArray(steps), "text[]")})`;
    steps = [];
  };
  for (const key of keys) {
    const step = writeText(key);
    if (!MAY_BE_POSITION.test(key) || isPosition(key)) {
      steps.push(step);
      continue;
    }
    follow();
    value = `(${value} -> ${writer.bind(step)})`; // objects only
  }
  follow();
  return keys.length === 0 ? json : `nullif(${value}, 'null'::jsonb)`;
}

/** Keys that PostgreSQL could read as a position. */
const MAY_BE_POSITION = /^\s*[+-]?\d/;

function isPosition(key: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(key);
}
