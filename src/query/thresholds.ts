/**
 * The numbers that queries are tuned by, each with what it was measured from. None of them changes
 * an answer. Absolute times are of one machine with two cores; what counts is how they compare.
 */

// Bitmaps and kernels (`filter/`).

/** Rows, of 32, up to which a kernel tests the rows that are set; with more it tests all 32. */
export const SPARSE_ROWS = 16;
/** Chunks that are filtered before the parts of a conjunction are put in order by what they leave. */
export const SAMPLE_CHUNKS = 2;

// What is kept with vectors (`filter/chunk-cache.ts`, `kept.md`).

/** Uses of a full chunk's vector before something is kept with it: what is used twice repays it. */
export const USES_OF_FULL = 1;
/** The same while rows are added: a write drops what is kept, and a query may use it twice. */
export const USES_OF_FILLING = 8;
/** Different items in a chunk's lists up to which each gets a bitmap. */
export const MAX_ITEM_POSTINGS = 128;
/** The same for a column with one value a row, whose codes are read faster than items. */
export const MAX_CODE_POSTINGS = 16;
/** Rows left of a chunk from which its texts are joined; fewer are searched one by one. */
export const MIN_JOINED_ROWS = 384;
/** Characters up to which they are: of longer texts a call for each costs nothing to speak of. */
export const MAX_JOINED_CHARACTERS: number = 1 << 24;

// Order (`order/sort-rows.ts`).

/** Rows up to which comparing them is faster than making keys of them: of 10, 0.77 of the query. */
export const COMPARED_ROWS = 32;
/** How often keys are made of what follows in texts that begin alike, before they are compared. */
export const TEXT_KEY_ROUNDS = 8;

// Rows in an order that is there (`fetch/access.ts`).

/** Rows, and share of a table's rows, that a walk may visit before a scan takes its place. */
export const WALK_BUDGET = 4096;
export const WALK_SHARE: number = 1 / 32;
/** Rows that are filtered first: where many match, a page is full long before a chunk is read. */
export const FIRST_SPAN = 256;
/** How many times as many rows are filtered each next time, up to a chunk. */
export const SPAN_GROWTH = 4;
/** Rows of a scan whose records are made at once. */
export const SCAN_ROWS = 256;

/** Rows that the estimate of `explain` is taken from (`explain.ts`). */
export const ESTIMATE_ROWS = 1024;

// Links (`plan/`, `follow.ts`).

/** Share of a table's rows up to which a link index beats a scan. */
export const MAX_LINKED_SHARE: number = 1 / 8;
/** Linked records above which a condition on them is tested row by row. */
export const MAX_LINK_TARGETS = 4096;
/** Codes of a link column up to which the row that each leads to is remembered for a query. */
export const MAX_REMEMBERED_LINKS: number = 1 << 16;

// When indexes are built (`plan/demand.ts`, `plan/indexes.ts`): at the second time that they were
// wanted. A page of a walk counts as one; others count less, so that by then the queries without
// the index have cost about as much as building it.

/** A page that begins an order, without a filter and with one. */
export const SORTED_PAGE: number = 1 / 32;
export const FILTERED_PAGE: number = 1 / 512;
/** A page of linked rows: sorting all of them takes as long as picking so many pages. */
export const LINKED_PAGE: number = 1 / 128;
/** Linked rows, in pages, from which they are wanted in order. */
export const MIN_SORTED_SHARE = 4;
/** Rows from which a table has indexes: a scan of fewer is faster than keeping one. */
export const MIN_INDEXED_ROWS = 4096;
/**
 * Rows that a query goes through for an index that is being built, at least and as a share of the
 * table's: each row is gone through twice, to find its bucket and to sort that.
 */
export const MIN_SLICE_ROWS = 40_960;
export const SLICE_SHARE: number = 1 / 32;
/** Rows of a bucket that is sorted at once, and rows of the sample for each. */
export const BUCKET_ROWS = 4096;
export const SAMPLES_PER_BUCKET = 8;
/** Bytes that the indexes of a table may take for each of its rows, and in any case. */
export const MAX_INDEX_BYTES_PER_ROW = 48;
export const MIN_INDEX_BYTES: number = 1 << 20;
/** Rows written since an index was made above which it is brought up to date. */
export const MAX_DIRTY_ROWS = 2048;
/** Keys of indexes that are counted at a time: the number of possible orders has no bound. */
export const MAX_COUNTED_KEYS = 4096;

// Records (`project/`) and aggregates (`aggregate/`).

/** Pairs of group and code up to which a table holds them; a Map holds more. */
export const MAX_PAIR_TABLE: number = 1 << 20;
