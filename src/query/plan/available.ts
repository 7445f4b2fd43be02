import type { Source } from "../source.js";
import { type IndexOption, linkKey, takesTooLong, viewIndex } from "./indexes.js";
import { codesOf, type LinkCondition } from "./link-condition.js";
import { type RowIndex, scanCodes } from "./row-index.js";

/** Access structures of a table. Reading it records no demand. */
export interface Available {
  readonly size: number;
  readonly idsAscend: boolean;
  /** Whether a slot has a unique index. */
  readonly isUnique: (slot: number) => boolean;
  /** Whether the index of a key can be used. */
  readonly has: (index: string) => boolean;
  /** Codes and row count of a link condition; undefined without a link index. */
  readonly linked: (condition: LinkCondition) => LinkedRowCount | undefined;
}

export interface LinkedRowCount {
  readonly codes: readonly number[];
  readonly rows: number;
}

/** With option `always`, every index counts as present. */
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
          ? scanCodes({ table }, condition.slot, codes).length
          : codes.reduce((sum, code) => sum + view.index.runOf(code).length, 0);
      return { codes, rows };
    },
  };
}
