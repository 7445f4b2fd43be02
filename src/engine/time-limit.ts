import { refuse } from "../errors.js";

/** How long a call of an engine may work (rule L-10). */
export class TimeLimit {
  /** When the running call must have ended; undefined where it has no limit. */
  #endsAt: number | undefined;

  /** Runs a call with a limit in milliseconds, 0 for none; inside another, its limit holds. */
  run<T>(ms: number, act: () => T): T {
    if (ms === 0 || this.#endsAt !== undefined) return act();
    this.#endsAt = performance.now() + ms;
    try {
      return act();
    } finally {
      this.#endsAt = undefined;
    }
  }

  /** Throws once a call has worked too long; called after each chunk or some records. */
  readonly check = (): void => {
    if (this.#endsAt === undefined || performance.now() <= this.#endsAt) return;
    refuse("query_timeout", "the request took longer than it may", { rule: "L-10" });
  };
}
