/** Tuning constants; none changes a result. */

/** Memory of a call for tables of rows behind links, results by code, and positions in patterns. */
export const MAX_DERIVED_BYTES: number = 64 * 1024 * 1024;

// Bitmaps and kernels (`filter/`).

/** Up to this many of 32 rows, a kernel visits set bits only; above, it tests all 32. */
export const SPARSE_ROWS = 16;
/** Minimum number of remaining rows in a chunk to search its codes for a single one. */
export const MIN_SEARCHED_ROWS = 1024;
/** Chunks sampled before a conjunction's parts are reordered. */
export const SAMPLE_CHUNKS = 2;

// Caches of vectors (`filter/chunk-cache.ts`, `kept.md`).

/** Uses of a full chunk's vector before a cache is built. */
export const USES_OF_FULL = 1;
/** The same for the last chunk, whose caches every write drops. */
export const USES_OF_FILLING = 8;
/** Maximum number of distinct items that get bitmaps. */
export const MAX_ITEM_POSTINGS = 128;
/** The same for columns with one code per row, which are faster to read. */
export const MAX_CODE_POSTINGS = 16;
/** Minimum number of remaining rows in a chunk to search its joined texts. */
export const MIN_JOINED_ROWS = 384;
/** Maximum length of joined texts, in characters. */
export const MAX_JOINED_CHARACTERS: number = 1 << 24;

// Order (`order/`).

/** Up to this many rows, comparing is faster than building keys. */
export const COMPARED_ROWS = 32;
/** Up to this many pages of rows, sorting all is faster than keeping the first ones in a heap. */
export const SORTED_PAGES = 4;
/** Steps between a chunk's sampled rows, and the surplus of rising or falling ones that is a trend. */
export const TREND_STEPS = 8;
export const MIN_TREND = 6;
/** Rounds of keys for texts with a common prefix before comparing rows. */
export const TEXT_KEY_ROUNDS = 8;

// Ordered access (`fetch/fetch.ts`).

/** Rows, and share of the table, that a walk visits before it falls back to a scan. */
export const WALK_BUDGET = 4096;
export const WALK_SHARE: number = 1 / 32;
/** Rows of the first filtered span, and the growth factor of the next ones. */
export const FIRST_SPAN = 256;
export const SPAN_GROWTH = 4;
/** Records per batch of a scan. */
export const SCAN_ROWS = 256;

/** Sample size of `explain`. */
export const ESTIMATE_ROWS = 1024;

// Links (`plan/`).

/** Maximum share of the table for which a link index beats a scan. */
export const MAX_LINKED_SHARE: number = 1 / 8;
/** Above this many linked records, a condition is tested row by row. */
export const MAX_LINK_TARGETS = 4096;

// Index building (`plan/`). An index is built at demand 2. A page of an
// index walk adds 1, other queries less: by then the queries have cost about as much as a build.

/** Demand of an order's first page, without and with a filter. */
export const SORTED_PAGE: number = 1 / 32;
export const FILTERED_PAGE: number = 1 / 512;
/** Demand of a page of linked rows. */
export const LINKED_PAGE: number = 1 / 128;
/** Pages of linked rows that justify a sorted index. */
export const MIN_SORTED_SHARE = 4;
/** Rows of the smallest table with indexes. */
export const MIN_INDEXED_ROWS = 4096;
/** Rows indexed per query while a build is in progress: minimum, and share of the table. */
export const MIN_SLICE_ROWS = 40_960;
export const SLICE_SHARE: number = 1 / 32;
/** Rows per bucket of a sort, and samples per bucket. */
export const BUCKET_ROWS = 4096;
export const SAMPLES_PER_BUCKET = 8;
/** Time to sort a row within its bucket divided by the time to find its bucket. */
export const SORT_COST = 4;
/** Memory of a table's indexes: per row, and minimum. */
export const MAX_INDEX_BYTES_PER_ROW = 48;
export const MIN_INDEX_BYTES: number = 1 << 20;
/** An index is refreshed after this many written rows. */
export const MAX_DIRTY_ROWS = 2048;
/** Maximum number of keys with counted demand. */
export const MAX_COUNTED_KEYS = 4096;
