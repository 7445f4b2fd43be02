import type { ServerResponse } from "node:http";
import { refuseCut } from "../http/body.js";

/** Bytes of bodies and answers above which further requests wait. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
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
 * Counts the memory of bodies that are being received and answers that are being sent. If it is
 * full, requests wait, except the one that has held memory for the longest time, so one always
 * proceeds. Clients that stall while others wait are disconnected.
 */
export class HeldMemory {
  readonly #holdings = new Map<ServerResponse, HeldBytes>();
  #bytes = 0;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

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
        this.#wake();
      });
    }
    const growth = bytes - holding.bytes;
    this.#bytes += growth;
    holding.bytes = bytes;
    holding.since = Number.POSITIVE_INFINITY;
    if (growth < 0) this.#wake();
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
    if (this.#bytes < MAX_HELD_BYTES) return undefined;
    const [first] = this.#holdings.keys();
    if (first === response) return undefined;
    this.#timer ??= setInterval(() => this.#disconnectStalled(), STALL_MS);
    return new Promise((go) => this.#waiting.push(go));
  }

  #disconnectStalled(): void {
    const before = performance.now() - STALL_MS;
    let bytes = this.#bytes;
    for (const [response, holding] of this.#holdings) {
      if (bytes < MAX_HELD_BYTES / 2) return;
      if (holding.since > before) continue;
      bytes -= holding.bytes;
      response.destroy();
    }
  }

  #wake(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
