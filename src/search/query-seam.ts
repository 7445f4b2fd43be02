import { bindStoreFilter } from "../query/bind/filter.js";
import { resolvePath, tableScope } from "../query/bind/scope.js";
import { selectAll } from "../query/bind/selection.js";
import type { ColumnRef, Ref } from "../query/bound/column-ref.js";
import { setRange, subtract, wordsFor } from "../query/filter/kernels.js";
import { compileFilter } from "../query/filter/row-filter.js";
import { followKeys } from "../query/filter/value-test.js";
import { createProject } from "../query/project/records.js";
import { createFollow, type QueryRun, tableAfter } from "../query/query-run.js";
import { bindProject, project } from "../query/run.js";
import { FILE_MEMBERS, type FileMember, isFileType } from "../schema/files.js";
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
  return resolvePath(tableScope(run), path, at).ref;
}

/** Clears the bits of rows of a chunk that do not match. No set bit may be a deleted row. */
export type Narrow = (chunk: Chunk, rows: Uint32Array) => void;

export function bindNarrow({ run }: Searched, { value, at }: Unbound): Narrow {
  const predicate = bindStoreFilter(tableScope(run), value, at);
  const filter = compileFilter(predicate, run);
  return (chunk, rows) => filter.narrow(chunk, rows);
}

export function liveRows(chunk: Chunk, rows: Uint32Array): void {
  setRange(rows, 0, chunk.count);
  if (chunk.deleted !== undefined) subtract(rows, chunk.deleted, wordsFor(chunk.count));
}

export function createWholeRecords({ run }: Searched): (rows: readonly number[]) => AnyRecord[] {
  const { schema } = run.table;
  const hasFiles = schema.leaves.some(({ type }) => isFileType(type));
  if (!hasFiles) return bindProject(run, undefined, "");
  return project(run, selectAll(schema, SHOWN_MEMBERS), createProject);
}

/** H-2: all of a file but its content. */
const SHOWN_MEMBERS = (Object.keys(FILE_MEMBERS) as FileMember[]).filter(
  (member) => member !== "base64Content",
);

/** Compiles a read of a column, also through links and into files. */
export function createReadValue(
  { run }: Searched,
  { hops, slot, keys }: ColumnRef,
): (row: number) => unknown {
  const table = tableAfter(run, hops);
  const follow = createFollow(run, hops);
  return (row) => {
    const ordinal = follow === undefined ? row : follow(row);
    const value = ordinal < 0 ? null : table.get(ordinal, slot);
    return keys === undefined ? value : followKeys(value, keys);
  };
}
