import type { ServerResponse } from "node:http";
import type { Memory } from "../engine/memory.js";
import { refuseCut } from "../http/body.js";

/** Smaller bodies and answers are not counted: the number of connections bounds them. */
export const SMALL_BYTES: number = 64 * 1024;
/** Milliseconds without progress after which a client loses its connection, if others wait. */
const STALL_MS = 250;

interface HeldBytes {
  bytes: number;
  /** The time since which the server waits for the client; infinite while the client waits. */
  since: number;
}

/**
 * Charges bodies that are being received and answers that are being sent. If their part is full, requests wait, except the one that has held memory for the longest time, so one always
 * proceeds. Clients that stall while others wait are disconnected.
 */
export class HeldMemory {
  readonly #holdings = new Map<ServerResponse, HeldBytes>();
  readonly #memory: Memory;
  #timer: NodeJS.Timeout | undefined;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Sets the bytes held for a request until its response closes. */
  hold(response: ServerResponse, bytes: number): void {
    let holding = this.#holdings.get(response);
    if (holding === undefined) {
      if (bytes <= SMALL_BYTES || response.closed) return;
      holding = { bytes: 0, since: 0 };
      this.#holdings.set(response, holding);
      response.once("close", () => {
        this.hold(response, 0);
        this.#holdings.delete(response);
        this.#memory.wake(); // another is the first
      });
    }
    const growth = bytes - holding.bytes;
    holding.bytes = bytes;
    holding.since = Number.POSITIVE_INFINITY;
    this.#memory.transit(growth);
  }

  /** Notes that the server waits for the client, from now on. */
  awaitClient(response: ServerResponse): void {
    const holding = this.#holdings.get(response);
    if (holding !== undefined) holding.since = performance.now();
  }

  /**
   * Resolves when a request may be tried again; undefined if it may hold more now. Throws if its
   * client has left, which would not be counted.
   */
  room(response: ServerResponse): Promise<void> | undefined {
    if (response.closed) refuseCut();
    if (this.#memory.inTransit < this.#memory.part) return undefined;
    const [first] = this.#holdings.keys();
    if (first === response) return undefined;
    this.#timer ??= setInterval(() => this.#disconnectStalled(), STALL_MS);
    return this.#memory.whenLess();
  }

  #disconnectStalled(): void {
    const before = performance.now() - STALL_MS;
    let bytes = this.#memory.inTransit;
    if (bytes < this.#memory.part) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const [response, holding] of this.#holdings) {
      if (bytes < this.#memory.part / 2) return;
      if (holding.since > before) continue;
      bytes -= holding.bytes;
      response.destroy();
    }
  }
}
