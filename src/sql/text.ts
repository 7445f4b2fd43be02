/*
 * A text of PostgreSQL cannot hold U+0000. The first five characters are therefore written as a
 * lead and three marks, each of which is one of the five itself: the order of texts stays, and what
 * one text contains, begins and ends with is found in what it was written as, and nothing else is.
 * U+0004 by itself is never written, so that it can mark a place.
 */

const LEAD = "\u0001";
const ZERO = "\u0002";
const ONE = "\u0003";

/** Never part of a written text. */
export const MARK = "\u0004";

/** Whether a written text has characters that were written as several. */
export const WRITTEN_LEAD: string = LEAD;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is written in another way
const WRITTEN_APART = /[\u0000-\u0004]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const APART = /\u0001[\u0002\u0003]{3}/g;

/** A text as it is stored. */
export function writeText(text: string): string {
  return text.search(WRITTEN_APART) < 0 ? text : text.replace(WRITTEN_APART, writeApart);
}

/** The text that was stored. */
export function readText(written: string): string {
  return written.includes(LEAD) ? written.replace(APART, readApart) : written;
}

function writeApart(character: string): string {
  const bits = character.charCodeAt(0).toString(2).padStart(3, "0");
  return LEAD + bits.replaceAll("0", ZERO).replaceAll("1", ONE);
}

function readApart(sequence: string): string {
  const bits = sequence.slice(1).replaceAll(ZERO, "0").replaceAll(ONE, "1");
  return String.fromCharCode(Number.parseInt(bits, 2));
}
