import type { Profile } from "../../profile.js";
import { formatDate, type Instant, parseInstant } from "../../value/datetime.js";
import {
  numberIn,
  oneOf,
  readFields,
  readLater,
  refuseAt,
  textFor,
  type Unbound,
} from "./fields.js";
import { DATE_FACTOR, DEFAULT_DATE_FACTOR, DURATION, MODIFIERS } from "./limits.js";

/** A booster not yet bound to a table. */
export type ParsedBooster = {
  readonly column: Unbound;
  readonly factor: number;
  readonly filter: Unbound | undefined;
} & Effect;

export type Effect =
  | { readonly kind: "value"; readonly value: Unbound }
  | { readonly kind: "number"; readonly modify: (value: number) => number }
  /** Adds the factor at an instant, times `decay` for each `scale` before or after it. */
  | {
      readonly kind: "date";
      /** Default: the time of the search. */
      readonly origin: Instant | undefined;
      readonly scaleMs: number;
      readonly decay: number;
    };

const MODIFY: Readonly<Record<(typeof MODIFIERS)[number], (value: number) => number>> = {
  none: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log1p(value) / Math.LN10,
  ln: Math.log,
  ln1p: Math.log1p,
  square: (value) => value * value,
  sqrt: Math.sqrt,
  reciprocal: (value) => 1 / value,
};

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};

export function readBooster(value: unknown, at: string, profile: Profile): ParsedBooster {
  const shared = {
    column: (path: unknown, place: string) =>
      readLater(textFor("a column path", "Q-5")(path, place), place),
    ifMatchesFilter: readLater,
  };
  const factor = numberIn([], "Q-5", "a number");
  const read = {
    valueBooster: (given: unknown, place: string): ParsedBooster => {
      const readers = { ...shared, value: readLater, factor };
      const fields = readFields(given, place, readers, profile);
      const { column, value, factor: times, ifMatchesFilter: filter } = fields;
      requireKey(column, "column", place);
      requireKey(value, "value", place);
      requireKey(times, "factor", place);
      return { kind: "value", column, value, factor: times, filter };
    },
    numericBooster: (given: unknown, place: string): ParsedBooster => {
      const readers = { ...shared, factor, modifier: oneOf(MODIFIERS, "Q-5") };
      const fields = readFields(given, place, readers, profile);
      const { column, factor: times, modifier = "none", ifMatchesFilter: filter } = fields;
      requireKey(column, "column", place);
      requireKey(times, "factor", place);
      return { kind: "number", column, factor: times, modify: MODIFY[modifier], filter };
    },
    dateBooster: (given: unknown, place: string): ParsedBooster => {
      const readers = {
        ...shared,
        origin: readInstant,
        scale: readDuration,
        decay: factor,
        factor: numberIn(DATE_FACTOR, "Q-5", "a number"),
      };
      const fields = readFields(given, place, readers, profile);
      const {
        column,
        origin,
        scale,
        decay,
        factor: times = DEFAULT_DATE_FACTOR,
        ifMatchesFilter: filter,
      } = fields;
      requireKey(column, "column", place);
      requireKey(scale, "scale", place);
      requireKey(decay, "decay", place);
      return { kind: "date", column, origin, scaleMs: scale, decay, factor: times, filter };
    },
  };
  const given = Object.values(readFields(value, at, read, profile));
  const [booster] = given;
  if (booster === undefined || given.length > 1)
    return refuseAt(`one of ${Object.keys(read).join(", ")}`, value, at, "Q-5");
  return booster;
}

function requireKey<T>(value: T | undefined, key: string, at: string): asserts value is T {
  if (value === undefined) refuseAt("a value", undefined, `${at}/${key}`, "Q-5");
}

function readInstant(value: unknown, at: string): Instant {
  const text = value instanceof Date ? formatDate(value) : value;
  const instant = typeof text === "string" ? parseInstant(text) : undefined;
  return instant ?? refuseAt("an RFC 3339 date-time", value, at, "Q-5");
}

function readDuration(value: unknown, at: string): number {
  const [, digits = "", unit = ""] = (typeof value === "string" && DURATION.exec(value)) || [];
  const length = UNIT_MS[unit];
  if (length === undefined)
    return refuseAt("a whole number and d, h, m, s or ms, such as 10d", value, at, "Q-5");
  return Number(digits) * length;
}
