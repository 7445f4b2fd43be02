import { locale } from "./locale.js";

/** Characters without a shape, and those that turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A text in which nothing is hidden: what has no shape is shown by a sign or by its number. */
export function showText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** The same, where lines stay lines. */
export function showLines(text: string): string {
  return text.split("\n").map(showText).join("\n");
}

/** A value in one line. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return showText(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return showText(JSON.stringify(value));
}

/** The text with its end cut off where it is longer than a cell can show. */
export function cutText(text: string, most = 240): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

const numbers = new Intl.NumberFormat(locale);

/** A number with its thousands apart. */
export function showNumber(value: number): string {
  return numbers.format(value);
}
