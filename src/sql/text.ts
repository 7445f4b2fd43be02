/*
 * PostgreSQL texts cannot contain U+0000. The first five characters are therefore escaped as a lead
 * and three marks from the same five, which preserves order, prefixes, suffixes and substrings.
 * U+0004 is never written alone, so it can be a placeholder.
 */

const LEAD = "\u0001";
const ZERO = "\u0002";
const ONE = "\u0003";

/** Never part of an escaped text. */
export const MARK = "\u0004";

/** Present in texts with escaped characters. */
export const WRITTEN_LEAD: string = LEAD;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are escaped
const WRITTEN_APART = /[\u0000-\u0004]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const APART = /\u0001[\u0002\u0003]{3}/g;

export function writeText(text: string): string {
  return text.search(WRITTEN_APART) < 0 ? text : text.replace(WRITTEN_APART, writeApart);
}

export function readText(text: string): string {
  return text.includes(LEAD) ? text.replace(APART, readApart) : text;
}

function writeApart(character: string): string {
  const bits = character.charCodeAt(0).toString(2).padStart(3, "0");
  return LEAD + bits.replaceAll("0", ZERO).replaceAll("1", ONE);
}

function readApart(sequence: string): string {
  const bits = sequence.slice(1).replaceAll(ZERO, "0").replaceAll(ONE, "1");
  return String.fromCharCode(Number.parseInt(bits, 2));
}
