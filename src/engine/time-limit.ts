import { refuse } from "../errors.js";

/** How long a call of an engine may work (rule L-10). */
export class TimeLimit {
  /** When the call at hand has to be done; undefined where it has any time. */
  #endsAt: number | undefined;

  /** Runs a call that may take so many milliseconds, 0 for any time; in another, that one's time holds. */
  run<T>(ms: number, act: () => T): T {
    if (ms === 0 || this.#endsAt !== undefined) return act();
    this.#endsAt = performance.now() + ms;
    try {
      return act();
    } finally {
      this.#endsAt = undefined;
    }
  }

  /** Ends a call that has worked too long: looked at wherever a chunk or some records are done. */
  readonly check = (): void => {
    if (this.#endsAt === undefined || performance.now() <= this.#endsAt) return;
    refuse("query_timeout", "the request took longer than it may", { rule: "L-10" });
  };
}
