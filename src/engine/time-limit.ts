import { refuse } from "../errors.js";

/** The time limit of a call (rule L-10). */
export class TimeLimit {
  /** Undefined without a limit. */
  #endsAt: number | undefined;
  #ms = 0;

  /**
   * Runs a call with a limit in milliseconds, 0 for none; nested calls keep the outer limit.
   *
   * @param spent milliseconds that the call has used before
   */
  run<T>(ms: number, act: () => T, spent = 0): T {
    if (ms === 0 || this.#endsAt !== undefined) return act();
    this.#endsAt = performance.now() + ms - spent;
    this.#ms = ms;
    try {
      return act();
    } finally {
      this.#endsAt = undefined;
    }
  }

  /** Ends the limit of the running call: it has written. */
  settle(): void {
    if (this.#endsAt !== undefined) this.#endsAt = Number.POSITIVE_INFINITY;
  }

  get isSet(): boolean {
    return this.#endsAt !== undefined;
  }

  get isOver(): boolean {
    return this.#endsAt !== undefined && performance.now() > this.#endsAt;
  }

  /** Throws `query_timeout` after the limit; called every few rows. */
  readonly check = (): void => {
    if (!this.isOver) return;
    const message = `the call exceeded its time limit of ${this.#ms} ms (limits.queryMs)`;
    refuse("query_timeout", message, { rule: "L-10" });
  };
}
