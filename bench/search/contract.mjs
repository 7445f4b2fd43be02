// The interface of a measured search engine.

/**
 * @typedef {object} SearchAdapter
 * @property {boolean} isFuzzy whether it finds misspelt words
 * @property {(texts: Text[]) => SearchInstance} load indexes the texts; may return a promise, like all calls
 *
 * @typedef {object} SearchInstance
 * @property {(query: string, distance: number) => { count: number, records: object[] }} search counts the texts
 *   with any of the words, and returns the best {@link PAGE}
 * @property {(query: string, distance: number) => string[]} all the ids of all those texts
 * @property {(text: Text) => void} write replaces the text of an id
 * @property {(query: string) => object} [highlight] the exact search, with highlights
 */

/** The records of an answer. */
export const PAGE = 25;

export const SEARCH_ENGINES = ["twinbase", "minisearch", "orama", "fts5"];
