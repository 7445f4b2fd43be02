import type { ColumnDefinition } from "../src/index.js";

/** Columns by name: a type, `-> table` for a link, or the columns of an object. */
export interface ColumnsByName {
  readonly [name: string]: string | ColumnsByName;
}

/** The definitions of columns such as `{ n: "int", team: "-> teams", home: { city: "string" } }`. */
export function defineColumns(byName: ColumnsByName): ColumnDefinition[] {
  return Object.entries(byName).map(([name, type]) => {
    if (typeof type === "object") return { name, type: "object", columns: defineColumns(type) };
    if (type.startsWith("-> ")) return { name, type: "link", link: { table: type.slice(3) } };
    return { name, type } as ColumnDefinition; // the engine refuses other types
  });
}
