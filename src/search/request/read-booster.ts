import * as s from "../../shape/schema.js";
import { formatDate, type Instant, parseInstant } from "../../value/datetime.js";
import {
  columnOf,
  FILTER,
  mapped,
  missingValue,
  named,
  numberOf,
  objectOf,
  oneOf,
  onlyOne,
  type Reader,
  refuseAt,
  type Unbound,
  unbound,
} from "./fields.js";

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

const MODIFIERS = {
  none: (value: number) => value,
  log: Math.log10,
  log1p: (value: number) => Math.log1p(value) / Math.LN10,
  ln: Math.log,
  ln1p: Math.log1p,
  square: (value: number) => value * value,
  sqrt: Math.sqrt,
  reciprocal: (value: number) => 1 / value,
} as const;

/** The keys of MODIFIERS. */
const MODIFIER_NAMES = Object.keys(MODIFIERS) as (keyof typeof MODIFIERS)[];

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};

const SCALE = /^(\d+)(d|h|m|s|ms)$/;

const INSTANT: Reader<Instant> = {
  schema: s.TIME,
  read(value, at) {
    const text = value instanceof Date ? formatDate(value) : value;
    const instant = typeof text === "string" ? parseInstant(text) : undefined;
    return instant ?? refuseAt("an RFC 3339 date-time", value, at, "Q-5");
  },
};

const DURATION: Reader<number> = {
  schema: { type: "string", pattern: SCALE.source },
  read(value, at) {
    const [, digits = "", unit = ""] = (typeof value === "string" && SCALE.exec(value)) || [];
    const length = UNIT_MS[unit];
    if (length === undefined)
      return refuseAt("a whole number and d, h, m, s or ms, such as 10d", value, at, "Q-5");
    return Number(digits) * length;
  },
};

const column = columnOf("a column path", "Q-5");
const factor = numberOf(s.NUMBER, "Q-5");
const value = unbound({ type: ["string", "number", "boolean"] });
const refuseMissing = missingValue("Q-5");

const VALUE_BOOSTER = objectOf(
  { column, value, factor },
  { ifMatchesFilter: FILTER },
  refuseMissing,
);
const NUMERIC_BOOSTER = objectOf(
  { column, factor },
  { modifier: oneOf(MODIFIER_NAMES, "Q-5"), ifMatchesFilter: FILTER },
  refuseMissing,
);
const DATE_BOOSTER = objectOf(
  { column, scale: DURATION, decay: factor },
  {
    origin: INSTANT,
    factor: numberOf({ ...s.numberOf(0), description: "Default 1." }, "Q-5"),
    ifMatchesFilter: FILTER,
  },
  refuseMissing,
);

const KINDS: Readonly<Record<string, Reader<ParsedBooster>>> = {
  valueBooster: mapped(
    named("ValueBooster", VALUE_BOOSTER),
    ({ ifMatchesFilter: filter, ...fields }) => ({ kind: "value", ...fields, filter }),
  ),
  numericBooster: mapped(
    named("NumericBooster", NUMERIC_BOOSTER),
    ({ modifier = "none", ifMatchesFilter: filter, ...fields }) => {
      return { kind: "number", ...fields, modify: MODIFIERS[modifier], filter };
    },
  ),
  dateBooster: mapped(
    named("DateBooster", DATE_BOOSTER),
    ({ scale, origin, factor: times = 1, ifMatchesFilter: filter, ...fields }) => {
      return { kind: "date", ...fields, origin, scaleMs: scale, factor: times, filter };
    },
  ),
};

export const BOOSTER: Reader<ParsedBooster> = named("Booster", onlyOne(KINDS, "Q-5"));
