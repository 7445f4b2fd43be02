import { encodeBase64Url } from "../value/base64.js";
import { deriveKey, drawBase36, readUint48 } from "../value/derive.js";
import { idTail } from "../value/id.js";

const SECRET_BYTES = 32;

/** Independent random streams; none reveals the seed, the secret or another one (rule A-5). */
export class Streams {
  readonly seed: number;
  /** Whether the seed is explicit: secrets are then derived from it. */
  readonly isSeeded: boolean;
  #secret: string | undefined;
  #ids: Uint8Array | undefined;
  #recordTail: string | undefined;
  #tableTag: string | undefined;

  /** @param secret of an engine without an explicit seed */
  constructor(seed?: number, secret?: string) {
    this.isSeeded = seed !== undefined && secret === undefined;
    this.seed = seed ?? Math.floor(Math.random() * 2 ** 53);
    this.#secret = secret;
  }

  /** Undefined with an explicit seed. Lazy: the platform's cryptography loads slowly. */
  get secret(): string | undefined {
    if (!this.isSeeded) this.#secret ??= encodeBase64Url(drawBytes());
    return this.#secret;
  }

  /** The engine's part of generated record ids (rule R-3). */
  get recordTail(): string {
    this.#recordTail ??= idTail(this.#idNumber(0), 8);
    return this.#recordTail;
  }

  /** Part of table identities: differs between engines with different seeds (rule G-13). */
  get tableTag(): string {
    this.#tableTag ??= this.#idNumber(12).toString(36);
    return this.#tableTag;
  }

  #idNumber(at: number): number {
    this.#ids ??= deriveKey(this.seed, "ids");
    return readUint48(this.#ids, at);
  }

  /** The seed of a random order (rule S-4), below 2^48. */
  orderSeed(number: number): number {
    return readUint48(deriveKey(this.seed, `order ${number}`), 0);
  }

  /** Draws `0-9a-z`: cryptographically random, or derived from seed, stream and number. */
  drawSecret(stream: string, number: number, length: number): string {
    if (!this.isSeeded) return drawBase36(drawBytes, length);
    let block = 0;
    return drawBase36(() => deriveKey(this.seed, `${stream} ${number} ${block++}`), length);
  }
}

function drawBytes(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
}
