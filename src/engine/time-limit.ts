import { refuse } from "../errors.js";

/** The time limit of a call (rule L-10). */
export class TimeLimit {
  /** Undefined without a limit. */
  #endsAt: number | undefined;

  /** Runs a call with a limit in milliseconds, 0 for none; nested calls keep the outer limit. */
  run<T>(ms: number, act: () => T): T {
    if (ms === 0 || this.#endsAt !== undefined) return act();
    this.#endsAt = performance.now() + ms;
    try {
      return act();
    } finally {
      this.#endsAt = undefined;
    }
  }

  /** Throws `query_timeout` after the limit; called every few rows. */
  readonly check = (): void => {
    if (this.#endsAt === undefined || performance.now() <= this.#endsAt) return;
    refuse("query_timeout", "the call exceeded its time limit", { rule: "L-10" });
  };
}
