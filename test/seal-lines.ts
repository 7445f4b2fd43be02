import { type Line, LineChecksum, LineWriter } from "../src/persist/lines.js";

/** The text of lines, given without their checksums, with those that belong to them. */
export function sealLines(lines: readonly (readonly unknown[])[]): string {
  const writer = new LineWriter();
  for (const line of lines) writer.add(line as Line); // or what a damaged export has for one
  return writer.take();
}

/** The same of texts, each without the bracket that closes it. */
export function sealTexts(lines: readonly string[]): string {
  const checksum = new LineChecksum();
  return lines.map((line) => `${line},"${checksum.add(line, 0, line.length)}"]\n`).join("");
}
