import { describe, refuse } from "../errors.js";
import { type Instant, MAX_INSTANT_MS, MIN_INSTANT_MS } from "../value/datetime.js";

/** How a clock is set: to a fixed time, or so far from what its source says. In milliseconds. */
export type ClockSetting =
  | { readonly kind: "standing"; readonly at: number }
  | { readonly kind: "running"; readonly offset: number };

/**
 * The clock of an engine. Times are milliseconds since the epoch, in the years 0001–9999;
 * what is none is refused with `invalid_request`.
 */
export class Clock {
  readonly #source: () => number;
  readonly #initial: ClockSetting;
  #setting: ClockSetting;

  constructor(source: () => number, initial: ClockSetting, setting: ClockSetting = initial) {
    this.#source = source;
    this.#initial = initial;
    this.#setting = setting;
  }

  /** The present time. */
  now(): number {
    const { ms, micros } = this.instant();
    return ms + micros / 1000;
  }

  /** Fixes the time. */
  set(time: number | Date): void {
    const at = time instanceof Date ? time.getTime() : time;
    readInstant(at);
    this.#setting = { kind: "standing", at };
  }

  /** Adds to the time; a clock that is fixed stays fixed, one that runs goes on running. */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) {
      refuse(
        "invalid_request",
        `clock: expected milliseconds to move on by, found ${describe(ms)}`,
      );
    }
    const setting = this.#setting;
    const next: ClockSetting =
      setting.kind === "standing"
        ? { kind: "standing", at: setting.at + ms }
        : { kind: "running", offset: setting.offset + ms };
    readInstant(this.#read(next));
    this.#setting = next;
  }

  /** Goes back to the setting that the engine was made with. */
  reset(): void {
    this.#setting = this.#initial;
  }

  /** The present time, to the microsecond. */
  instant(): Instant {
    return readInstant(this.#read(this.#setting));
  }

  /** How it is set, for {@link Clock.turnTo}. */
  get setting(): ClockSetting {
    return { ...this.#setting };
  }

  /** Sets it as another clock is set, by its {@link Clock.setting}. */
  turnTo(setting: ClockSetting): void {
    this.#setting = { ...setting };
  }

  /** Another clock with the same time, which moves on its own. */
  fork(): Clock {
    return new Clock(this.#source, this.#initial, this.#setting);
  }

  #read(setting: ClockSetting): unknown {
    if (setting.kind === "standing") return setting.at;
    const time: unknown = this.#source();
    return typeof time === "number" ? time + setting.offset : time;
  }
}

/**
 * Makes a clock that tells a fixed time, or what a function says.
 *
 * @throws TwinbaseError `invalid_request` for a time outside the years 0001–9999, at once or when
 * the function gives it.
 */
export function createClock(now: number | (() => number)): Clock {
  if (typeof now === "function") return new Clock(now, { kind: "running", offset: 0 });
  readInstant(now);
  return new Clock(() => now, { kind: "standing", at: now });
}

function readInstant(time: unknown): Instant {
  const ms = typeof time === "number" ? Math.floor(time) : Number.NaN;
  if (!(ms >= MIN_INSTANT_MS && ms <= MAX_INSTANT_MS)) {
    refuse(
      "invalid_request",
      `now: expected milliseconds in the years 0001–9999, found ${describe(time)}`,
      { path: "/now" },
    );
  }
  return { ms, micros: Math.floor(((time as number) - ms) * 1000) }; // a number, or ms is NaN
}
