import { firstIdAt } from "../value/id.js";

const FEW = 64;

/** Numbers generated ids by time, so that ids of all processes sort together. */
export class IdBlocks {
  #next = 0;

  take(now: number): number {
    return this.reserve(this.next(now), FEW);
  }

  next(now: number): number {
    return Math.max(this.#next, firstIdAt(now));
  }

  /** Reserves a block and returns its first number: `first`, unless some of it is taken. */
  reserve(first: number, count: number): number {
    const begin = Math.max(first, this.#next);
    this.#next = begin + count;
    return begin;
  }

  commit(next: number): void {
    this.#next = Math.max(this.#next, next);
  }
}
