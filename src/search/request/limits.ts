/** Bounds, names and defaults of search requests, which the reader and OpenAPI share. */

export const MAX_QUERY_LENGTH = 2048;
export const FUZZINESS = [0, 2] as const;
export const DEFAULT_FUZZINESS = 1;
export const PREFIXES = ["phrase", "disabled"] as const;
export const PAGE_SIZE = [1, 200] as const;
export const DEFAULT_SIZE = 25;
export const PAGE_OFFSET = [0, 800] as const;
export const WEIGHT = [1, 10] as const;

/** Bounds the work of a search. */
export const MAX_BOOSTERS = 100;
export const MODIFIERS = [
  "none",
  "log",
  "log1p",
  "ln",
  "ln1p",
  "square",
  "sqrt",
  "reciprocal",
] as const;
export const DURATION: RegExp = /^(\d+)(d|h|m|s|ms)$/;
export const DATE_FACTOR = [0] as const;
export const DEFAULT_DATE_FACTOR = 1;

export const SIMILARITIES = ["cosineSimilarity", "l1", "l2"] as const;
export const NEIGHBORS = [1, 1000] as const;
export const DEFAULT_NEIGHBORS = 10;
