import { CHECKSUM_LENGTH, LineChecksum } from "../src/engine/export/seal.js";

/** The text of lines, given without the bracket that closes each, with the checksums that belong to them. */
export function sealTexts(lines: readonly string[]): string {
  const encoder = new TextEncoder();
  return sealBytes(lines.map((line) => encoder.encode(line))).toString();
}

/** The same of bytes, which may be no UTF-8. */
export function sealBytes(lines: readonly Uint8Array[]): Buffer {
  const checksum = new LineChecksum();
  const sealed = lines.map((line) => {
    checksum.add(new DataView(line.buffer, line.byteOffset), 0, line.length);
    const sum = Buffer.alloc(CHECKSUM_LENGTH);
    checksum.write(sum, 0);
    return Buffer.concat([line, Buffer.from(`,"${sum}"]\n`)]);
  });
  return Buffer.concat(sealed);
}

/** The same of lines as they are meant. */
export function sealLines(lines: readonly (readonly unknown[])[]): string {
  return sealTexts(lines.map((line) => JSON.stringify(line).slice(0, -1)));
}
