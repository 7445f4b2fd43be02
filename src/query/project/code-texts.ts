import type { Dictionary } from "../../storage/dictionary.js";

/** Codes of dictionaries no larger than this have their texts kept. */
const MAX_KEPT_TEXTS = 1024;

/** What is written for each string of a dictionary, which is made once where there are few. */
export function createCodeTexts(
  write: (value: string) => string,
): (dictionary: Dictionary, code: number) => string {
  let last: Dictionary | undefined;
  let texts: string[] = [];
  return (dictionary, code) => {
    if (dictionary !== last) {
      last = dictionary;
      texts = [];
    }
    const known = texts[code];
    if (known !== undefined) return known;
    const text = write(dictionary.values[code]!);
    if (code <= MAX_KEPT_TEXTS) texts[code] = text;
    return text;
  };
}
