import { assert } from "../errors.js";
import type { ShowFiles } from "../schema/files.js";
import type { TableVersion } from "../storage/table.js";
import type { Hop } from "./bound/column-ref.js";

/** What a query reads: the rows of a table, and of those that links lead to. */
export interface Source {
  readonly table: TableVersion;
  /** The branch's table of that name, as the query sees it. */
  readonly findTable: (name: string) => TableVersion | undefined;
  /** Called between chunks; throws `query_timeout` once a call has worked too long (rule L-10). */
  readonly checkTime?: (() => void) | undefined;
  /** What shows files; absent where none are kept. */
  readonly showFiles?: ShowFiles | undefined;
}

/** Rows that are gone through between two looks at the time; a power of two. */
const CHECKED_ROWS = 256;

/** Makes what is called for each row, and looks at the time at every 256th. */
export function checkRows({ checkTime }: Pick<Source, "checkTime">): () => void {
  if (checkTime === undefined) return () => {};
  let rows = 0;
  return () => {
    if ((++rows & (CHECKED_ROWS - 1)) === 0) checkTime();
  };
}

/** The source of a table in a branch. */
export function sourceOf(
  { findTable, checkTime }: Omit<Source, "table">,
  table: TableVersion,
): Source {
  return { table, findTable, checkTime };
}

/** The source of the table that a link leads to; binding has seen that there is one. */
export function linkedSource<S extends Source>(source: S, { target }: Pick<Hop, "target">): S {
  const table = source.findTable(target.name);
  assert(table !== undefined, `the table ${target.name} is there`);
  return { ...source, table };
}

/** The source of the table that links lead to, one after the other. */
export function sourceAfter(source: Source, hops: readonly Hop[]): Source {
  return hops.reduce<Source>(linkedSource, source);
}

/** A table read for itself: nothing of what it links to is asked for. */
export function ownSource(table: TableVersion, checkTime?: Source["checkTime"]): Source {
  return { table, findTable: () => undefined, checkTime };
}
