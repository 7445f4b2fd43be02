import type { Dictionary } from "../../storage/dictionary.js";
import { KEPT_CODES } from "../thresholds.js";
import { flatten } from "./recent-texts.js";

/** Gives what a string of a dictionary is written as, after the opening of that number. */
export type TextOfCode = (dictionary: Dictionary, code: number, opening: number) => string;

/**
 * Keeps what the strings that a dictionary had first are written as: columns of few different strings
 * have no others. A code keeps its meaning, so no write takes anything away.
 *
 * @param openings what may come before a string, in one text with it
 */
export function keepCodeTexts(
  openings: readonly string[],
  write: (text: string) => string,
): TextOfCode {
  let last: Dictionary | undefined;
  let texts: string[][] = [];
  return (dictionary, code, opening) => {
    if (dictionary !== last) {
      last = dictionary;
      texts = openings.map(() => []);
    }
    const kept = texts[opening]!;
    const known = kept[code];
    if (known !== undefined) return known;
    const text = openings[opening]! + write(dictionary.values[code]!);
    if (code <= KEPT_CODES) kept[code] = flatten(text);
    return text;
  };
}
