import type { Instant } from "../../value/datetime.js";
import { bindNarrow, type Narrow, type Searched } from "../query-seam.js";
import type { TableParts } from "../request/request.js";
import { type BoundTarget, bindTargets } from "./bind-targets.js";
import { type Boost, bindBooster } from "./boosters.js";

/** A table to search, and all that is particular to it. */
export interface SearchedTable extends Searched {
  readonly name: string;
  /** The time by the engine's clock. */
  readonly now: () => Instant;
  /** Makes sure that the version is not changed in place from here on. */
  readonly pin: () => void;
}

/** What to search of a table, bound to it: nothing of it can be the caller's fault any more. */
export interface BoundSearch {
  readonly table: SearchedTable;
  readonly targets: readonly BoundTarget[];
  readonly narrow: Narrow | undefined;
  readonly boosts: readonly Boost[];
}

/**
 * Binds the columns that are named; calling what comes back binds the filters, which come after the
 * columns of all tables (rule E-6).
 *
 * @throws TwinbaseError `unknown_column` (P-9), `invalid_request`, then as section F says
 */
export function bindTable(table: SearchedTable, parts: TableParts): () => BoundSearch {
  let targets: readonly BoundTarget[] | undefined;
  let boosters: readonly { readonly bindFilter: () => Boost }[] = [];
  const keys = Object.keys(parts); // in the order of the request
  for (const key of keys) {
    if (key === "target") targets = bindTargets(table, parts.target);
    if (key === "boosters")
      boosters = (parts.boosters ?? []).map((booster) => bindBooster(table, booster, table.now));
  }
  targets ??= bindTargets(table, undefined);
  const bound = targets;
  return () => {
    let narrow: Narrow | undefined;
    let boosts: readonly Boost[] = [];
    for (const key of keys) {
      if (key === "filter" && parts.filter !== undefined) narrow = bindNarrow(table, parts.filter);
      if (key === "boosters") boosts = boosters.map(({ bindFilter }) => bindFilter());
    }
    return { table, targets: bound, narrow, boosts };
  };
}
