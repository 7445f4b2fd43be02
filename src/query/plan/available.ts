import type { Source } from "../source.js";
import { linkKey } from "./index-keys.js";
import { type IndexOption, takesTooLong, viewIndex } from "./indexes.js";
import { codesOf, type LinkCondition } from "./link-condition.js";
import { countCodes, type RowIndex } from "./row-index.js";

/** What a plan may use of a table, as it is now. Asking changes nothing. */
export interface Available {
  /** Records of the table. */
  readonly size: number;
  /** Whether rows are stored in the order of their ids. */
  readonly idsAscend: boolean;
  /** Whether values of that slot are found by an index, as `unique` columns have it. */
  readonly isUnique: (slot: number) => boolean;
  /** Whether there is an index of that key when the rows are fetched. */
  readonly has: (index: string) => boolean;
  /** What an index of the link tells of a condition on it; undefined where there is none. */
  readonly linked: (condition: LinkCondition) => LinkedRowCount | undefined;
}

/** The codes of a condition on a link, and how many rows have one of them. */
export interface LinkedRowCount {
  readonly codes: readonly number[];
  readonly rows: number;
}

/** What there is in a table for a plan to use; under `always` every index counts as there. */
export function availableIn(source: Source, option: IndexOption): Available {
  const { table } = source;
  const has = (key: string): boolean =>
    option !== "never" &&
    (viewIndex(table, { key }) !== undefined || (option === "always" && !takesTooLong(table, key)));
  return {
    size: table.size,
    idsAscend: table.idsAscend,
    isUnique: (slot) => table.uniques.has(slot),
    has,
    linked(condition) {
      const key = linkKey(condition.slot);
      const codes = has(key) ? codesOf(condition, source) : undefined;
      if (codes === undefined) return undefined;
      const view = viewIndex<RowIndex>(table, { key });
      const rows =
        view === undefined
          ? countCodes(table, condition.slot, codes)
          : codes.reduce((sum, code) => sum + view.index.runOf(code).length, 0);
      return { codes, rows };
    },
  };
}
