const UNITS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const SHORT: Readonly<Record<string, string>> = {
  s: "second",
  sec: "second",
  m: "minute",
  min: "minute",
  h: "hour",
  hr: "hour",
  d: "day",
  w: "week",
};
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAY = 86_400_000;

/**
 * Parses a time: `2031-05-05`, `2031-05-05 14:30`, `tomorrow 9:00`, `next monday`,
 * `in 3 days`, `+2h`, `now`; undefined for anything else. Times are UTC.
 *
 * @param now base of relative times, in milliseconds since 1970
 */
export function readTime(text: string, now: number): number | undefined {
  const given = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (given === "now") return Date.now();
  const relative = /^(?:in |\+ ?)(\d+(?:\.\d+)?) ?([a-z]+)$|^(\d+) ?([a-z]+) (ago)$/.exec(given);
  if (relative !== null) {
    const [, ahead, aheadUnit, back, backUnit] = relative;
    const ms = unitOf(aheadUnit ?? backUnit ?? "");
    return ms === undefined ? undefined : now + ms * (ahead ? Number(ahead) : -Number(back));
  }
  const [, day = "", time] = /^(.*?)(?:(?: at)? (\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(given) ?? [];
  const midnight = now - (((now % DAY) + DAY) % DAY);
  const at = dayOf(day, midnight);
  if (at !== undefined) return at + timeOf(time);
  // ISO 8601, with or without an offset.
  if (!/^\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d.*)?$/.test(given)) return undefined;
  const iso = given.toUpperCase().replace(" ", "T");
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) || iso.length === 10 ? iso : `${iso}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function unitOf(name: string): number | undefined {
  const singular = name.length > 2 ? name.replace(/s$/, "") : name;
  return UNITS[SHORT[singular] ?? singular];
}

function dayOf(text: string, midnight: number): number | undefined {
  if (text === "today") return midnight;
  if (text === "tomorrow") return midnight + DAY;
  if (text === "yesterday") return midnight - DAY;
  const weekday = WEEKDAYS.indexOf(text.replace(/^next /, ""));
  if (weekday < 0) return undefined;
  const ahead = (weekday - new Date(midnight).getUTCDay() + 7) % 7;
  return midnight + (ahead === 0 ? 7 : ahead) * DAY;
}

function timeOf(text: string | undefined): number {
  const [hours = 0, minutes = 0, seconds = 0] = (text ?? "0:00").split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
