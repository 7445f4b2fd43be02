import { encodeBase64Url } from "../value/base64.js";
import { derive, drawBase36, readNumber } from "../value/derive.js";
import { idTail } from "../value/id.js";

/** Keys that encrypt file URLs (rule H-4). */
export interface LinkKeys {
  readonly tag: Uint8Array;
  readonly text: Uint8Array;
}

const SECRET_BYTES = 32;

/** The secret of an engine without a seed. */
export function createSecret(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Independent random streams; none reveals the seed, the secret or another one (rule A-5). */
export class Streams {
  readonly seed: number;
  /** Undefined with a given seed: secrets are then derived from it. */
  readonly secret: string | undefined;
  #ids: Uint8Array | undefined;
  #recordTail: string | undefined;
  #tableTag: string | undefined;
  #linkKeys: LinkKeys | undefined;

  constructor(seed: number, secret: string | undefined) {
    this.seed = seed;
    this.secret = secret;
  }

  /** Suffix of generated record ids (rule R-3). */
  get recordTail(): string {
    this.#recordTail ??= idTail(this.#idNumber(0));
    return this.#recordTail;
  }

  /** Suffix of request ids. */
  get requestTail(): string {
    return idTail(this.#idNumber(6));
  }

  /** Distinguishes tables of engines with different seeds (rule G-13). */
  get tableTag(): string {
    this.#tableTag ??= this.#idNumber(12).toString(36);
    return this.#tableTag;
  }

  /** The bytes of one hash are independent. */
  #idNumber(at: number): number {
    this.#ids ??= derive(this.seed, "ids");
    return readNumber(this.#ids, at);
  }

  get linkKeys(): LinkKeys {
    const key = this.secret ?? this.seed;
    this.#linkKeys ??= { tag: derive(key, "file tag"), text: derive(key, "file text") };
    return this.#linkKeys;
  }

  /** The seed of a random order (rule S-4), below 2^48. */
  orderSeed(number: number): number {
    return readNumber(derive(this.seed, `order ${number}`), 0);
  }

  /** Draws `0-9a-z`: cryptographic, or derived from a given seed, the stream and the number. */
  drawSecret(stream: string, number: number, length: number): string {
    if (this.secret !== undefined) {
      return drawBase36(() => crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), length);
    }
    let block = 0;
    return drawBase36(() => derive(this.seed, `${stream} ${number} ${block++}`), length);
  }
}
