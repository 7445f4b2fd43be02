import type { IndexShape } from "./demand.js";
import { columnName, type Dialect } from "./statement.js";
import { foldText } from "./text-test.js";

export function indexName(table: string, shape: IndexShape): string {
  if (shape.kind !== "order") return `${table}_${LETTERS[shape.kind]}${shape.slot}`;
  const keys = shape.keys.map(({ slot, descending }) => `${slot}${descending ? "d" : ""}`);
  return `${table}_o${keys.join("_").replaceAll("-", "m")}`;
}

/** Matches all names of {@link indexName}, as an expression of PostgreSQL. */
export const INDEX_NAMES = "^t[0-9]+_[oiwfj][0-9dm_]+$";

/** Operator class of the extension `pg_trgm`. */
export const TRIGRAMS = "gin_trgm_ops";

const LETTERS = { items: "i", parts: "w", folded: "f", members: "j" } as const;

/** The text after `on` in `create index`. */
export function indexDefinition(table: string, shape: IndexShape, dialect: Dialect): string {
  switch (shape.kind) {
    case "items":
      return `${table} using gin (${columnName(shape.slot)})`;
    case "parts":
      return `${table} using gin (${columnName(shape.slot)} ${TRIGRAMS})`;
    case "folded": {
      const text = foldText(dialect, columnName(shape.slot));
      return `${table} using gin ((${text}) ${TRIGRAMS})`;
    }
    case "members":
      return `${table} using gin ((${columnName(shape.slot)}::jsonb) jsonb_path_ops)`;
    case "order": {
      const keys = shape.keys.map(({ slot, descending }) => {
        return `${columnName(slot)}${descending ? " desc" : ""}`;
      });
      return `${table} (${[...keys, "id"].join(", ")})`;
    }
  }
}
