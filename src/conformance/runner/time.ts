import type { CheckContext } from "./checks.js";

export type TimeLimits = Pick<CheckContext, "timeLimit" | "shrinkLimit">;

/**
 * Gives each check one of some parts of the remaining time, and as much for shrinking; undefined if
 * none is left.
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

const LEAST_TO_SHRINK = 2_000;

/** The limits of a check in a run without a time limit. */
const UNSHARED: TimeLimits = { timeLimit: 60_000, shrinkLimit: 65_000 };
