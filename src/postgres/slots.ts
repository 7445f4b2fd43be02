import { BusyError } from "./failure.js";

interface Waiter {
  readonly owner: string | undefined;
  readonly begin: () => void;
}

/**
 * Bounds the connections of each owner, so that slow statements of one do not block the others. An owner
 * gets a connection while more are free than it has. Of three or more, the last one is reserved for calls
 * without an owner.
 */
export class Slots {
  readonly #reserved: number;
  #free: number;
  readonly #taken: Map<string | undefined, number> = new Map();
  readonly #waiting: Set<Waiter> = new Set();

  constructor(count: number) {
    this.#free = count;
    this.#reserved = count > 2 ? 1 : 0;
  }

  /** Waits for a connection; throws `BusyError` after `timeout` milliseconds. */
  async take(owner: string | undefined, timeout: number): Promise<void> {
    if (this.#mayTake(owner)) return this.#take(owner);
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#take(owner);
        resolve();
      };
      const waiting = { owner, begin };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(new BusyError());
      }, timeout);
      this.#waiting.add(waiting);
    });
  }

  release(owner: string | undefined): void {
    this.#free++;
    const left = this.#of(owner) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
    for (const waiting of this.#waiting) {
      if (!this.#mayTake(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
    }
  }

  #of(owner: string | undefined): number {
    return this.#taken.get(owner) ?? 0;
  }

  #mayTake(owner: string | undefined): boolean {
    if (owner === undefined) return this.#free > 0;
    return this.#free > this.#reserved && this.#free > this.#of(owner);
  }

  #take(owner: string | undefined): void {
    this.#free--;
    this.#taken.set(owner, this.#of(owner) + 1);
  }
}
