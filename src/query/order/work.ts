import { STEP_ROWS } from "../thresholds.js";

/** Work that can be done over several calls: each step tells how many rows it went through. */
export type Work<T> = Generator<number, T, undefined>;

/** Visits the places from 0 up to `count` in runs, a step each. */
export function* inSteps(count: number, visit: (start: number, end: number) => void): Work<void> {
  for (let start = 0; start < count; start += STEP_ROWS) {
    const end = Math.min(start + STEP_ROWS, count);
    visit(start, end);
    yield end - start;
  }
}

/**
 * Does all of a work at once.
 *
 * @param checkTime is called after each step; what it throws ends the work
 */
export function finish<T>(work: Work<T>, checkTime?: () => void): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    checkTime?.();
  }
}
