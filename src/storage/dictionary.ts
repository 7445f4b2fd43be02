export const NULL_CODE = 0;

/** Maximum size; further values are stored without a dictionary. */
export const MAX_TEXT_CODES = 4096;

/** A column's distinct strings by code, from 1. Append-only, so all versions share it. */
export class Dictionary {
  readonly values: string[] = [""];
  readonly #codes: Map<string, number> = new Map();

  get size(): number {
    return this.values.length;
  }

  /** {@link NULL_CODE} if unknown. */
  find(text: string): number {
    return this.#codes.get(text) ?? NULL_CODE;
  }

  encode(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.values.push(text) - 1;
    this.#codes.set(text, code);
    return code;
  }
}
