import { ACCOUNT_LAWS } from "./accounts.js";
import { BRANCH_SEARCH_LAWS } from "./branch-search.js";
import { BRANCH_LAWS } from "./branches.js";
import { CURSOR_LAWS } from "./cursors.js";
import { DETERMINISM_LAWS } from "./determinism.js";
import { FIGURE_LAWS } from "./figures.js";
import { FILE_LAWS } from "./files.js";
import { FILTER_LAWS } from "./filters.js";
import { HISTORY_LAWS } from "./history.js";
import { INTERLEAVING_LAWS } from "./interleaving.js";
import type { Law } from "./law.js";
import { MANY_LAWS } from "./many.js";
import { MANY_SEARCH_LAWS } from "./many-search.js";
import { MODEL_LAWS } from "./model.js";
import { ORACLE_LAWS } from "./oracle.js";
import { PAGE_LAWS } from "./pages.js";
import { SEARCH_LAWS } from "./search.js";
import { SELECTION_LAWS } from "./selection.js";
import { SORT_LAWS } from "./sorting.js";
import { TEXT_LAWS } from "./text.js";
import { VECTOR_LAWS } from "./vectors.js";
import { WORKSPACE_LAWS } from "./workspaces.js";
import { WRITE_LAWS } from "./writes.js";

/** Every law, those that are quick and find most first. */
export const LAWS: readonly Law[] = [
  ...FILTER_LAWS,
  ...TEXT_LAWS,
  ...SORT_LAWS,
  ...SELECTION_LAWS,
  ...PAGE_LAWS,
  ...CURSOR_LAWS,
  ...WRITE_LAWS,
  ...SEARCH_LAWS,
  ...BRANCH_SEARCH_LAWS,
  ...VECTOR_LAWS,
  ...FIGURE_LAWS,
  ...FILE_LAWS,
  ...HISTORY_LAWS,
  ...ACCOUNT_LAWS,
  ...WORKSPACE_LAWS,
  ...INTERLEAVING_LAWS,
  ...BRANCH_LAWS,
  ...DETERMINISM_LAWS,
  ...MODEL_LAWS,
  ...ORACLE_LAWS,
  ...MANY_LAWS,
  ...MANY_SEARCH_LAWS,
];
