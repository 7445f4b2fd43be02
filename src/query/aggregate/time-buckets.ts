import { MIN_INSTANT_MS, startOfMonths } from "../../value/datetime.js";

/** An interval of numbers, or of times in milliseconds. */
export interface Interval {
  /** All numbers with equal `floor((number + shift) / length)` are in one interval. */
  readonly shift: number;
  readonly length: number;
  startOf(value: number): number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = {
  d: DAY,
  h: HOUR,
  m: MINUTE,
  s: SECOND,
  ms: 1,
};

/** Parses `5d` or `20m`; undefined for anything else, and for zero. */
export function parseInterval(text: string): number | undefined {
  const match = /^(\d{1,15})(d|h|m|s|ms)$/.exec(text);
  const length = match === null ? 0 : Number(match[1]) * UNITS[match[2] ?? ""]!;
  return length > 0 && Number.isSafeInteger(length) ? length : undefined;
}

/** Parses `+01:00` to milliseconds; undefined for anything else. */
export function parseOffset(text: string): number | undefined {
  const match = /^([+-])([01]\d):([0-5]\d)$/.exec(text);
  if (match === null) return undefined;
  const length = Number(match[2]) * HOUR + Number(match[3]) * MINUTE;
  return match[1] === "-" ? -length : length;
}

/** Intervals of fixed length, one of which begins at −shift; of times, the first is cut (rule T-7). */
export function fixedIntervals(length: number, shift: number, isTime: boolean): Interval {
  const startOf = (value: number): number => {
    const start = Math.floor((value + shift) / length) * length - shift;
    if (isTime) return Math.max(start, MIN_INSTANT_MS);
    return Number.isFinite(start) ? start + 0 : value; // −0 is 0 (T-3)
  };
  return { shift, length, startOf };
}

/** Calendar intervals by name, at an offset from UTC. */
export const CALENDAR_INTERVALS: Readonly<Record<string, (offset: number) => Interval>> = {
  minute: (offset) => fixedIntervals(MINUTE, offset, true),
  hour: (offset) => fixedIntervals(HOUR, offset, true),
  day: (offset) => fixedIntervals(DAY, offset, true),
  // Weeks begin on Monday, and 1970-01-01 was a Thursday.
  week: (offset) => fixedIntervals(7 * DAY, offset + 3 * DAY, true),
  month: (offset) => monthIntervals(1, offset),
  quarter: (offset) => monthIntervals(3, offset),
  year: (offset) => monthIntervals(12, offset),
};

function monthIntervals(months: number, offset: number): Interval {
  const startOf = (ms: number): number =>
    Math.max(startOfMonths(ms + offset, months) - offset, MIN_INSTANT_MS);
  return { shift: offset, length: DAY, startOf };
}
