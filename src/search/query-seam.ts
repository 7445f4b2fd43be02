import { bindStoreFilter } from "../query/bind/filter.js";
import { resolvePath, tableScope } from "../query/bind/scope.js";
import { selectAll } from "../query/bind/selection.js";
import type { Ref } from "../query/bound/bound-query.js";
import { compileFilter, type RowFilter } from "../query/filter/row-filter.js";
import { createProject } from "../query/project/records.js";
import type { QueryRun } from "../query/query-run.js";
import { bindProject, project } from "../query/run.js";
import { FILE_MEMBERS, type FileMember, isFileType } from "../schema/stored-files.js";
import type { AnyRecord } from "../types.js";
import type { Unbound } from "./request/unbound.js";

/** Resolves a column path (N-4); throws `unknown_column` (P-9). */
export function resolveColumn(run: QueryRun, { value, at }: Unbound): Ref {
  const path = String(value); // the reader required a string
  return resolvePath(tableScope(run), path, at).ref;
}

export type Narrow = RowFilter["narrow"];

export function bindNarrow(run: QueryRun, { value, at }: Unbound): Narrow {
  const predicate = bindStoreFilter(tableScope(run), value, at);
  const filter = compileFilter(predicate, run);
  return (chunk, rows) => filter.narrow(chunk, rows);
}

export function createWholeRecords(run: QueryRun): (rows: readonly number[]) => AnyRecord[] {
  const { schema } = run.table;
  const hasFiles = schema.leaves.some(({ type }) => isFileType(type));
  if (!hasFiles) return bindProject(run, undefined, "");
  return project(run, selectAll(schema, SHOWN_MEMBERS), createProject);
}

/** H-2: all of a file but its content. */
const SHOWN_MEMBERS = (Object.keys(FILE_MEMBERS) as FileMember[]).filter(
  (member) => member !== "base64Content",
);
