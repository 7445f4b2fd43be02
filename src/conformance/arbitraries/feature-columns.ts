import type { ColumnDefinition, ColumnType } from "../../types.js";
import type { WalkedPath } from "./paths.js";

const PREFIXES: { readonly [path: string]: readonly string[] } = {
  own: [],
  object: ["object"],
  link: ["link"],
  links: ["link", "link"],
  json: [],
};
export const PATHS: readonly string[] = Object.keys(PREFIXES);

/** Types without sub-columns of objects here. */
export const FLAT: readonly string[] = ["id", "vector", "file", "file[]"];

/** The path to a value of a type, if there is one. */
export function walkedPath(type: string, path: string): WalkedPath | undefined {
  if (path === "object" ? FLAT.includes(type) : path === "json" && type !== "json")
    return undefined;
  const column = columnOf(type);
  const kind = path === "json" ? "json path" : type === "id" ? "id" : "column";
  const last = path === "json" ? "json->a" : column.name;
  return { names: [...(PREFIXES[path] ?? []), last], column, kind, next: undefined, links: 0 };
}

export function columnOf(type: string): ColumnDefinition {
  if (type === "id") return { name: "id", type: "string" };
  const column = { name: type.replace("[]", "s"), type: type as ColumnType }; // one of the types
  return type === "vector" ? { ...column, vector: { dimension: 2 } } : column;
}

/** A column of one of some types for an object, which needs one. */
export function plainColumns(types: readonly string[]): ColumnDefinition[] {
  const plain = types.filter(
    (type) => !FLAT.includes(type) && type !== "object" && type !== "link",
  );
  return plain.slice(0, 1).map(columnOf);
}
