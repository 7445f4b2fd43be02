import type { ColumnDefinition } from "../src/index.js";

/**
 * Columns by name: a type with its options (`string unique notNull`, `vector 2`), `-> table` for a
 * link, or the columns of an object.
 */
export interface ColumnsByName {
  readonly [name: string]: string | ColumnsByName;
}

/** The definitions of columns such as `{ n: "int", team: "-> teams", home: { city: "string" } }`. */
export function defineColumns(byName: ColumnsByName): ColumnDefinition[] {
  return Object.entries(byName).map(([name, given]) => {
    if (typeof given === "object") return { name, type: "object", columns: defineColumns(given) };
    const [type, ...options] = given.split(" ");
    if (type === "->") return { name, type: "link", link: { table: options.join(" ") } };
    if (type === "vector") return { name, type, vector: { dimension: Number(options[0]) } };
    const flags = Object.fromEntries(options.map((option) => [option, true]));
    return { name, type, ...flags } as ColumnDefinition; // the engine refuses other types
  });
}
