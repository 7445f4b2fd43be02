import { encodeBase64Url } from "../value/base64.js";
import { derive, drawBase36, readNumber } from "../value/derive.js";
import { idTail } from "../value/id.js";

/** The keys that seal the addresses of files (rule H-4). */
export interface LinkKeys {
  readonly tag: Uint8Array;
  readonly text: Uint8Array;
}

const SECRET_BYTES = 32;

/** A secret for an engine that was made without a seed, as text of `A-Z a-z 0-9 - _`. */
export function createSecret(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/**
 * The independent streams of values that an engine draws by chance. No value reveals the seed, the
 * secret or a value of another stream (rule A-5).
 */
export class Streams {
  readonly seed: number;
  /** Undefined where the seed was given: secrets then come from the seed, the same in every run. */
  readonly secret: string | undefined;
  #ids: Uint8Array | undefined;
  #recordTail: string | undefined;
  #linkKeys: LinkKeys | undefined;

  constructor(seed: number, secret: string | undefined) {
    this.seed = seed;
    this.secret = secret;
  }

  /** The end of generated record ids (rule R-3). */
  get recordTail(): string {
    this.#recordTail ??= idTail(this.#idNumber(0));
    return this.#recordTail;
  }

  /** The end of request ids. */
  get requestTail(): string {
    return idTail(this.#idNumber(6));
  }

  /** Tells the tables of engines with different seeds apart (rule G-13). */
  get tableTag(): string {
    return this.#idNumber(12).toString(36);
  }

  /** Bytes of one hash reveal nothing of each other. */
  #idNumber(at: number): number {
    this.#ids ??= derive(this.seed, "ids");
    return readNumber(this.#ids, at);
  }

  get linkKeys(): LinkKeys {
    const key = this.secret ?? this.seed;
    this.#linkKeys ??= { tag: derive(key, "file tag"), text: derive(key, "file text") };
    return this.#linkKeys;
  }

  /** The seed of a random order (rule S-4), a whole number below 2^48. */
  orderSeed(number: number): number {
    return readNumber(derive(this.seed, `order ${number}`), 0);
  }

  /**
   * Draws a secret of characters `0-9a-z`: a cryptographic random one, or with a given seed the one
   * of that stream and number.
   */
  drawSecret(stream: string, number: number, length: number): string {
    if (this.secret !== undefined) {
      return drawBase36(() => crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), length);
    }
    let block = 0;
    return drawBase36(() => derive(this.seed, `${stream} ${number} ${block++}`), length);
  }
}
