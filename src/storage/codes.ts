/** Arrays of codes, as narrow as their column's dictionary allows. */
export type Codes = Uint8Array | Uint16Array | Int32Array;

/** The highest code that codes of so many bytes can hold. */
export const MAX_CODE: Readonly<Record<number, number>> = { 1: 0xff, 2: 0xffff, 4: 0x7fffffff };

/** The narrowest array of codes that can hold a code. */
export function createCodes(capacity: number, highest: number): Codes {
  return highest <= 0xff
    ? new Uint8Array(capacity)
    : highest <= 0xffff
      ? new Uint16Array(capacity)
      : new Int32Array(capacity);
}

/** A copy of the first codes, wide enough for them and for the highest code to be added. */
export function copyCodes(source: Codes, count: number, capacity: number, highest: number): Codes {
  const width = Math.max(highest, MAX_CODE[source.BYTES_PER_ELEMENT]!);
  const copy = createCodes(capacity, width);
  copy.set(source.subarray(0, count));
  return copy;
}
