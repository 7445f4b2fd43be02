import { locale } from "./locale.js";

/** Invisible and bidirectional control characters. */
const UNSEEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Replaces invisible characters by a symbol or their code point. */
export function showText(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** Like `showText`, but keeps line breaks. */
export function showLines(text: string): string {
  return text.split("\n").map(showText).join("\n");
}

/** Formats a value in one line. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return showText(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return showText(JSON.stringify(value));
}

/** Truncates a text. */
export function cutText(text: string, most = 240): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

const numbers = new Intl.NumberFormat(locale);

/** A count with its noun: `1 record`, `3 records`. */
export function showCount(count: number, noun: string): string {
  return `${showNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a number with thousands separators. */
export function showNumber(value: number): string {
  return numbers.format(value);
}
