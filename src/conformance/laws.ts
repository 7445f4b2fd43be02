import type { Law } from "./law.js";
import { BRANCH_LAWS } from "./laws/branches.js";
import { COMPARISON_LAWS } from "./laws/comparison.js";
import { CURSOR_LAWS } from "./laws/cursors.js";
import { DETERMINISM_LAWS } from "./laws/determinism.js";
import { INTERLEAVING_LAWS } from "./laws/interleaving.js";
import { LINK_LAWS } from "./laws/links.js";
import { LOGIC_LAWS } from "./laws/logic.js";
import { MODEL_LAWS } from "./laws/model.js";
import { ORACLE_LAWS } from "./laws/oracle.js";
import { PAGE_LAWS } from "./laws/pages.js";
import { SELECTION_LAWS } from "./laws/selection.js";
import { SORT_LAWS } from "./laws/sorting.js";
import { LIST_LAWS, TEXT_LAWS } from "./laws/text.js";
import { WRITE_LAWS } from "./laws/writes.js";

/** Every law, the quick and telling ones first. */
export const LAWS: readonly Law[] = [
  ...LOGIC_LAWS,
  ...COMPARISON_LAWS,
  ...TEXT_LAWS,
  ...LIST_LAWS,
  ...LINK_LAWS,
  ...SORT_LAWS,
  ...SELECTION_LAWS,
  ...PAGE_LAWS,
  ...CURSOR_LAWS,
  ...WRITE_LAWS,
  ...INTERLEAVING_LAWS,
  ...BRANCH_LAWS,
  ...DETERMINISM_LAWS,
  ...MODEL_LAWS,
  ...ORACLE_LAWS,
];
