import type { IndexShape } from "./demand.js";
import { columnName } from "./statement.js";

/** The name of an index of a table, which says what it holds. */
export function indexName(table: string, shape: IndexShape): string {
  if (shape.kind !== "order") return `${table}_${shape.kind === "items" ? "i" : "w"}${shape.slot}`;
  const keys = shape.keys.map(({ slot, descending }) => `${slot}${descending ? "d" : ""}`);
  return `${table}_o${keys.join("_").replaceAll("-", "m")}`;
}

/** Names that {@link indexName} gives, as an expression of PostgreSQL. */
export const INDEX_NAMES = "^t[0-9]+_[oiw][0-9dm_]+$";

/** What follows `on` where an index is made. */
export function indexDefinition(table: string, shape: IndexShape): string {
  switch (shape.kind) {
    case "items":
      return `${table} using gin (${columnName(shape.slot)})`;
    case "parts":
      return `${table} using gin (${columnName(shape.slot)} gin_trgm_ops)`;
    case "order": {
      const keys = shape.keys.map(
        ({ slot, descending }) => `${columnName(slot)}${descending ? " desc" : ""}`,
      );
      return `${table} (${[...keys, "id"].join(", ")})`;
    }
  }
}
