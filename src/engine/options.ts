import {
  DEFAULT_LIMITS,
  type Limits,
  MAX_LIMITS,
  type Profile,
  type ProfileOption,
} from "../profile.js";
import type { IndexOption } from "../query/query-run.js";
import { partAt, readFields, readNumber, readOneOf, refuseValue } from "../shape/fields.js";
import { resolveProfile } from "../shape/profile.js";
import { type Clock, createClock } from "./clock.js";
import type { EngineSetup } from "./setup.js";
import { Streams } from "./streams.js";

/** Options of an engine. */
export interface EngineOptions {
  /** Names and limits; default `documented`. */
  readonly profile?: ProfileOption | undefined;
  /** Milliseconds since the epoch: fixed, or a function; default the system clock. */
  readonly now?: number | (() => number) | undefined;
  /** Makes random orders and secrets repeatable, with a fixed `now` also ids; an integer, default random. */
  readonly seed?: number | undefined;
  /** Limits of requests; missing members have the profile's defaults. */
  readonly limits?: { readonly [limit in keyof Limits]?: number | undefined } | undefined;
  /** When secondary indexes are built; default `auto`. */
  readonly indexes?: IndexOption | undefined;
}

const INDEXES: readonly IndexOption[] = ["auto", "always", "never"];

/** Validates options; throws `invalid_request`. */
export function resolveSetup(options: unknown): EngineSetup {
  const { profile, now, seed, limits, indexes } = readFields(
    options,
    ["profile", "now", "seed", "limits", "indexes"],
    { what: "createEngine", rule: "E-3" },
  );
  const resolved = resolveProfile(profile);
  return {
    // Frozen: engines expose these objects.
    profile: Object.freeze(resolved),
    limits: Object.freeze(resolveLimits(limits, resolved)),
    streams: new Streams(seed === undefined ? seed : readNumber(seed, [], partAt("seed"))),
    indexes: indexes === undefined ? "auto" : readOneOf(indexes, INDEXES, partAt("indexes")),
    clock: resolveClock(now),
  };
}

function resolveLimits(limits: unknown, { base }: Profile): Limits {
  const names = Object.keys(DEFAULT_LIMITS.documented) as (keyof Limits)[]; // keyed by the type's own keys
  const fields = readFields(limits, names, partAt("limits"));
  const resolved: { -readonly [limit in keyof Limits]: number } = { ...DEFAULT_LIMITS[base] };
  for (const limit of names) {
    const value = fields[limit];
    if (value === undefined) continue;
    resolved[limit] = readNumber(value, [0, MAX_LIMITS[limit]], partAt(`limits/${limit}`));
  }
  return resolved;
}

function resolveClock(now: unknown): Clock {
  if (now === undefined) return createClock(() => Date.now());
  if (typeof now === "number") return createClock(now);
  if (typeof now === "function") return createClock(now as () => number); // its result is checked at each call
  refuseValue(now, "a number or a function", partAt("now"));
}
