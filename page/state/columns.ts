import type { AnyType } from "../../src/schema/traits.js";
import type { ColumnDefinition } from "../../src/types.js";
import { metadataAt, profile, type TableSchema } from "./catalog.js";

/** A leaf column by its dotted path. */
export interface Leaf {
  readonly path: string;
  readonly type: AnyType;
  /** The linked table. */
  readonly link?: string | undefined;
  /** Whether the column belongs to the table itself and is writable. */
  readonly isOwn: boolean;
  readonly definition?: ColumnDefinition | undefined;
}

/** Leaf columns of a table, the id first. */
export function leavesOf({ columns }: TableSchema): Leaf[] {
  return [
    { path: profile.value.idColumn, type: "id", isOwn: false },
    ...flatten(columns, "", true),
  ];
}

function flatten(columns: readonly ColumnDefinition[], prefix: string, isOwn: boolean): Leaf[] {
  return columns.flatMap((definition): Leaf[] => {
    const path = `${prefix}${definition.name}`;
    if (definition.type === "object") return flatten(definition.columns ?? [], `${path}.`, isOwn);
    const { type, link } = definition;
    return [{ path, type, link: link?.table, isOwn, definition }];
  });
}

/** Leaf columns of a table, its metadata, and linked tables. */
export function reachableLeaves(table: TableSchema, tables: readonly TableSchema[]): Leaf[] {
  const own = leavesOf(table);
  const linked = own.flatMap(({ path, link }) => {
    const target = tables.find(({ name }) => name === link);
    return target === undefined ? [] : flatten(target.columns, `${path}.`, false);
  });
  const meta: Leaf[] = [
    { path: metadataAt("version"), type: "int", isOwn: false },
    { path: metadataAt("createdAt"), type: "datetime", isOwn: false },
    { path: metadataAt("updatedAt"), type: "datetime", isOwn: false },
  ];
  return [...own, ...meta, ...linked];
}

/** The value at a dotted path, if any. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** An object with a value at a dotted path. */
export function objectAt(path: string, value: unknown): Record<string, unknown> {
  const names = path.split(".");
  return names.reduceRight<unknown>(
    (inner, name) => Object.fromEntries([[name, inner]]),
    value,
  ) as Record<string, unknown>;
}

/** The id in a link value. */
export function linkedId(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const id = (value as Readonly<Record<string, unknown>> | null)?.[profile.value.idColumn];
  return typeof id === "string" ? id : undefined;
}

/** Merges two objects deeply. */
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
