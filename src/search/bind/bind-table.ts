import type { QueryRun } from "../../query/query-run.js";
import type { Instant } from "../../value/datetime.js";
import { bindNarrow, type Narrow } from "../query-seam.js";
import type { TableParts } from "../request/request.js";
import { type BoundTarget, bindTargets } from "./bind-targets.js";
import { type Boost, bindBooster } from "./boosters.js";

export interface SearchedTable {
  readonly run: QueryRun;
  readonly name: string;
  readonly now: () => Instant;
  /** Makes this version immutable: later writes copy it. */
  readonly pin: () => void;
}

export interface BoundSearch {
  readonly table: SearchedTable;
  readonly targets: readonly BoundTarget[];
  readonly narrow: Narrow | undefined;
  readonly boosts: readonly Boost[];
}

/** Binds the columns; the returned function binds the filters after all tables' columns (E-6). */
export function bindTable(table: SearchedTable, parts: TableParts): () => BoundSearch {
  let targets: readonly BoundTarget[] | undefined;
  let boosters: readonly { readonly bindFilter: () => Boost }[] = [];
  const keys = Object.keys(parts); // in the order of the request (E-6)
  for (const key of keys) {
    if (key === "target") targets = bindTargets(table.run, parts.target);
    if (key === "boosters")
      boosters = (parts.boosters ?? []).map((booster) =>
        bindBooster(table.run, booster, table.now),
      );
  }
  targets ??= bindTargets(table.run, undefined);
  const bound = targets;
  return () => {
    let narrow: Narrow | undefined;
    let boosts: readonly Boost[] = [];
    for (const key of keys) {
      if (key === "filter" && parts.filter !== undefined)
        narrow = bindNarrow(table.run, parts.filter);
      if (key === "boosters") boosts = boosters.map(({ bindFilter }) => bindFilter());
    }
    return { table, targets: bound, narrow, boosts };
  };
}
