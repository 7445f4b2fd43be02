const OBJECT_BYTES = 64;
const MEMBER_BYTES = 64;
const ITEM_BYTES = 16;

/** Estimates the bytes of a JSON value in memory, from above. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return OBJECT_BYTES / 2 + 2 * value.length;
  if (typeof value !== "object" || value === null) return ITEM_BYTES;
  let bytes = OBJECT_BYTES;
  if (ArrayBuffer.isView(value)) return bytes + value.byteLength;
  if (Array.isArray(value)) {
    for (const item of value) bytes += ITEM_BYTES + sizeOf(item);
    return bytes;
  }
  for (const [key, member] of Object.entries(value)) {
    bytes += MEMBER_BYTES + 2 * key.length + sizeOf(member);
  }
  return bytes;
}

/** Estimates the bytes of the value that a JSON text describes, and of the text as a string. */
export function sizeOfJson(text: Uint8Array): number {
  let bytes = 4 * text.length;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case 0x7b: // {
      case 0x5b: // [
        bytes += OBJECT_BYTES;
        break;
      case 0x3a: // :
        bytes += MEMBER_BYTES;
        break;
      case 0x2c: // ,
        bytes += ITEM_BYTES;
    }
  }
  return bytes;
}
