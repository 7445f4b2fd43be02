import { foldWord, WordReader } from "../words/words.js";

export interface MarkedWords {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly marks: readonly boolean[];
}

export type MarkWords = (text: string) => MarkedWords;

const MAX_REMEMBERED = 1 << 12;

export function markAmong(matching: ReadonlySet<string>): MarkWords {
  const answers = new Map<string, boolean>();
  return (text) => {
    const marks: boolean[] = [];
    const places = readWords(text, (form) => {
      let answer = answers.get(form);
      if (answer === undefined) {
        answer = matching.has(foldWord(form));
        if (answers.size < MAX_REMEMBERED) answers.set(form, answer);
      }
      marks.push(answer);
      return true;
    });
    return { marks, ...places };
  };
}

/** Marks all words of every occurrence of a phrase. */
export function markPhrase(phrase: readonly string[]): MarkWords {
  return (text) => {
    const words: string[] = [];
    const places = readWords(text, (form) => {
      const word = foldWord(form);
      if (word !== "") words.push(word);
      return word !== "";
    });
    const marks = words.map(() => false);
    for (let at = 0; at + phrase.length <= words.length; at++) {
      if (isPhraseAt(words, at, phrase)) marks.fill(true, at, at + phrase.length);
    }
    return { marks, ...places };
  };
}

function isPhraseAt(words: readonly string[], at: number, phrase: readonly string[]): boolean {
  const last = phrase.length - 1;
  for (let i = 0; i < last; i++) if (words[at + i] !== phrase[i]) return false;
  return words[at + last]!.startsWith(phrase[last]!);
}

/** Returns the offsets of a text's words; a word that `take` rejects counts as a separator. */
function readWords(
  text: string,
  take: (form: string) => boolean,
): { readonly starts: number[]; readonly ends: number[] } {
  const reader = new WordReader();
  const starts: number[] = [];
  const ends: number[] = [];
  reader.open(text);
  while (reader.next()) {
    if (!take(text.slice(reader.start, reader.end))) continue;
    starts.push(reader.start);
    ends.push(reader.end);
  }
  return { starts, ends };
}
