import { pointer, refuse } from "../../errors.js";
import type { Column } from "../../schema/columns.js";
import { type RequestPart, refuseValue } from "../../shape/fields.js";
import { isArray } from "../../value/json.js";
import { type ColumnRef, type Hop, isJsonPath, refTo } from "../bound/bound-query.js";
import { refuseUnknown, resolvePath, type Scope } from "./scope.js";

/** Binds distinct paths to leaf columns, in request order; `*` and objects are expanded. */
export function bindColumnList(scope: Scope, columns: unknown, at: string): ColumnRef[] {
  if (columns === undefined) return [];
  const inner: Scope = { ...scope, clause: "columns" };
  const refs = new Map<string, ColumnRef>();
  for (const [index, path] of readEntries(scope, columns, 0, at).entries()) {
    const entryAt = pointer(at, index);
    if (typeof path !== "string") refuseEntry(path, entryAt);
    for (const ref of expandPath(inner, path, entryAt)) refs.set(ref.path, ref);
  }
  return [...refs.values()];
}

/** Reads `columns`; the limit includes the `before` entries (rule L-4). */
export function readEntries(
  scope: Scope,
  columns: unknown,
  before: number,
  at: string,
): readonly unknown[] {
  if (!isArray(columns)) refuseValue(columns, "an array", entriesAt(at));
  const { columns: most } = scope.run.limits;
  const count = before + columns.length;
  if (count > most) {
    const message = `columns: at most ${most} entries, found ${count}`;
    refuse("invalid_request", message, { path: at, rule: "L-4" });
  }
  return columns;
}

export function refuseEntry(entry: unknown, at: string): never {
  refuseValue(entry, "a column path", entriesAt(at));
}

function entriesAt(path: string): RequestPart {
  return { what: "columns", path, rule: "P-2" };
}

/** Binds the path of a leaf column; throws `unknown_column` (P-9), `invalid_request`. */
export function bindTypedColumn(
  scope: Scope,
  path: unknown,
  types: ReadonlySet<string>,
  at: string,
): ColumnRef {
  if (typeof path !== "string") refuseValue(path, "a column path", { path: at, rule: "X-6" });
  const { ref } = resolvePath(scope, path, at);
  if (ref.type === "object") {
    const message = `column [${path}]: expected a column with values, found an object`;
    refuse("invalid_request", message, { path: at, rule: "X-6" });
  }
  if (isJsonPath(ref)) refuseUnknown(scope, undefined, path, path, at); // P-9
  requireType(ref, types, at);
  return ref;
}

export function requireType(column: ColumnRef, types: ReadonlySet<string>, at: string): void {
  if (types.has(column.type)) return;
  const expected = [...types].join(", ");
  const message = `column [${column.path}]: expected ${expected}, found ${column.type}`;
  refuse("invalid_request", message, { path: at, rule: "X-6" });
}

function expandPath(scope: Scope, path: string, at: string): ColumnRef[] {
  if (path === "*") return expandColumns(scope.table.schema.columns, scope.hops, "");
  const isAll = path.endsWith(".*");
  const { ref, inner } = resolvePath(scope, isAll ? path.slice(0, -2) : path, at);
  if (ref.type === "object") return expandColumns(ref.columns, ref.hops, `${ref.path}.`);
  if (isAll) {
    if (inner === undefined || inner.files !== undefined) {
      refuseUnknown(scope, undefined, path, path, at);
    }
    return expandColumns(inner.table.schema.columns, inner.hops, `${inner.path}.`);
  }
  if (isJsonPath(ref)) refuseUnknown(scope, undefined, path, path, at); // P-9
  return [ref];
}

function expandColumns(
  columns: readonly Column[],
  hops: readonly Hop[],
  prefix: string,
): ColumnRef[] {
  return columns.flatMap((column) => {
    const path = prefix + column.name;
    return column.type === "object"
      ? expandColumns(column.columns, hops, `${path}.`)
      : [refTo(column, hops, path)];
  });
}
