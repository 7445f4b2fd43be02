// The interface of a measured search engine.

/** @typedef {import("../texts.mjs").Text} Text */

/** @typedef {{ count: number, records: readonly object[] }} Answer */

/**
 * @typedef {object} SearchInstance
 * @property {(query: string, distance: number) => Answer | Promise<Answer>} search for texts with any
 *   of the words: their number, and the best {@link PAGE} as objects of the caller's
 * @property {(query: string, distance: number) => string[] | Promise<string[]>} all the ids of all
 *   those texts
 * @property {(text: Text) => unknown} write replaces the text of that id
 * @property {(query: string) => unknown} [highlight] the exact search, with highlights
 */

/**
 * @typedef {object} SearchAdapter
 * @property {boolean} isFuzzy whether it finds words at a distance
 * @property {(texts: Text[]) => SearchInstance | Promise<SearchInstance>} load indexes the texts
 */

/** The records of an answer. */
export const PAGE = 25;

export const SEARCH_ENGINES = ["twinbase", "minisearch", "orama", "fts5"];
