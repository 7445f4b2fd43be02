import type { CheckContext } from "./checks.js";

/** Milliseconds for one check. */
export type TimeLimits = Pick<CheckContext, "timeLimit" | "shrinkLimit">;

/**
 * Divides the time of a run: each check gets an equal share of the rest, and the same again for
 * shrinking. Undefined when none is left.
 */
export function createTimeShares(
  time: number | undefined,
): (parts: number) => TimeLimits | undefined {
  if (time === undefined) {
    return () => UNSHARED;
  }
  const end = Date.now() + time;
  return (parts) => {
    const left = end - Date.now();
    if (left <= 0) return undefined;
    const timeLimit = left / parts;
    return { timeLimit, shrinkLimit: Math.min(left, 2 * timeLimit + LEAST_TO_SHRINK) };
  };
}

/** Milliseconds. */
const LEAST_TO_SHRINK = 2_000;

/** The limits of a check in a run without a time limit. */
export const UNSHARED: TimeLimits = { timeLimit: 20_000, shrinkLimit: 25_000 };
