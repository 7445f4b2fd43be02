import { formatArray } from "./arrays.js";
import type { StatementWriter } from "./statement.js";
import { writeText } from "./text.js";

/**
 * What a path into a JSON value leads to; null where it leads nowhere, or to JSON null (rule F-17).
 * In an array a key is a position only as a plain number is written: PostgreSQL would also take
 * `-1`, `01` and ` 1` for one.
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
    value = `(${value} -> ${writer.bind(step, "text")})`; // of objects only
  }
  follow();
  return keys.length === 0 ? json : `nullif(${value}, 'null'::jsonb)`;
}

/** What PostgreSQL may read as a number; all else leads nowhere in an array. */
const MAY_BE_POSITION = /^\s*[+-]?\d/;

function isPosition(key: string): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(key);
}
