import { firstIdAt } from "../value/id.js";

/** Numbers generated ids by time, so that ids of all processes sort together. */
export class IdBlocks {
  #next = 0;

  next(now: number): number {
    return Math.max(this.#next, firstIdAt(now));
  }

  /** Takes the numbers before `next`. */
  commit(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  /** Gives numbers back, unless others have taken the next ones. */
  release(first: number, next: number): void {
    if (this.#next === next) this.#next = first;
  }
}
