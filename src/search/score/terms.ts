import { hasBit } from "../../query/filter/kernels.js";
import type { LivePart } from "../segments/column-index.js";
import { forEachMatch } from "../segments/segment.js";
import { type Lexicon, NO_WORD } from "../words/lexicon.js";
import {
  findMatchingWords,
  findWordsWithPrefix,
  type MatchingWords,
} from "../words/matching-words.js";
import { addPhrase } from "./phrase.js";
import type { RowSums } from "./row-sums.js";

/** A unit of a query that is matched and scored: a word or a phrase. */
export interface Term {
  /** Divisor of the sums of {@link addTo}. */
  readonly length: number;
  readonly addTo: (part: LivePart, sums: RowSums) => void;
  readonly wordsIn: (lexicon: Lexicon) => MatchingWords;
}

export function wordTerm(word: string, fuzziness: number): Term {
  const wordsIn = once((lexicon) => findMatchingWords(lexicon, word, fuzziness));
  return {
    length: Array.from(word).length,
    wordsIn,
    addTo: (part, sums) => addWords(part, wordsIn(part.segment.lexicon), sums),
  };
}

export function phraseTerm(words: readonly string[]): Term {
  const wordsIn = once((lexicon) => findWordsWithPrefix(lexicon, words.at(-1)!));
  const idsIn = once((lexicon) => words.slice(0, -1).map((word) => lexicon.find(word)));
  return {
    length: 1,
    wordsIn,
    addTo: (part, sums) => {
      const { lexicon } = part.segment;
      const ids = idsIn(lexicon);
      if (ids.includes(NO_WORD)) return;
      if (ids.length === 0) addWords(part, wordsIn(lexicon), sums);
      else addPhrase(part, ids, wordsIn(lexicon), sums);
    },
  };
}

function addWords({ segment, rows }: LivePart, words: MatchingWords, sums: RowSums): void {
  const { starts, rows: rowOf } = segment;
  forEachMatch(segment, words, (place, index) => {
    const weight = words.weights[index]!;
    const end = starts[place + 1]!;
    for (let at = starts[place]!; at < end; at++) {
      const row = rowOf[at]!;
      if (rows === undefined || hasBit(rows, row)) sums.add(row, weight);
    }
  });
}

function once<T>(find: (lexicon: Lexicon) => T): (lexicon: Lexicon) => T {
  const cache = new Map<Lexicon, T>();
  return (lexicon) => {
    let found = cache.get(lexicon);
    if (found === undefined) {
      found = find(lexicon);
      cache.set(lexicon, found);
    }
    return found;
  };
}
