import { assert } from "../errors.js";
import type { TableVersion } from "../storage/table.js";
import { checkEvery } from "../value/check-every.js";
import type { Hop } from "./bound/column-ref.js";

/** The rows that a query reads, including linked ones. */
export interface Source {
  readonly table: TableVersion;
  readonly findTable: (name: string) => TableVersion | undefined;
  /** Called between chunks; throws `query_timeout` after the time limit (rule L-10). */
  readonly checkTime?: (() => void) | undefined;
}

/** Returns a function to call for each row; it checks the time limit every 256 rows. */
export function checkRows({ checkTime }: Pick<Source, "checkTime">): () => void {
  return checkEvery(256, checkTime);
}

/** Returns the source of a link's target table; binding made sure that it exists. */
export function linkedSource<S extends Source>(source: S, { target }: Pick<Hop, "target">): S {
  const table = source.findTable(target.name);
  assert(table !== undefined, `table ${target.name} exists`);
  return { ...source, table };
}

export function sourceAfter(source: Source, hops: readonly Hop[]): Source {
  return hops.reduce<Source>(linkedSource, source);
}

/** Returns a source of one table, without links. */
export function ownSource(table: TableVersion, checkTime?: Source["checkTime"]): Source {
  return { table, findTable: () => undefined, checkTime };
}
