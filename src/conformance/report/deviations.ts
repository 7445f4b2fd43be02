import { isRuleId } from "../rules.js";
import { ConformanceUsageError } from "../target/target.js";
import { isObject } from "../vectors/pattern.js";

/** A known divergence, allowed until a day. */
export interface Deviation {
  /** The id of a check, or the number of a rule, which includes all its checks. */
  readonly what: string;
  readonly reason: string;
  /** `YYYY-MM-DD`: from this day on it counts again. */
  readonly expires: string;
}

/**
 * Parses known deviations: `[{ "what": "law:filters-equal-the-oracle", "reason": "…", "expires":
 * "2026-01-31" }]`. Throws `ConformanceUsageError` for an invalid entry.
 */
export function parseDeviations(given: unknown): Deviation[] {
  if (!Array.isArray(given)) throw new ConformanceUsageError("known deviations: expected an array");
  return given.map((entry: unknown, i) => {
    const fields = isObject(entry) ? entry : {};
    const { what, reason, expires, ...others } = fields;
    const [unknown] = Object.keys(others);
    const texts = [what, reason, expires].every((text) => typeof text === "string" && text !== "");
    const isDay =
      /^\d{4}-\d\d-\d\d$/.test(String(expires)) && !Number.isNaN(Date.parse(String(expires)));
    if (!texts || unknown !== undefined || !isDay) {
      throw new ConformanceUsageError(
        `known deviation ${i}: expected only the strings what, reason and expires (YYYY-MM-DD)`,
      );
    }
    return { what: String(what), reason: String(reason), expires: String(expires) };
  });
}

export function findDeviation(
  deviations: readonly Deviation[],
  check: { readonly id: string; readonly rules: readonly string[] },
  today: string,
): Deviation | undefined {
  return deviations.find(
    ({ what, expires }) =>
      today < expires && (what === check.id || (isRuleId(what) && check.rules[0] === what)),
  );
}
