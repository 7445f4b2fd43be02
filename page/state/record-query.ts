import type { QueryRequest } from "../../src/types.js";
import type { ServiceError } from "./api.js";
import type { TableSchema } from "./catalog.js";
import { type Leaf, leavesOf } from "./columns.js";
import { type SortKey, toSort } from "./sort.js";

/** The visible columns; by default those of the table. */
export function chooseLeaves(
  table: TableSchema,
  reachable: readonly Leaf[],
  chosen: readonly string[],
): readonly Leaf[] {
  if (chosen.length === 0) return leavesOf(table);
  const id = reachable[0]!;
  const found = chosen
    .filter((path) => path !== id.path)
    // Unknown columns are requested too: the service reports the error.
    .map(
      (path) =>
        reachable.find((leaf) => leaf.path === path) ?? {
          path,
          type: "json" as const,
          isOwn: false,
        },
    );
  return [id, ...found];
}

/** Builds the query request of the records view. */
export function makeQuery(
  filter: string,
  sort: readonly SortKey[],
  leaves: readonly Leaf[] | undefined,
): QueryRequest {
  return {
    ...(leaves && { columns: leaves.filter(({ type }) => type !== "id").map(({ path }) => path) }),
    ...(filter !== "" && { filter: readJson(filter) }),
    ...(sort.length > 0 && { sort: toSort(sort) as never }),
  };
}

function readJson(text: string): never {
  try {
    return JSON.parse(text) as never;
  } catch {
    return text as never; // the service reports the error
  }
}

/** The column of an invalid sort key, from a pointer such as `/sort/1/name`. */
export function faultOfSort(
  fault: ServiceError | undefined,
  sort: readonly SortKey[],
): { path: string; message: string } | undefined {
  const index = /^\/sort\/(\d+)/.exec(fault?.path ?? "")?.[1];
  const key = index === undefined ? undefined : sort[Number(index)];
  return key && fault && { path: key.path, message: fault.message };
}

/** Number of conditions in a filter, nested ones included. */
export function countConditions(filter: string): number {
  const count = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + count(item), 0);
    if (typeof value !== "object" || value === null) return 1;
    return Object.entries(value).reduce((sum, [key, inner]) => {
      const isGroup = key === "$all" || key === "$any" || key === "$none" || key === "$not";
      return sum + (isGroup ? count(inner) : 1);
    }, 0);
  };
  return count(readJson(filter));
}
