import { AGGREGATE_LAWS } from "./aggregates.js";
import { FILE_LAWS } from "./files.js";
import { FILTER_LAWS } from "./filters.js";
import { HISTORY_LAWS } from "./history.js";
import type { Law } from "./law.js";
import { MANY_LAWS } from "./many.js";
import { PROGRAM_LAWS } from "./programs.js";
import { QUERY_LAWS } from "./queries.js";
import { SEARCH_LAWS } from "./search.js";
import { WALK_LAWS } from "./walks.js";
import { WRITE_LAWS } from "./writes.js";

/** Every law; the fastest and most effective ones first. */
export const LAWS: readonly Law[] = [
  ...FILTER_LAWS,
  ...QUERY_LAWS,
  ...WALK_LAWS,
  ...PROGRAM_LAWS,
  ...WRITE_LAWS,
  ...SEARCH_LAWS,
  ...AGGREGATE_LAWS,
  ...FILE_LAWS,
  ...HISTORY_LAWS,
  ...MANY_LAWS,
];
