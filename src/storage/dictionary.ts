/** The code of null in every vector of codes. */
export const NULL_CODE = 0;

/** A text column's dictionary never grows past this; values beyond are kept plain. */
export const MAX_TEXT_CODES = 4096;

/**
 * The distinct strings of one column, each under a code from 1 up.
 *
 * It only ever grows, and a code keeps its meaning, so all versions of a table share it.
 */
export class Dictionary {
  /** By code; at the code of null is an empty string. */
  readonly values: string[] = [""];
  readonly #codes: Map<string, number> = new Map();

  /** One more than the highest code. */
  get size(): number {
    return this.values.length;
  }

  /** The code of a string, or {@link NULL_CODE} where it has none. */
  find(text: string): number {
    return this.#codes.get(text) ?? NULL_CODE;
  }

  /** The code of a string, given to it now if it has none. */
  encode(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.values.push(text) - 1;
    this.#codes.set(text, code);
    return code;
  }
}
