import { bindStoreFilter } from "../query/bind/filter.js";
import { resolvePath, tableScope } from "../query/bind/scope.js";
import type { ColumnRef, Ref } from "../query/bound/column-ref.js";
import { setRange, subtract, wordsFor } from "../query/filter/kernels.js";
import { compileFilter } from "../query/filter/row-filter.js";
import { followKeys } from "../query/filter/value-test.js";
import type { QueryRun } from "../query/query-run.js";
import { bindProject } from "../query/run.js";
import { createFollow, sourceAfter } from "../query/source.js";
import { isFileType } from "../schema/files.js";
import type { Chunk } from "../storage/chunk.js";
import type { AnyRecord } from "../types.js";
import type { Unbound } from "./request/unbound.js";

export type { ColumnRef, Ref };

export interface Searched {
  readonly run: QueryRun;
}

/** Resolves a column path (N-4); throws `unknown_column` (P-9). */
export function findColumn({ run }: Searched, { value, at }: Unbound): Ref {
  const path = String(value); // the reader required a string
  return resolvePath(tableScope(run, run.table), path, at).ref;
}

/** Clears the bits of rows of a chunk that do not match. No set bit may be a deleted row. */
export type Narrow = (chunk: Chunk, rows: Uint32Array) => void;

export function bindNarrow({ run }: Searched, { value, at }: Unbound): Narrow {
  const predicate = bindStoreFilter(tableScope(run, run.table), value, at);
  const filter = compileFilter(predicate, run);
  return (chunk, rows) => filter.narrow(chunk, rows);
}

export function liveRows(chunk: Chunk, rows: Uint32Array): void {
  setRange(rows, 0, chunk.count);
  if (chunk.deleted !== undefined) subtract(rows, chunk.deleted, wordsFor(chunk.count));
}

export function createWholeRecords({ run }: Searched): (rows: readonly number[]) => AnyRecord[] {
  const files = run.table.schema.leaves.filter(({ type }) => isFileType(type));
  if (files.length === 0) return bindProject(run, undefined, "");
  // H-2: all of a file but its content.
  const members = ["*", "signedUrl", "uploadUrl"];
  const columns = ["*", ...files.flatMap(({ path }) => members.map((name) => `${path}.${name}`))];
  const limits = { ...run.limits, columns: columns.length };
  return bindProject({ ...run, limits }, columns, "");
}

/** Compiles a read of a column, also through links and into files. */
export function createReadValue(
  { run }: Searched,
  { hops, slot, keys }: ColumnRef,
): (row: number) => unknown {
  const { table } = sourceAfter(run, hops);
  const follow = createFollow(run, hops);
  return (row) => {
    const ordinal = follow === undefined ? row : follow(row);
    const value = ordinal < 0 ? null : table.get(ordinal, slot);
    return keys === undefined ? value : followKeys(value, keys);
  };
}
