// What a package has to do to be searched with.

/** @typedef {import("../texts.mjs").Text} Text */

/** @typedef {{ count: number, records: readonly object[] }} Answer */

/**
 * @typedef {object} SearchInstance
 * @property {(query: string, distance: number) => Answer | Promise<Answer>} search for texts that
 *   have any of the words: how many there are, and the best {@link PAGE} as objects of the caller's
 * @property {(query: string, distance: number) => string[] | Promise<string[]>} all the ids of all
 *   those texts
 * @property {(text: Text) => unknown} write in place of the text of that id
 */

/**
 * @typedef {object} SearchAdapter
 * @property {string} package whose version is told
 * @property {boolean} isFuzzy whether it finds words at a distance
 * @property {(texts: Text[]) => SearchInstance | Promise<SearchInstance>} load keeps the texts and
 *   makes ready to search all of them
 */

/** How many of the best are answered. */
export const PAGE = 25;

export const SEARCH_ENGINES = ["twinbase", "minisearch", "orama", "fts5"];
