/** Ids of one millisecond; beyond them the next one's are taken. */
const PER_MILLISECOND = 256;
/** Ids that one transaction has for itself. */
const BLOCK = 64;

/**
 * Numbers generated ids by time, so that they sort alike whichever process makes them (rule R-3);
 * what tells processes apart is in the ids besides. A transaction that takes more than a block may
 * meet another of the same process: then a key is taken, and it is run again.
 */
export class IdBlocks {
  #next = 0;

  /** The first number of a block, at a time in milliseconds. */
  take(now: number): number {
    const first = Math.max(this.#next, Math.floor(now) * PER_MILLISECOND, 0);
    this.#next = first + BLOCK;
    return first;
  }

  /** Notes how far a transaction has come. */
  commit(next: number): void {
    this.#next = Math.max(this.#next, next);
  }
}
