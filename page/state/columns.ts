import type { AnyType } from "../../src/schema/traits.js";
import type { AnyRecord, ColumnDefinition } from "../../src/types.js";
import type { TableSchema } from "./catalog.js";

/** A column with a value of its own, by its path from the record. */
export interface Leaf {
  readonly path: string;
  readonly type: AnyType;
  /** The table that a link leads to. */
  readonly link?: string | undefined;
  /** Whether it can be written: it is no part of a linked record. */
  readonly isOwn: boolean;
  readonly definition?: ColumnDefinition | undefined;
}

/** The columns of a table that have values, those of objects by dotted paths; `id` is the first. */
export function leavesOf({ columns }: TableSchema): Leaf[] {
  return [{ path: "id", type: "id", isOwn: false }, ...flatten(columns, "", true)];
}

function flatten(columns: readonly ColumnDefinition[], prefix: string, isOwn: boolean): Leaf[] {
  return columns.flatMap((definition): Leaf[] => {
    const path = `${prefix}${definition.name}`;
    if (definition.type === "object") return flatten(definition.columns ?? [], `${path}.`, isOwn);
    const { type, link } = definition;
    return [{ path, type, link: link?.table, isOwn, definition }];
  });
}

/** The columns of a table, its metadata, and those of the records it links to. */
export function reachableLeaves(
  table: TableSchema,
  tables: readonly TableSchema[],
  metadata: string,
): Leaf[] {
  const own = leavesOf(table);
  const linked = own.flatMap(({ path, link }) => {
    const target = tables.find(({ name }) => name === link);
    return target === undefined ? [] : flatten(target.columns, `${path}.`, false);
  });
  const meta: Leaf[] = [
    { path: `${metadata}.version`, type: "int", isOwn: false },
    { path: `${metadata}.createdAt`, type: "datetime", isOwn: false },
    { path: `${metadata}.updatedAt`, type: "datetime", isOwn: false },
  ];
  return [...own, ...meta, ...linked];
}

/** The value at a path, undefined where there is none. */
export function valueAt(record: AnyRecord, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** An object with a value at a path, as a write takes it. */
export function objectAt(path: string, value: unknown): Record<string, unknown> {
  const names = path.split(".");
  return names.reduceRight<unknown>(
    (inner, name) => Object.fromEntries([[name, inner]]),
    value,
  ) as Record<string, unknown>;
}

/** The id of the record that a link leads to. */
export function linkedId(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const id = (value as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" ? id : undefined;
}

/** Two objects as one; objects under the same key are merged as well. */
export function mergeObjects(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const isInner =
      typeof known === "object" && known !== null && typeof value === "object" && value !== null;
    merged[key] = isInner
      ? mergeObjects(known as Record<string, unknown>, value as Record<string, unknown>)
      : value;
  }
  return merged;
}
