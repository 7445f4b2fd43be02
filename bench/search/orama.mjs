import { create, insertMultiple, search, update } from "@orama/orama";
import { PAGE } from "./contract.mjs";
import { fold, wordsOf } from "./words.mjs";

/** Ends every word, so Orama's prefix search becomes an equality search. */
const END = "\u0000";

export const adapter = {
  isFuzzy: true,
  async load(texts) {
    const index = create({
      schema: { text: "string" },
      components: {
        tokenizer: {
          language: "english",
          normalizationCache: new Map(),
          tokenize: (text) => wordsOf(text).map((word) => fold(word) + END),
        },
      },
    });
    await insertMultiple(index, texts, 1000);
    const ask = (term, tolerance, limit = PAGE) =>
      search(index, { term, tolerance, limit, threshold: 1 });
    return {
      async search(query, distance) {
        const { count, hits } = await ask(query, distance);
        return { count, records: hits };
      },
      async all(query, distance) {
        const { hits } = await ask(query, distance, texts.length);
        return hits.map(({ id }) => id);
      },
      write: (text) => update(index, text.id, text),
    };
  },
};
