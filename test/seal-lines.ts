import { type Line, LineWriter, sumOf } from "../src/persist/lines.js";

/** Serializes lines, and adds their checksums. */
export function sealLines(lines: readonly (readonly unknown[])[]): string {
  const writer = new LineWriter();
  for (const line of lines) writer.add(line as Line); // or a part of a damaged export
  return writer.take();
}

/** Adds checksums to serialized lines without their closing brackets. */
export function sealTexts(lines: readonly string[]): string {
  let sum = "";
  return lines
    .map((line) => {
      sum = sumOf(sum, line);
      return `${line},"${sum}"]\n`;
    })
    .join("");
}

/** The lines of a text, without their checksums. */
export function partsOf(text: string): unknown[][] {
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as unknown[]).slice(0, -1));
}

/** A copy of a JSON value with a part replaced, which `step` picks. */
export function replaceWithin(value: unknown, step: number, other: unknown): unknown {
  if (typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const copy = structuredClone(value) as Record<string, unknown>; // an array is changed by index
  const isHere = step % 7 === 0;
  copy[key] = isHere ? other : replaceWithin(copy[key], Math.floor(step / 3), other);
  return copy;
}
