import { describe, refuse } from "../errors.js";
import { type Instant, MAX_INSTANT_MS, MIN_INSTANT_MS } from "../value/datetime.js";

/** A fixed time, or an offset from the source; in milliseconds. */
export type ClockSetting =
  | { readonly kind: "standing"; readonly at: number }
  | { readonly kind: "running"; readonly offset: number };

/** An engine's clock: milliseconds since the epoch, in the years 0001–9999. */
export class Clock {
  readonly #source: () => number;
  readonly #initial: ClockSetting;
  #setting: ClockSetting;

  constructor(source: () => number, initial: ClockSetting, setting: ClockSetting = initial) {
    this.#source = source;
    this.#initial = initial;
    this.#setting = setting;
  }

  /** Returns the current time. */
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

  /** Advances the time; does not start a fixed clock. */
  advance(ms: number): void {
    if (!Number.isFinite(ms) || ms < 0) {
      refuse(
        "invalid_request",
        `clock: expected milliseconds to advance by, found ${describe(ms)}`,
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

  /** Restores the initial setting. */
  reset(): void {
    this.#setting = this.#initial;
  }

  /** Returns the current time in microseconds resolution. */
  instant(): Instant {
    return readInstant(this.#read(this.#setting));
  }

  /** Returns the current setting, for {@link Clock.turnTo}. */
  get setting(): ClockSetting {
    return { ...this.#setting };
  }

  /** Applies another clock's {@link Clock.setting}. */
  turnTo(setting: ClockSetting): void {
    this.#setting = { ...setting };
  }

  /** Returns an independent clock with the same time. */
  fork(): Clock {
    return new Clock(this.#source, this.#initial, this.#setting);
  }

  #read(setting: ClockSetting): unknown {
    if (setting.kind === "standing") return setting.at;
    const time: unknown = this.#source();
    return typeof time === "number" ? time + setting.offset : time;
  }
}

/** Creates a clock from a fixed time or a function; throws `invalid_request` outside 0001–9999. */
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
