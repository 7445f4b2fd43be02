/** Codes, in the narrowest array that fits the dictionary. */
export type Codes = Uint8Array | Uint16Array | Int32Array;

/** Array types by bytes per element. */
export const MAX_CODE: Readonly<Record<number, number>> = { 1: 0xff, 2: 0xffff, 4: 0x7fffffff };

export function createCodes(capacity: number, highest: number): Codes {
  return highest <= 0xff
    ? new Uint8Array(capacity)
    : highest <= 0xffff
      ? new Uint16Array(capacity)
      : new Int32Array(capacity);
}

/** Copies codes to an array wide enough for `highest`. */
export function copyCodes(source: Codes, count: number, capacity: number, highest: number): Codes {
  const width = Math.max(highest, MAX_CODE[source.BYTES_PER_ELEMENT]!);
  const copy = createCodes(capacity, width);
  copy.set(source.subarray(0, count));
  return copy;
}
