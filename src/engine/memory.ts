import { refuse } from "../errors.js";
import { partAt, readNumber } from "../shape/fields.js";

/** The bytes of one thing in an account. */
export interface Charge {
  /** Throws `unavailable` if there is no room for more; the charge is then as before. */
  set(bytes: number): void;
}

/**
 * Accounts for the memory that clients make a process use beyond its data, in bytes. A quarter each is
 * for things that stay until their removal (streams, faults, snapshots, …), for bodies and answers in
 * transit, for a parsed body, and for the answer that is being written.
 */
export class Memory {
  readonly bytes: number;
  #inTransit = 0;
  #kept = 0;
  #waiting: (() => void)[] = [];
  readonly #whileAlive: FinalizationRegistry<Charge> = new FinalizationRegistry((charge) =>
    charge.set(0),
  );

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  /** Bytes of one of the four parts. */
  get part(): number {
    return this.bytes / 4;
  }

  /** Bytes of what stays until its removal. */
  get kept(): number {
    return this.#kept;
  }

  /** Bytes of bodies and answers in transit. */
  get inTransit(): number {
    return this.#inTransit;
  }

  /** Changes the bytes in transit. */
  transit(growth: number): void {
    this.#inTransit += growth;
    if (growth < 0) this.wake();
  }

  /** Resolves when there may be room for more in transit. */
  whenLess(): Promise<void> {
    return new Promise((go) => this.#waiting.push(go));
  }

  /** Resolves what `whenLess` returned. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Opens a charge for something that stays, such as a stream. */
  charge(what: string): Charge {
    let charged = 0;
    return {
      set: (bytes) => {
        const growth = bytes - charged;
        if (growth > 0 && this.#kept + growth > this.part) {
          const most = `streams, faults, snapshots, words of searches and waiting requests take ${this.part} bytes at most`;
          refuse("unavailable", `${what}: ${most}`, { rule: "E-5" });
        }
        this.#kept += growth;
        charged = bytes;
      },
    };
  }

  /** Opens a charge that ends when its owner is garbage. */
  chargeFor(owner: object, what: string): Charge {
    const charge = this.charge(what);
    this.#whileAlive.register(owner, charge);
    return charge;
  }
}

/**
 * Creates an account of the memory that clients make a process use beyond its data: an option of handlers
 * and servers, which may share one. Above it requests wait, or are refused with `unavailable`. Throws
 * `invalid_request`.
 *
 * @param bytes default 1 GiB
 *
 * @example
 * const handle = createHandler(engine, { memory: createMemory(256 * 1024 ** 2) });
 */
export function createMemory(bytes: number = 1024 ** 3): Memory {
  return new Memory(readNumber(bytes, [1024 ** 2, Number.MAX_SAFE_INTEGER], partAt("bytes")));
}
