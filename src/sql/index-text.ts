import { UPDATED_AT_SLOT } from "../schema/columns.js";
import type { IndexKey, IndexShape } from "./demand.js";
import { columnName, type Dialect } from "./statement.js";
import { foldText } from "./text-test.js";

export function indexName(table: string, shape: IndexShape): string {
  if (shape.kind !== "order") return `${table}_${LETTERS[shape.kind]}${shape.slot}`;
  const keys = shape.keys.map((key) => `${key.slot}${directionOf(key).letter}`);
  return `${table}_o${keys.join("_").replaceAll("-", "m")}`;
}

/** Matches all names of {@link indexName}, as an expression of PostgreSQL. */
export const INDEX_NAMES = "^t[0-9]+_[oiwfj][0-9dlm_]+$";

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
      const keys = shape.keys.map((key) => `${columnName(key.slot)}${directionOf(key).text}`);
      return `${table} (${[...keys, "id"].join(", ")})`;
    }
  }
}

/** As in `order by`. Names with `d` for nullable columns are of earlier versions, with nulls first. */
function directionOf({ slot, descending }: IndexKey): Readonly<Record<"letter" | "text", string>> {
  if (!descending) return { letter: "", text: "" };
  return slot <= UPDATED_AT_SLOT
    ? { letter: "d", text: " desc" }
    : { letter: "l", text: " desc nulls last" };
}
