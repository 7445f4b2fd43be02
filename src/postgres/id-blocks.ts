/** Ids of one millisecond; beyond them the next one's are taken. */
const PER_MILLISECOND = 256;
/** Ids of a transaction of which nobody knows how many it takes. */
const FEW = 64;

/**
 * Numbers generated ids by time, so that they sort alike whichever process makes them (rule R-3);
 * what tells processes apart is in the ids besides.
 */
export class IdBlocks {
  #next = 0;

  /** Reserves a block for a transaction that takes few ids, as most do. */
  take(now: number): number {
    return this.reserve(this.next(now), FEW);
  }

  /** The number that a block would begin with, at a time in milliseconds. */
  next(now: number): number {
    return Math.max(this.#next, Math.floor(now) * PER_MILLISECOND, 0);
  }

  /**
   * Reserves a block.
   *
   * @returns its first number: `first`, unless others have reserved some of it since
   */
  reserve(first: number, count: number): number {
    const begin = Math.max(first, this.#next);
    this.#next = begin + count;
    return begin;
  }

  /** Notes how far a transaction has come. */
  commit(next: number): void {
    this.#next = Math.max(this.#next, next);
  }
}
