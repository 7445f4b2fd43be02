import * as s from "../../shape/schema.js";
import { formatDate, type Instant, parseInstant } from "../../value/datetime.js";
import { columnPath, UNBOUND_FILTER, type Unbound, unbound } from "./unbound.js";

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
const MODIFIER = s.reading(s.oneOf(Object.keys(MODIFIERS) as (keyof typeof MODIFIERS)[]), {
  rule: "Q-5",
});

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};

const RULE = "Q-5";

const SCALE = /^(\d+)(d|h|m|s|ms)$/;

const INSTANT = s.parsed<Instant>(
  s.TIME,
  "an RFC 3339 date-time",
  (value) => parseInstant(value instanceof Date ? formatDate(value) : value),
  RULE,
);

const DURATION = s.parsed<number>(
  { type: "string", pattern: SCALE.source },
  "a whole number and d, h, m, s or ms, such as 10d",
  (value) => {
    const [, digits = "", unit = ""] = (typeof value === "string" && SCALE.exec(value)) || [];
    const length = UNIT_MS[unit];
    return length === undefined ? undefined : Number(digits) * length;
  },
  RULE,
);

const column = columnPath("a column path", RULE);
const factor = s.reading(s.NUMBER, { expected: "a finite number", rule: RULE });
const value = s.reading(unbound({ type: ["string", "number", "boolean"] }), { rule: RULE });

const VALUE_BOOSTER = s.objectOf({ column, value, factor }, { ifMatchesFilter: UNBOUND_FILTER });
const NUMERIC_BOOSTER = s.objectOf(
  { column, factor },
  { modifier: MODIFIER, ifMatchesFilter: UNBOUND_FILTER },
);
const DATE_BOOSTER = s.objectOf(
  { column, scale: DURATION, decay: factor },
  {
    origin: INSTANT,
    factor: s.reading({ ...s.numberOf(0), description: "Default 1." }, { rule: RULE }),
    ifMatchesFilter: UNBOUND_FILTER,
  },
);

const KINDS = {
  valueBooster: s.mapped(
    s.named("ValueBooster", VALUE_BOOSTER),
    ({ ifMatchesFilter: filter, ...fields }): ParsedBooster => {
      return { kind: "value", ...fields, filter };
    },
  ),
  numericBooster: s.mapped(
    s.named("NumericBooster", NUMERIC_BOOSTER),
    ({ modifier = "none", ifMatchesFilter: filter, ...fields }): ParsedBooster => {
      return { kind: "number", ...fields, modify: MODIFIERS[modifier], filter };
    },
  ),
  dateBooster: s.mapped(
    s.named("DateBooster", DATE_BOOSTER),
    ({ scale, origin, factor: times = 1, ifMatchesFilter: filter, ...fields }): ParsedBooster => {
      return { kind: "date", ...fields, origin, scaleMs: scale, factor: times, filter };
    },
  ),
};

export const BOOSTER: s.Schema<ParsedBooster> = s.named(
  "Booster",
  s.mapped(
    s.reading(s.choiceOf(KINDS), {
      rule: "E-3",
      missing: { expected: `one of ${Object.keys(KINDS).join(", ")}`, rule: RULE },
    }),
    (booster) => Object.values(booster)[0]!,
  ), // exactly one
);
