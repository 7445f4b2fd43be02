/** Tuning constants; none changes an answer. */

// Bitmaps and kernels (`filter/`).

/** Rows, of 32, up to which a kernel visits set bits only; above, it tests all 32. */
export const SPARSE_ROWS = 16;
/** Chunks sampled before a conjunction's parts are reordered. */
export const SAMPLE_CHUNKS = 2;

// Caches of vectors (`filter/chunk-cache.ts`, `kept.md`).

/** Uses of a full chunk's vector before something is cached with it. */
export const USES_OF_FULL = 1;
/** The same for a chunk that still fills: a write drops its caches. */
export const USES_OF_FILLING = 8;
/** Distinct items up to which each gets a bitmap. */
export const MAX_ITEM_POSTINGS = 128;
/** The same for columns with one code a row, which are read faster. */
export const MAX_CODE_POSTINGS = 16;
/** Rows left in a chunk from which its texts are joined. */
export const MIN_JOINED_ROWS = 384;
/** Characters up to which texts are joined. */
export const MAX_JOINED_CHARACTERS: number = 1 << 24;

// Order (`order/sort-rows.ts`).

/** Rows up to which comparing beats making keys. */
export const COMPARED_ROWS = 32;
/** Rounds of keys for texts with a common prefix, before rows are compared. */
export const TEXT_KEY_ROUNDS = 8;

// Ordered access (`fetch/access.ts`).

/** Rows, and share of the table, that a walk may visit before a scan takes its place. */
export const WALK_BUDGET = 4096;
export const WALK_SHARE: number = 1 / 32;
/** Rows that are filtered first, and the factor by which the span grows. */
export const FIRST_SPAN = 256;
export const SPAN_GROWTH = 4;
/** Records of a scan built at once. */
export const SCAN_ROWS = 256;

/** Sample size of `explain`. */
export const ESTIMATE_ROWS = 1024;

// Links (`plan/`, `follow.ts`).

/** Share of the table up to which a link index beats a scan. */
export const MAX_LINKED_SHARE: number = 1 / 8;
/** Linked records above which a condition is tested row by row. */
export const MAX_LINK_TARGETS = 4096;
/** Codes up to which a query remembers where each link leads. */
export const MAX_REMEMBERED_LINKS: number = 1 << 16;

// Index building (`plan/demand.ts`, `plan/indexes.ts`). An index is built at demand 2. A page of a
// walk adds 1, others less: until then the queries have cost about as much as building.

/** The first page of an order, without and with a filter. */
export const SORTED_PAGE: number = 1 / 32;
export const FILTERED_PAGE: number = 1 / 512;
/** A page of linked rows. */
export const LINKED_PAGE: number = 1 / 128;
/** Pages of linked rows that justify a sorted index. */
export const MIN_SORTED_SHARE = 4;
/** Rows of the smallest table with indexes. */
export const MIN_INDEXED_ROWS = 4096;
/** Rows processed per query for an index under construction: minimum, and share of the table. */
export const MIN_SLICE_ROWS = 40_960;
export const SLICE_SHARE: number = 1 / 32;
/** Rows of a bucket, and samples for each. */
export const BUCKET_ROWS = 4096;
export const SAMPLES_PER_BUCKET = 8;
/** Memory of a table's indexes: per row, and minimum. */
export const MAX_INDEX_BYTES_PER_ROW = 48;
export const MIN_INDEX_BYTES: number = 1 << 20;
/** Rows written since an index was built above which it is refreshed. */
export const MAX_DIRTY_ROWS = 2048;
/** Keys with counted demand. */
export const MAX_COUNTED_KEYS = 4096;

// Records (`project/`) and aggregates (`aggregate/`).

/** Pairs of group and code up to which an array holds them; above, a Map. */
export const MAX_PAIR_TABLE: number = 1 << 20;
