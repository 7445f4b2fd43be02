import { BusyError } from "./failure.js";

/** A worker of a cluster, or a database. */
export interface Owner {
  readonly name: string;
  /** The number of known owners, itself included; absent: unknown. */
  readonly peers?: number;
}

interface Waiter {
  readonly owner: Owner | undefined;
  readonly begin: () => void;
}

/**
 * Bounds the connections of each owner, so that slow statements of one do not block the others. An owner gets a
 * connection while more are free than it has, and one is left for each known owner that has none. Of three or
 * more, the last one is reserved for calls without an owner.
 */
export class Slots {
  readonly #reserved: number;
  #free: number;
  readonly #taken: Map<string, number> = new Map();
  readonly #waiting: Set<Waiter> = new Set();

  constructor(count: number) {
    this.#free = count;
    this.#reserved = count > 2 ? 1 : 0;
  }

  /** Waits for a connection; throws `BusyError` after `timeout` milliseconds. */
  async take(owner: Owner | undefined, timeout: number): Promise<void> {
    if (this.#mayTake(owner)) return this.#count(owner, 1);
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        this.#count(owner, 1);
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

  release(owner: Owner | undefined): void {
    this.#count(owner, -1);
    for (const waiting of this.#waiting) {
      if (!this.#mayTake(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
    }
  }

  #mayTake(owner: Owner | undefined): boolean {
    if (owner === undefined) return this.#free > 0;
    const takenByOwner = this.#taken.get(owner.name) ?? 0;
    const others = this.#taken.size - (takenByOwner > 0 ? 1 : 0);
    const without = Math.max(0, (owner.peers ?? 0) - 1 - others);
    // With fewer connections than owners, one that has none takes what is left.
    const left = takenByOwner === 0 ? this.#reserved : this.#reserved + without;
    return this.#free > Math.max(left, takenByOwner);
  }

  #count(owner: Owner | undefined, difference: 1 | -1): void {
    this.#free -= difference;
    if (owner === undefined) return;
    const taken = (this.#taken.get(owner.name) ?? 0) + difference;
    if (taken > 0) this.#taken.set(owner.name, taken);
    else this.#taken.delete(owner.name);
  }
}
