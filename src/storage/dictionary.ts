import { hashString } from "../value/hash.js";
import { HashIndex } from "./hash-index.js";

/** The code of null in every vector of codes. */
export const NULL_CODE = 0;

/** A text column's dictionary never grows past this; values beyond are kept plain. */
export const MAX_TEXT_CODES = 4096;

/** So many strings are encoded before room is made for recent ones. */
const MANY = 256;
const RECENT = 1024;

/**
 * The distinct strings of one column, each under a code from 1 up.
 *
 * It only ever grows, and a code keeps its meaning, so all versions of a table share it.
 */
export class Dictionary {
  /** By code; at the code of null is an empty string. */
  readonly values: string[] = [""];
  #index: HashIndex = new HashIndex();
  /** Codes by a sample of their strings, once there were many: spares most a look at the whole. */
  #recent: Uint32Array | undefined;
  #encoded = 0;

  /** One more than the highest code. */
  get size(): number {
    return this.values.length;
  }

  /** The code of a string, or {@link NULL_CODE} where it has none. */
  find(text: string): number {
    return this.#find(text, hashString(text));
  }

  /**
   * The code of a string that is known and was encoded lately, else {@link NULL_CODE}. What has a
   * code was checked when it got it.
   */
  recall(text: string): number {
    if (this.#recent === undefined || text === "") return NULL_CODE;
    const code = this.#recent[sampleOf(text)]!;
    return this.values[code] === text ? code : NULL_CODE;
  }

  /** The code of a string, given to it now if it has none. */
  encode(text: string): number {
    const code = this.#encode(text);
    if (this.#recent !== undefined) this.#recent[sampleOf(text)] = code;
    else if (++this.#encoded === MANY) this.#recent = new Uint32Array(RECENT);
    return code;
  }

  #encode(text: string): number {
    const hash = hashString(text);
    const known = this.#find(text, hash);
    if (known !== NULL_CODE) return known;
    if (this.#index.room < 1) this.#grow();
    this.#index.add(hash, this.values.length);
    return this.values.push(text) - 1;
  }

  #find(text: string, hash: number): number {
    const index = this.#index;
    for (let place = index.seek(hash); place >= 0; place = index.seek(hash, place + 1)) {
      const code = index.ordinalAt(place);
      if (this.values[code] === text) return code;
    }
    return NULL_CODE;
  }

  #grow(): void {
    const grown = new HashIndex(this.values.length * 2);
    for (let code = 1; code < this.values.length; code++) {
      grown.add(hashString(this.values[code]!), code);
    }
    this.#index = grown;
  }
}

/** A position among the recent codes, which differs for most strings of one column. */
function sampleOf(text: string): number {
  const last = text.length - 1;
  if (last < 0) return 0;
  let sample = text.charCodeAt(0) ^ last;
  sample = Math.imul(sample, 31) + text.charCodeAt(last >> 2);
  sample = Math.imul(sample, 31) + text.charCodeAt(last >> 1);
  if (last > 1) sample = Math.imul(sample, 31) + text.charCodeAt(last - 2);
  if (last > 0) sample = Math.imul(sample, 31) + text.charCodeAt(last - 1);
  sample = Math.imul(sample, 31) + text.charCodeAt(last);
  return (sample ^ (sample >>> 10)) & (RECENT - 1);
}
