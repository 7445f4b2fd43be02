import { CHECKSUM_LENGTH, LineChecksum } from "../src/engine/export/seal.js";

/** The text of lines, given without the bracket that closes each, with the checksums that belong to them. */
export function sealTexts(lines: readonly string[]): string {
  const checksum = new LineChecksum();
  const sealed = lines.map((line) => {
    const bytes = new TextEncoder().encode(line);
    checksum.add(new DataView(bytes.buffer), 0, bytes.length);
    const sum = new Uint8Array(CHECKSUM_LENGTH);
    checksum.write(sum, 0);
    return `${line},"${new TextDecoder().decode(sum)}"]\n`;
  });
  return sealed.join("");
}

/** The same of lines as they are meant. */
export function sealLines(lines: readonly (readonly unknown[])[]): string {
  return sealTexts(lines.map((line) => JSON.stringify(line).slice(0, -1)));
}
