import type { ColumnDefinition, Json } from "../../types.js";
import { isObject, type JsonObject } from "../oracle/model.js";
import type { FixtureTable } from "../target/target.js";
import { derive } from "./choice.js";

/** Replaces dangling links by links to other records, or by null (rule T-18). */
export function repairLinks<T extends FixtureTable>(tables: readonly T[]): T[] {
  const ids = new Map(
    tables.map(({ name, records }) => [name, records.map(({ id }) => String(id))]),
  );
  const repair = (value: Json, { type, link, columns = [] }: ColumnDefinition): Json => {
    if (type === "object") return isObject(value) ? repairAll(value, columns) : value;
    const known = type === "link" ? ids.get(link?.table ?? "") : undefined;
    const id = isObject(value) ? value.id : value;
    if (known === undefined || typeof id !== "string" || known.includes(id)) return value;
    return known[derive(known.length, id) % known.length] ?? null;
  };
  const repairAll = (record: JsonObject, columns: readonly ColumnDefinition[]): JsonObject =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]) => {
        const column = columnAt(columns, key.split("."));
        return [key, column === undefined ? value : repair(value, column)];
      }),
    );
  return tables.map((table) => ({
    ...table,
    records: table.records.map((record) => repairAll(record, table.columns)),
  }));
}

function columnAt(
  columns: readonly ColumnDefinition[],
  [name, ...others]: readonly string[],
): ColumnDefinition | undefined {
  const column = columns.find((one) => one.name === name);
  return others.length === 0 ? column : columnAt(column?.columns ?? [], others);
}
