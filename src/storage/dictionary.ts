import { hashString } from "../value/hash.js";
import { HashIndex } from "./hash-index.js";

/** The code of null in every vector of codes. */
export const NULL_CODE = 0;

/**
 * The distinct strings of one column, each under a code from 1 up.
 *
 * It only ever grows, and a code keeps its meaning, so all versions of a table share it.
 */
export class Dictionary {
  /** By code; the place of null is taken by an empty string. */
  readonly values: string[] = [""];
  #index: HashIndex = new HashIndex();

  /** One more than the highest code. */
  get size(): number {
    return this.values.length;
  }

  get indexByteLength(): number {
    return this.#index.byteLength;
  }

  /** The code of a string, or {@link NULL_CODE} where it has none. */
  find(text: string): number {
    const { values } = this;
    const code = this.#index.find(hashString(text), (candidate) => values[candidate] === text);
    return code < 0 ? NULL_CODE : code;
  }

  /** The code of a string, given to it now if it has none. */
  encode(text: string): number {
    const { values } = this;
    const hash = hashString(text);
    const known = this.#index.find(hash, (candidate) => values[candidate] === text);
    if (known >= 0) return known;
    if (this.#index.room < 1) this.#grow();
    this.#index.add(hash, values.length);
    return values.push(text) - 1;
  }

  #grow(): void {
    const grown = new HashIndex(this.values.length * 2);
    for (let code = 1; code < this.values.length; code++) {
      grown.add(hashString(this.values[code]!), code);
    }
    this.#index = grown;
  }
}
