import { describe, pointer, refuse } from "../../errors.js";
import type { Column } from "../../schema/columns.js";
import { type ColumnRef, type Hop, refTo } from "../bound/column-ref.js";
import { refuseUnknown, resolvePath, type Scope } from "./scope.js";

/**
 * Binds a list of paths to the columns that hold values, in the order of the request and each
 * once: `*` is every column of the table, an object all that is in it, a link its id.
 *
 * @throws TwinbaseError `unknown_column` (P-9), `invalid_request` (P-2, L-4, L-5)
 */
export function bindColumnList(scope: Scope, columns: unknown, at: string): ColumnRef[] {
  if (columns === undefined) return [];
  const { columns: maximum } = scope.context.limits;
  if (!Array.isArray(columns)) {
    refuse("invalid_request", `columns: expected an array, found ${describe(columns)}`, {
      path: at,
      rule: "P-2",
    });
  }
  if (columns.length > maximum) {
    refuse("invalid_request", `columns: at most ${maximum} entries, found ${columns.length}`, {
      path: at,
      rule: "L-4",
    });
  }
  const refs = columns.flatMap((path: unknown, index) => {
    const place = pointer(at, index);
    if (typeof path === "string") return expandPath(scope, path, place);
    return refuse("invalid_request", `columns: expected a column path, found ${describe(path)}`, {
      path: place,
      rule: "P-2",
    });
  });
  return [...new Map(refs.map((ref) => [ref.path, ref])).values()];
}

/**
 * Binds the path of a column that holds values of its own.
 *
 * @throws TwinbaseError `unknown_column` (P-9), `invalid_request` for an object
 */
export function bindColumn(scope: Scope, path: unknown, at: string): ColumnRef {
  if (typeof path !== "string") {
    refuse("invalid_request", `expected a column path, found ${describe(path)}`, {
      path: at,
      rule: "X-6",
    });
  }
  const { ref } = resolvePath(scope, path, () => at);
  if (ref.type === "object") {
    refuse("invalid_request", `column [${path}]: expected one that holds values, found an object`, {
      path: at,
      rule: "X-6",
    });
  }
  if (ref.keys !== undefined) refuseUnknown(scope, undefined, path, path, () => at); // P-9
  return ref;
}

/** Refuses a column of a type that this cannot be done with. */
export function requireType(column: ColumnRef, types: ReadonlySet<string>, at: string): void {
  if (types.has(column.type)) return;
  const expected = [...types].join(", ");
  refuse("invalid_request", `column [${column.path}]: expected ${expected}, found ${column.type}`, {
    path: at,
    rule: "X-6",
  });
}

function expandPath(scope: Scope, path: string, at: string): ColumnRef[] {
  if (path === "*") return expandColumns(scope.table.schema.columns, scope.hops, "");
  const isAll = path.endsWith(".*");
  const { ref, inner } = resolvePath(scope, isAll ? path.slice(0, -2) : path, () => at);
  if (ref.type === "object") return expandColumns(ref.columns, ref.hops, `${ref.path}.`);
  if (isAll) {
    if (inner === undefined) refuseUnknown(scope, undefined, path, path, () => at);
    return expandColumns(inner.table.schema.columns, inner.hops, `${inner.path}.`);
  }
  if (ref.keys !== undefined) refuseUnknown(scope, undefined, path, path, () => at); // P-9
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
