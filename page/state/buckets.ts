import { profile } from "./catalog.js";
import type { Leaf } from "./columns.js";

/** The aggregation that buckets a column. */
export type BucketKind = "numericHistogram" | "dateHistogram" | "topValues";

export const CALENDAR = ["minute", "hour", "day", "week", "month", "quarter", "year"] as const;

/** The aggregation for a column, if it has one; fewer have one under `xata` (rule X-6). */
export function bucketsOf({ type, isOwn }: Leaf): BucketKind | undefined {
  const { storeAggregates } = profile.value;
  if (storeAggregates && (!isOwn || type === "link" || type === "text")) return undefined;
  switch (type) {
    case "int":
    case "float":
      return "numericHistogram";
    case "datetime":
      return "dateHistogram";
    case "string":
    case "text":
    case "email":
    case "bool":
    case "link":
    case "id":
      return "topValues";
    default:
      return undefined;
  }
}

/** Returns a round interval that gives about the requested number of buckets. */
export function roundInterval(least: number, most: number, wanted = 40): number {
  const rough = (most - least) / wanted;
  if (!(rough > 0)) return 1;
  const scale = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * scale >= rough) ?? 10;
  return Number((step * scale).toPrecision(1));
}

/** The calendar unit that gives a readable number of buckets. */
export function calendarOf(ms: number): (typeof CALENDAR)[number] {
  const day = 86_400_000;
  if (ms > 20 * 365 * day) return "year";
  if (ms > 2 * 365 * day) return "month";
  if (ms > 200 * day) return "week";
  if (ms > 4 * day) return "day";
  return ms > 4 * 3_600_000 ? "hour" : "minute";
}
