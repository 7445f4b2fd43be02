import { bindFilter } from "../query/bind/filter.js";
import { resolvePath, tableScope } from "../query/bind/scope.js";
import type { ColumnRef, Ref } from "../query/bound/column-ref.js";
import type { QueryEnvironment } from "../query/environment.js";
import { setRange, subtract, wordsFor } from "../query/filter/bitmap.js";
import { compileFilter } from "../query/filter/row-filter.js";
import { createFollow } from "../query/follow.js";
import { bindProject } from "../query/run.js";
import { sourceAfter } from "../query/source.js";
import type { Chunk } from "../storage/chunk.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import type { Unbound } from "./request/fields.js";

/** All that searches take from queries is here: paths, filters, and building records. */
export type { ColumnRef, QueryEnvironment, Ref };

/** A version of a table, seen from a branch. */
export interface Searched {
  readonly version: TableVersion;
  readonly environment: QueryEnvironment;
}

/** Finds the column of a path (rule N-4); throws `unknown_column` (P-9). */
export function findColumn({ version, environment }: Searched, { value, at }: Unbound): Ref {
  const path = String(value); // its shape is known
  return resolvePath(tableScope(environment, version), path, () => at).ref;
}

/** Of the rows of a chunk that are set, leaves those that match; none of them is deleted. */
export type Narrow = (chunk: Chunk, rows: Uint32Array) => void;

/** Binds a filter (section F). */
export function bindNarrow({ version, environment }: Searched, { value, at }: Unbound): Narrow {
  const predicate = bindFilter(tableScope(environment, version), value, () => at);
  const { findTable, checkTime } = environment;
  const filter = compileFilter(predicate, { table: version, findTable, checkTime });
  return (chunk, rows) => filter.narrow(chunk, rows);
}

/** Sets the bits of the rows of a chunk that are records. */
export function liveRows(chunk: Chunk, rows: Uint32Array): void {
  setRange(rows, 0, chunk.count);
  if (chunk.deleted !== undefined) subtract(rows, chunk.deleted, wordsFor(chunk.count));
}

/** Builds whole records (rule P-1) of rows. */
export function createWholeRecords({
  version,
  environment,
}: Searched): (rows: readonly number[]) => AnyRecord[] {
  return bindProject(environment, version, undefined, "");
}

/** The table that a column's values are in, and the row of it for a row, −1 where there is none. */
export function createReach(
  { version, environment }: Searched,
  { hops }: ColumnRef,
): { readonly table: TableVersion; readonly follow: (row: number) => number } {
  const source = { table: version, findTable: environment.findTable };
  const { table } = sourceAfter(source, hops);
  return { table, follow: createFollow(source, hops) ?? ((row) => row) };
}
