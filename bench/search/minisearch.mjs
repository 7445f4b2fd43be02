import MiniSearch from "minisearch";
import { PAGE } from "./contract.mjs";
import { fold, wordsOf } from "./words.mjs";

export const adapter = {
  isFuzzy: true,
  load(texts) {
    const index = new MiniSearch({
      fields: ["text"],
      storeFields: ["text"],
      tokenize: wordsOf,
      processTerm: fold,
    });
    index.addAll(texts);
    const ask = (query, fuzzy) => index.search(query, { fuzzy });
    return {
      search(query, distance) {
        const found = ask(query, distance);
        return { count: found.length, records: found.slice(0, PAGE) };
      },
      all: (query, distance) => ask(query, distance).map(({ id }) => id),
      write: (text) => index.replace(text),
    };
  },
};
