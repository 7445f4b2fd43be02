import { splitList } from "./sort.js";

const [MIN_WIDTH, MAX_WIDTH] = [60, 1200];

/** Widths of resized columns in pixels, by path. */
export type Widths = ReadonlyMap<string, number>;

/** Formats widths for the URL: `name:240,age:80`. Names have no colon or comma. */
export function formatWidths(widths: Widths): string {
  return Array.from(widths, ([path, width]) => `${path}:${width}`).join(",");
}

export function parseWidths(text: string | undefined): Widths {
  const pairs = splitList(text).map((item) => item.split(":"));
  return new Map(pairs.map(([path = "", width]) => [path, clampWidth(Number(width) || 0)]));
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}
