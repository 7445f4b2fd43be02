import type { CheckContext } from "./checks.js";

/** Milliseconds for one check. */
export type TimeLimits = Pick<CheckContext, "timeLimit" | "shrinkLimit">;

/**
 * Shares out the time of a run: a check gets an equal part of what is left, and as much again to
 * make a case smaller. Undefined when none is left.
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

/** The limits of a check where no time is given for the run. */
export const UNSHARED: TimeLimits = { timeLimit: 20_000, shrinkLimit: 25_000 };
