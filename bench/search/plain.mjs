import { PAGE } from "./contract.mjs";
import { fold, isNear, wordsOf } from "./words.mjs";

/** The expected answers: each word's texts in a `Map`, without a score. */
export const adapter = {
  isFuzzy: true,
  load(texts) {
    const byWord = new Map();
    for (const { id, text } of texts) {
      for (const word of new Set(wordsOf(text).map(fold))) {
        const found = byWord.get(word) ?? new Set();
        byWord.set(word, found.add(id));
      }
    }
    const all = (query, distance) => {
      const wanted = wordsOf(query).map(fold);

      const found = new Set();
      for (const [word, ids] of byWord) {
        if (!wanted.some((one) => (distance === 0 ? one === word : isNear(one, word)))) continue;
        for (const id of ids) found.add(id);
      }
      return [...found];
    };
    return {
      search(query, distance) {
        const ids = all(query, distance);
        return { count: ids.length, records: ids.slice(0, PAGE).map((id) => ({ id })) };
      },
      all,
    };
  },
};
